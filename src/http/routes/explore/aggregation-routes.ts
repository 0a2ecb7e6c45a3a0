import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  aggregateDocuments,
  aggregateFeatures,
  printAggregated,
  printAggregatedFeatures,
} from '../../../explore/aggregate.ts'
import { computeFigure } from '../../../explore/compute.ts'
import type { Operation } from '../../../explore/operation.ts'
import { suggestTerms } from '../../../explore/suggest.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import { sendJson } from '../../answer/send-json.ts'
import type { Services } from '../../services.ts'
import { beginOperation } from '../begin-operation.ts'
import {
  readAggregation,
  readCollectionNames,
  readComputation,
  readGeohashCell,
  readSuggest,
} from './aggregation-request.ts'
import * as schemas from './aggregation-schemas.ts'
import { type NamedTile, readTile } from './tile-request.ts'

interface Named {
  Params: { readonly collection: string }
}
interface NamedGeohash {
  Params: { readonly collection: string; readonly geohash: string }
}
interface NamedSeveral {
  Params: { readonly collections: string }
}

/** Applies to POST too, which only carries the request in its body. */
const readOnly = { readOnly: true }

/** Routes of aggregations, computed metrics and suggestions. GET and POST share their handlers. */
export function aggregationRoutes(app: FastifyInstance, services: Services): void {
  const begin = (request: FastifyRequest<Named>): Promise<Operation> =>
    beginOperation(services, request, request.params.collection)

  app.get<Named>('/explore/:collection/_aggregate', { schema: schemas.aggregate }, aggregate)
  app.post<Named>('/explore/:collection/_aggregate', { schema: schemas.aggregatePost, config: readOnly }, aggregate)

  async function aggregate(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const operation = await begin(request)
    const { value, flat, form } = readAggregation(request)
    const isPlain = !flat && !form.pretty
    const answer = isPlain ? printAggregated(value, operation) : aggregateDocuments(value, operation, { flat })
    return sendJson(request, reply, await answer, form)
  }

  app.get<Named>('/explore/:collection/_geoaggregate', { schema: schemas.geoaggregate }, geoaggregate)
  app.post<Named>(
    '/explore/:collection/_geoaggregate',
    { schema: schemas.geoaggregatePost, config: readOnly },
    geoaggregate,
  )

  async function geoaggregate(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    return sendFeatures(request, reply, await begin(request))
  }

  app.get<NamedGeohash>(
    '/explore/:collection/_geoaggregate/:geohash',
    { schema: schemas.geoaggregateGeohash },
    async (request, reply) => {
      const operation = await begin(request)
      return sendFeatures(request, reply, operation, readGeohashCell(request.params.geohash))
    },
  )

  app.get<NamedTile>(
    '/explore/:collection/_geoaggregate/:z/:x/:y',
    { schema: schemas.geoaggregateTile },
    async (request, reply) => {
      const operation = await begin(request)
      return sendFeatures(request, reply, operation, { kind: 'tile', ...readTile(request.params) })
    },
  )

  app.get<Named>('/explore/:collection/_compute', { schema: schemas.compute }, compute)
  app.post<Named>('/explore/:collection/_compute', { schema: schemas.computePost, config: readOnly }, compute)

  async function compute(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const operation = await begin(request)
    const { value, form } = readComputation(request)
    return sendJson(request, reply, await computeFigure(value, operation), form)
  }

  app.get<NamedSeveral>('/explore/:collections/_suggest', { schema: schemas.suggest }, async (request, reply) => {
    const operations: Operation[] = []
    for (const name of readCollectionNames(request.params.collections)) {
      operations.push(await beginOperation(services, request, name))
    }
    const { value, form } = readSuggest(request, services.settings.limits)
    return sendJson(request, reply, await suggestTerms(value, operations), form)
  })
}

/** Sends the buckets of an operation as features. `cell`: of the path. */
async function sendFeatures(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  cell?: Cell,
): Promise<FastifyReply> {
  const { value, flat, form } = readAggregation(request)
  const isPlain = !flat && !form.pretty
  const answer = isPlain
    ? printAggregatedFeatures(value, operation, cell)
    : aggregateFeatures(value, operation, { flat, ...(cell ? { cell } : {}) })
  return sendJson(request, reply, await answer, form)
}
