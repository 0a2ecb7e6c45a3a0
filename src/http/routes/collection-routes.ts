import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readDisplayName } from '../../collections/display-name.ts'
import { importedMessage } from '../../collections/import-file.ts'
import { problem } from '../../errors.ts'
import type { CollectionReference } from '../../model/collection.ts'
import type { Access } from '../../query/access/access.ts'
import { sendJson } from '../answer/send-json.ts'
import { readFormField } from '../request/body/form-body.ts'
import { parseJson, readJsonBody, readTextBody } from '../request/body/json-body.ts'
import { callerAccess, requestSignal } from '../request/caller.ts'
import { readParameters } from '../request/parameters.ts'
import type { Services } from '../services.ts'
import * as schemas from './collection-schemas.ts'

interface Named {
  Params: { collection: string }
}

/** Collection routes (spec 4). Paths are relative: they are registered at the root and under the aliases. */
export function collectionRoutes(app: FastifyInstance, services: Services): void {
  const { collections } = services

  app.get('/collections', { schema: schemas.list }, async (request, reply) =>
    sendJson(request, reply, await collections.list(callerAccess(request))),
  )

  app.get('/collections/_export', { schema: schemas.exportAll }, async (request, reply) => {
    const references = await collections.export(callerAccess(request))
    const day = new Date(services.now()).toISOString().slice(0, 10).replaceAll('-', '')
    reply.header('content-disposition', `attachment; filename=collections-export_${day}.json`)
    return sendJson(request, reply, references)
  })

  app.post(
    '/collections/_import',
    {
      schema: schemas.importAll,
      config: { accepts: ['multipart/form-data', 'application/x-www-form-urlencoded'] },
    },
    async (request, reply) => {
      const options = putOptions(request)
      const names = await collections.import(await readImportFile(request), callerAccess(request), options)
      return sendJson(request, reply, importedMessage(names))
    },
  )

  app.get<Named>('/collections/:collection', { schema: schemas.get }, async (request, reply) =>
    sendJson(request, reply, await collections.get(request.params.collection, callerAccess(request))),
  )

  app.put<Named>('/collections/:collection', { schema: schemas.put }, async (request, reply) => {
    const options = putOptions(request)
    const body = readJsonBody(request)
    const reference = await collections.put(request.params.collection, body, callerAccess(request), options)
    return sendJson(request, reply, reference)
  })

  app.delete<Named>('/collections/:collection', { schema: schemas.remove }, async (request, reply) => {
    const name = request.params.collection
    const access = callerAccess(request)
    await collections.getToChange(name, access)
    checkPretty(request)
    await collections.delete(name, access)
    return sendJson(request, reply, { status: 200, message: `Collection ${name} deleted` })
  })

  app.patch<Named>(
    '/collections/:collection/organisations',
    { schema: schemas.patchOrganisations },
    patcher((name, request, access) => collections.patchOrganisations(name, readJsonBody(request), access)),
  )

  app.patch<Named>(
    '/collections/:collection/display_names/collection',
    { schema: schemas.patchDisplayName, config: { accepts: ['text/plain'] } },
    patcher((name, request, access) =>
      collections.patchDisplayName(name, readDisplayName(readTextBody(request)), access),
    ),
  )

  app.patch<Named>(
    '/collections/:collection/display_names/fields',
    { schema: schemas.patchFieldNames },
    patcher((name, request, access) => collections.patchFieldNames(name, readJsonBody(request), access)),
  )

  app.patch<Named>(
    '/collections/:collection/display_names/shape_columns',
    { schema: schemas.patchShapeColumns },
    patcher((name, request, access) => collections.patchShapeColumns(name, readJsonBody(request), access)),
  )

  type Change = (name: string, request: FastifyRequest, access: Access) => Promise<CollectionReference>

  /** Looks up the collection before the body is read, so that 404 and 403 precede errors in the body. */
  function patcher(change: Change) {
    return async (request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> => {
      const name = request.params.collection
      const access = callerAccess(request)
      await collections.getToChange(name, access)
      checkPretty(request)
      return sendJson(request, reply, await change(name, request, access))
    }
  }
}

/** Validates `pretty` before anything is stored: a failed request must not change anything. */
function checkPretty(request: FastifyRequest): void {
  readParameters(request).boolean('pretty')
}

function putOptions(request: FastifyRequest): { checkFields: boolean; signal: AbortSignal } {
  checkPretty(request)
  return { checkFields: readParameters(request).boolean('checkfields') ?? true, signal: requestSignal(request) }
}

async function readImportFile(request: FastifyRequest): Promise<unknown> {
  const file = await readFormField(request, 'file')
  if (file === undefined || file.length === 0) {
    const reason = 'is required: a form part or field with a JSON array of collection references'
    throw problem('INVALID_BODY', { parameter: 'file', reason })
  }
  return parseJson(file, 'file', request.routeOptions.config.jsonNodes)
}
