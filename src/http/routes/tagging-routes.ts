import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { named, narrowingDigest, narrowingOf, type Viewed } from '../../access/narrowing.ts'
import { mayRead } from '../../access/organisations.ts'
import { type OpenCollection, openCollection } from '../../collections/open-collection.ts'
import { Problem, problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'
import { checkTagRequest, type TagOperation } from '../../tagging/check-tag-request.ts'
import type { SeenRecords, Tagging } from '../../tagging/tagging.ts'
import { JSON_CONTENT_TYPE, sendJson } from '../answer/send-json.ts'
import { sendStream } from '../answer/send-stream.ts'
import { callerAccess, callerIdentity, callerStoredAccess, requestSignal } from '../request/caller.ts'
import { readParameters } from '../request/parameters.ts'
import type { Services } from '../services.ts'
import { partitionVisibility, principalOf, printList } from './tagging-list.ts'
import {
  checkBodySize,
  ignoreBody,
  ignoreTypeOfNothing,
  readListing,
  readOffset,
  readTagJson,
} from './tagging-request.ts'
import * as schemas from './tagging-schemas.ts'

interface Named {
  Params: { readonly collection: string }
}
interface NamedRequest {
  Params: { readonly collection: string; readonly id: string }
}

/** Throws if an index does not keep sources: its documents cannot be changed (spec tagging 1.3). */
function checkSources({ infos }: OpenCollection): void {
  const index = infos.find((info) => info.keepsSources === false)
  if (index === undefined) return
  const reason = `uses the index ${index.name}, which does not store the source of its documents and cannot be tagged`
  throw problem('INVALID_PARAMETER', { parameter: 'collection', reason })
}

/** A replay repeats tags of others, on documents that the caller may not see. */
const NO_REPLAY = 'Tags cannot be replayed, because the view of the caller is narrowed'

const readPretty = (request: FastifyRequest): boolean => readParameters(request).boolean('pretty') ?? false

/** Routes that tag documents and report the results (spec tagging 1). */
export const taggingRoutes =
  (tagging: Tagging) =>
  (app: FastifyInstance, services: Services): void => {
    const { settings, engine, collections, now } = services

    const submit =
      (operation: TagOperation) =>
      async (request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> => {
        checkBodySize(request)
        const access = callerAccess(request)
        const collection = await openCollection(services, request.params.collection, access, requestSignal(request))
        checkSources(collection)
        // Validate before anything is logged: an error must not leave a record in the log.
        readPretty(request)
        const record = checkTagRequest(operation, readTagJson(request), {
          collection,
          access,
          limits: settings.limits,
          now: now(),
          window: engine.capabilities.resultWindow,
          principal: principalOf(callerIdentity(request)),
          partitionHeader: callerStoredAccess(request).partition,
        })
        return sendJson(request, reply, await tagging.submit(record), { pretty: record.request.form?.pretty })
      }

    const posted = { onRequest: ignoreTypeOfNothing }
    app.post<Named>('/write/:collection/_tag', { schema: schemas.tag, ...posted }, submit('tag'))
    app.post<Named>('/write/:collection/_untag', { schema: schemas.untag, ...posted }, submit('untag'))

    app.post<Named>(
      '/write/:collection/_tagreplay',
      { schema: schemas.replay, onRequest: ignoreBody },
      async (request, reply) => {
        const { collection } = request.params
        const access = callerAccess(request)
        const reference = await collections.get(collection, access)
        if (narrowingOf(access, reference) !== undefined) throw problem('FORBIDDEN', { reason: NO_REPLAY })
        const offset = readOffset(request)
        readPretty(request)
        await tagging.replay(collection, offset)
        return sendJson(request, reply, offset)
      },
    )

    const seenOf = (access: Access, collection: Viewed): SeenRecords => {
      const narrowing = narrowingOf(access, collection)
      return narrowing === undefined ? {} : { narrowing: narrowingDigest(narrowing) }
    }

    /**
     * Returns a filter for the records that the caller may read. Records of a deleted collection stay readable, as if
     * it had no organisations.
     */
    const readable = async (name: string, access: Access): Promise<SeenRecords> => {
      try {
        return seenOf(access, await collections.get(name, access))
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'COLLECTION_NOT_FOUND') throw error
        if (!(await tagging.hasRecords(name))) throw error
        const isCovered = access.columns === undefined || access.columns.patternsOf(name) !== undefined
        if (!mayRead(undefined, access) || !isCovered) throw problem('COLLECTION_NOT_AVAILABLE', { name })
        return seenOf(access, named(name))
      }
    }

    app.get<NamedRequest>('/status/:collection/_tag/:id', { schema: schemas.status }, async (request, reply) => {
      const { collection, id } = request.params
      const seen = await readable(collection, callerAccess(request))
      return sendJson(request, reply, await tagging.status(collection, id, seen), { tag: 'none' })
    })

    app.get<Named>('/status/:collection/_taglist', { schema: schemas.list }, async (request, reply) => {
      const { collection } = request.params
      const seen = await readable(collection, callerAccess(request))
      const listing = { ...readListing(request), ...seen }
      const form = { pretty: readPretty(request), showsPartition: partitionVisibility(request, settings) }
      const pieces = printList(tagging.list(collection, listing), form)
      return sendStream(request, reply.header('content-type', JSON_CONTENT_TYPE), pieces)
    })
  }
