import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../explore/operation.ts'
import { JSON_MEDIA } from '../../../interop/link.ts'
import { aggregateItems } from '../../../interop/stac/aggregate-items.ts'
import { chooseAggregations, describeAggregations } from '../../../interop/stac/aggregations.ts'
import { searched } from '../../../interop/stac/item-search.ts'
import { sendJson } from '../../answer/send-json.ts'
import { requestUrl } from '../../request/request-url.ts'
import type { Services } from '../../services.ts'
import { beginInterop, checkKnownParameters, chooseInteropFormat } from './begin-interop.ts'
import { asQuery, openCollections } from './open-collections.ts'
import { type AggregationParameters, readAggregation } from './stac-parameters.ts'
import * as schemas from './stac-schemas.ts'

interface Named {
  Params: { readonly collection: string }
}

const json = { name: 'json', type: JSON_MEDIA }
const negotiated = { produces: [] }

/** Aggregations of items (Aggregation extension of STAC API). */
export function stacAggregateRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services
  const { limits } = settings
  const reading = { produces: [], readOnly: true }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { names, conditions, form }: AggregationParameters,
    operations: readonly Operation[],
  ): Promise<FastifyReply> {
    const collections = operations.map(searched)
    const asked = chooseAggregations(names, collections, limits.stacAggregations)
    const { base } = requestUrl(request, settings)
    return sendJson(request, reply, await aggregateItems(asked, conditions, collections, form, limits, base))
  }

  const all = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    chooseInteropFormat(request, reply, [json])
    const parameters = readAggregation(request, limits)
    const operations = await openCollections(services, request, parameters.conditions.collections)
    return answer(request, reply, parameters, operations)
  }
  app.get('/stac/aggregate', { schema: schemas.aggregate, config: negotiated }, all)
  app.post('/stac/aggregate', { schema: schemas.aggregatePost, config: reading }, all)

  const one = async (request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> => {
    chooseInteropFormat(request, reply, [json])
    const { collection } = request.params
    const operation = asQuery(await beginInterop(services, request, collection))
    const parameters = readAggregation(request, limits, collection)
    return answer(request, reply, parameters, parameters.conditions.collections?.length === 0 ? [] : [operation])
  }
  app.get<Named>(
    '/stac/collections/:collection/aggregate',
    { schema: schemas.aggregateCollection, config: negotiated },
    one,
  )
  app.post<Named>(
    '/stac/collections/:collection/aggregate',
    { schema: schemas.aggregateCollectionPost, config: reading },
    one,
  )

  app.get('/stac/aggregations', { schema: schemas.aggregations, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [json])
    checkKnownParameters(request, [])
    const { base } = requestUrl(request, settings)
    const collections = (await openCollections(services, request)).map(searched)
    return sendJson(request, reply, describeAggregations(collections, base, undefined))
  })

  app.get<Named>(
    '/stac/collections/:collection/aggregations',
    { schema: schemas.collectionAggregations, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [json])
      const { collection } = request.params
      const operation = await beginInterop(services, request, collection)
      checkKnownParameters(request, [])
      const { base } = requestUrl(request, settings)
      return sendJson(request, reply, describeAggregations([searched(operation)], base, collection))
    },
  )
}
