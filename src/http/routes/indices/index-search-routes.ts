import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { knownSchema } from '../../../collections/open-collection.ts'
import { problem } from '../../../errors.ts'
import { filterAnswer } from '../../../interop/elasticsearch/filter-path.ts'
import { checkNames } from '../../../interop/elasticsearch/members.ts'
import { answerSearch } from '../../../interop/elasticsearch/search.ts'
import {
  queryContext,
  readQuery,
  readSearchRequest,
  type UrlParameters,
} from '../../../interop/elasticsearch/search-request.ts'
import { sendJson } from '../../answer/send-json.ts'
import { requestSignal } from '../../request/caller.ts'
import { readParameters } from '../../request/parameters.ts'
import type { Services } from '../../services.ts'
import { exactBodyObject, existing, type Named } from './index-request.ts'
import { jsonTypes } from './index-schemas.ts'
import * as schemas from './index-search-schemas.ts'

/** Search and count in the query language of Elasticsearch. */
export function indexSearchRoutes(app: FastifyInstance, { engine, settings: { limits } }: Services): void {
  const config = { accepts: jsonTypes, readOnly: true }
  for (const method of ['POST', 'GET'] as const) {
    app.route<Named>({
      method,
      url: '/index/:index/_count',
      schema: schemas.count(method),
      config,
      handler: async (request, reply) => {
        const infos = await existing(engine, request)
        const body = exactBodyObject(request)
        checkNames(body, '', ['query'])
        const schema = knownSchema(infos)
        const predicate = readQuery(body, urlParameters(request), queryContext(schema, limits))
        const count = await engine.count({ indices: schema.indices, predicate }, requestSignal(request))
        const _shards = { total: 1, successful: 1, skipped: 0, failed: 0 }
        return sendFiltered(request, reply, { count, _shards })
      },
    })
    app.route<Named>({
      method,
      url: '/index/:index/_search',
      schema: schemas.search(method),
      config,
      handler: async (request, reply) => {
        const indices = await existing(engine, request)
        const schema = knownSchema(indices)
        const url = urlParameters(request)
        if (url('scroll') !== undefined) throw problem('INVALID_PARAMETER', { parameter: 'scroll', reason: NO_SCROLL })
        const window = limits.window ?? engine.capabilities.resultWindow
        const context = queryContext(schema, limits)
        const search = readSearchRequest(exactBodyObject(request), url, { context, window, indices })
        const run = { engine, indices: schema.indices, limits, signal: requestSignal(request) }
        const parameters = readParameters(request)
        const answer = await answerSearch(search, schema, run, {
          plainTotal: parameters.boolean('rest_total_hits_as_int') === true,
          hasTypes: parameters.boolean('typed_keys') === true,
        })
        return sendFiltered(request, reply, answer)
      },
    })
  }
}

const NO_SCROLL = 'is not supported: page with search_after'

const urlParameters = (request: FastifyRequest): UrlParameters => {
  const parameters = readParameters(request)
  return (name) => parameters.text(name)
}

function sendFiltered(request: FastifyRequest, reply: FastifyReply, answer: object): Promise<FastifyReply> {
  const filtered = filterAnswer(answer, readParameters(request).text('filter_path'))
  return sendJson(request, reply, filtered, { tag: 'none' })
}
