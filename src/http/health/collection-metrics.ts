import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { finalStatus, onRequestEnd } from '../request/request-end.ts'
import { readsOf } from '../request/request-reads.ts'

/** Collections with metrics of their own; requests of further ones are counted together. */
const MOST_COLLECTIONS = 100
const OTHERS = 'others'

/** Measures the requests that read a collection, by collection. */
export function collectionMetrics(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'periplus_collection_request_duration_seconds',
    help: 'Time from the arrival of a request that reads a collection to the end of its response.',
    labelNames: ['collection', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const named = new Set<string>()
  const labelOf = (collection: string): string => {
    if (named.size < MOST_COLLECTIONS) named.add(collection)
    return named.has(collection) ? collection : OTHERS
  }
  onRequestEnd(app, (request, reply) => {
    const status = `${Math.floor(finalStatus(request, reply) / 100)}xx`
    for (const collection of readsOf(request)?.collections ?? []) {
      duration.observe({ collection: labelOf(collection), status }, reply.elapsedTime / 1000)
    }
  })
}
