import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import { healthOf } from './health-routes.ts'
import { finalStatus, onRequestEnd } from './request-end.ts'
import { routeOf } from './request-log.ts'

/** How long a scrape waits for the engine's own figures. */
const ENGINE_MS = 2_000

/** Counts requests and answers `GET /metrics` in the Prometheus text format. */
export function exposeMetrics(app: FastifyInstance, engine: Engine): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'periplus_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const running = new Gauge({
    name: 'periplus_http_requests_in_flight',
    help: 'Requests being served now.',
    registers: [registry],
  })
  engineGauges(app, engine, registry)

  app.addHook('onRequest', async () => running.inc())
  onRequestEnd(app, (request, reply) => {
    running.dec()
    const status = String(finalStatus(request, reply))
    duration.observe({ route: routeOf(request) ?? 'none', method: request.method, status }, reply.elapsedTime / 1000)
  })
  const schema = {
    tags: ['server'],
    summary: 'Figures for Prometheus',
    response: { 200: { type: 'string', description: 'Metrics in the Prometheus text format.' } },
  }
  app.get('/metrics', { schema }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
}

function engineGauges(app: FastifyInstance, engine: Engine, registry: Registry): void {
  new Gauge({
    name: 'periplus_engine_up',
    help: '1 when the engine answers, else 0.',
    registers: [registry],
    async collect() {
      this.set((await healthOf(engine)).ok ? 1 : 0)
    },
  })
  new Gauge({
    name: 'periplus_index_documents',
    help: 'Documents of an index.',
    labelNames: ['index'],
    registers: [registry],
    async collect() {
      this.reset()
      try {
        const infos = await engine.indices('*', AbortSignal.timeout(ENGINE_MS))
        for (const info of infos) this.set({ index: info.name }, info.documents)
      } catch (error) {
        // The other figures matter most when the engine fails.
        app.log.warn({ err: error }, 'the engine gave no figures')
      }
    },
  })
}
