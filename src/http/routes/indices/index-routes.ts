import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, problem } from '../../../errors.ts'
import { checkIndexName } from '../../../mapping/index-name.ts'
import { parseMapping } from '../../../mapping/mapping-parser.ts'
import { sendJson } from '../../answer/send-json.ts'
import { requestSignal } from '../../request/caller.ts'
import { rawQuery, readParameters } from '../../request/parameters.ts'
import type { Right } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { indexClientRoutes } from './index-client-routes.ts'
import { byName, describe, mappingOf, settingsOf } from './index-description.ts'
import { indexDocumentRoutes } from './index-document-routes.ts'
import { bodyObject, existing, type Named } from './index-request.ts'
import * as schemas from './index-schemas.ts'
import { indexSearchRoutes } from './index-search-routes.ts'
import { indexStatusRoutes } from './index-status-routes.ts'

/** Reported version of the Elasticsearch API; official clients check it before they send anything. */
const ELASTICSEARCH_VERSION = '8.17.0'

/** Indices and their documents under `/index`, with the API of Elasticsearch for loaders. */
export function indexRoutes(app: FastifyInstance, services: Services): void {
  app.register(async (scope) => {
    // official clients refuse servers that do not send it
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('x-elastic-product', 'Elasticsearch')
    })
    adminRoutes(scope, services)
    indexStatusRoutes(scope, services)
    indexClientRoutes(scope, services)
    indexDocumentRoutes(scope, services)
    indexSearchRoutes(scope, services)
  })
}

function adminRoutes(app: FastifyInstance, { engine, version }: Services): void {
  const config = { accepts: schemas.jsonTypes }
  const parsing = { subFields: engine.capabilities.subFields === true }

  app.get('/index', { schema: schemas.banner }, async (request, reply) =>
    sendJson(request, reply, {
      name: 'periplus',
      cluster_name: 'periplus',
      cluster_uuid: '_na_',
      // The Java client requires all of them.
      version: {
        number: ELASTICSEARCH_VERSION,
        build_flavor: 'default',
        build_type: 'periplus',
        build_hash: 'unknown',
        build_date: '1970-01-01T00:00:00Z',
        build_snapshot: false,
        lucene_version: '9.12.0',
        minimum_wire_compatibility_version: '7.17.0',
        minimum_index_compatibility_version: '7.0.0',
        periplus: version,
      },
      tagline: 'You Know, for Search',
    }),
  )

  app.get('/index/_mapping', { schema: schemas.allMappings }, async (request, reply) => {
    const infos = await engine.indices('*', requestSignal(request))
    return sendJson(request, reply, byName(infos, mappingOf), { tag: 'none' })
  })

  app.get<Named>('/index/:index', { schema: schemas.index }, async (request, reply) => {
    const infos = await existing(engine, request)
    return sendJson(request, reply, byName(infos, describe), { tag: 'none' })
  })

  app.put<Named>('/index/:index', { schema: schemas.create, config }, async (request, reply) => {
    const name = request.params.index
    checkIndexName(name)
    const body = bodyObject(request)
    const { mapping, notes } = parseMapping(body.mappings, parsing)
    try {
      await engine.createIndex(name, mapping)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error
      // loaders look for this word to continue
      const reason = 'already exists (resource_already_exists_exception)'
      throw problem('INVALID_INDEX', { parameter: `index ${name}`, reason })
    }
    const extra = notes.length === 0 ? {} : { notes }
    return sendJson(request, reply, { acknowledged: true, shards_acknowledged: true, index: name, ...extra })
  })

  app.delete<Named>('/index/:index', { schema: schemas.drop }, async (request, reply) => {
    await engine.dropIndex(request.params.index)
    return sendJson(request, reply, { acknowledged: true })
  })

  app.post<Named>(
    '/index/:index/_replace',
    { schema: schemas.replace, config: { ...config, rights: replaceRights } },
    async (request, reply) => {
      const by = readParameters(request).text('by')
      if (by === undefined) throw problem('INVALID_PARAMETER', { parameter: 'by', reason: 'is required' })
      await engine.replaceIndex(request.params.index, by)
      return sendJson(request, reply, { acknowledged: true })
    },
  )

  app.get<Named>('/index/:index/_mapping', { schema: schemas.mapping }, async (request, reply) => {
    const infos = await existing(engine, request)
    return sendJson(request, reply, byName(infos, mappingOf), { tag: 'none' })
  })

  for (const method of ['PUT', 'POST'] as const) {
    app.route<Named>({
      method,
      url: '/index/:index/_mapping',
      schema: schemas.extendMapping(method),
      config,
      handler: async (request, reply) => {
        const { mapping, notes } = parseMapping(bodyObject(request), parsing)
        await engine.extendMapping(request.params.index, mapping)
        const extra = notes.length === 0 ? {} : { notes }
        return sendJson(request, reply, { acknowledged: true, ...extra })
      },
    })
  }

  app.get<Named>('/index/:index/_settings', { schema: schemas.settings }, async (request, reply) => {
    const infos = await existing(engine, request)
    return sendJson(request, reply, byName(infos, settingsOf), { tag: 'none' })
  })
}

/** The other index is dropped, and its documents are read under the name of the first. */
function replaceRights(request: FastifyRequest): readonly Right[] {
  const { index = '' }: { index?: string } = Object(request.params)
  const path = (name: string): string => `index/${name.replaceAll('/', '%2F')}`
  const by = path(new URLSearchParams(rawQuery(request.raw.url ?? '')).get('by') ?? '*')
  return [
    { method: 'POST', path: `${path(index)}/_replace` },
    { method: 'DELETE', path: path(index) },
    { method: 'DELETE', path: by },
    { method: 'GET', path: `${by}/_search` },
  ]
}
