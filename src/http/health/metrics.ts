import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine, EngineStatistics } from '../../engine/engine.ts'
import { finalStatus, onRequestEnd } from '../request/request-end.ts'
import { routeOf } from '../request/request-log.ts'
import type { Services } from '../services.ts'
import { eventLoopMetrics } from './event-loop-metrics.ts'
import { healthOf } from './health-routes.ts'
import { notificationMetrics } from './notification-metrics.ts'
import { taggingMetrics } from './tagging-metrics.ts'

/** Maximum wait of a scrape for the metrics of the engine. */
const ENGINE_MS = 2_000

/** Counts requests and serves `GET /metrics` in the Prometheus text format. */
export function exposeMetrics(app: FastifyInstance, { engine, tagging, notifications }: Services): void {
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
  eventLoopMetrics(app, registry)
  engineGauges(app, engine, registry)
  engineFigures(engine, registry)
  if (tagging !== undefined) taggingMetrics(app, tagging, registry)
  if (notifications !== undefined) notificationMetrics(app, notifications, registry)

  app.addHook('onRequest', async () => running.inc())
  onRequestEnd(app, (request, reply) => {
    running.dec()
    const status = String(finalStatus(request, reply))
    duration.observe({ route: routeOf(request) ?? 'none', method: request.method, status }, reply.elapsedTime / 1000)
  })
  const schema = {
    tags: ['Server'],
    operationId: 'getMetrics',
    summary: 'Figures for Prometheus',
    response: {
      200: {
        description: 'Metrics in the Prometheus text format.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
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
        const counts = await engine.documentCounts('*', AbortSignal.timeout(ENGINE_MS))
        for (const [index, documents] of counts) this.set({ index }, documents)
      } catch (error) {
        // Do not fail the scrape: the other metrics matter most when the engine fails.
        app.log.warn({ err: error }, 'the engine gave no figures')
      }
    },
  })
}

interface Figure {
  readonly name: string
  readonly help: string
  /** True if the value only grows while the server runs. */
  readonly isCounter?: boolean
  /** Undefined if the engine does not provide it. */
  readonly of: (statistics: EngineStatistics) => number | undefined
}

const figures: readonly Figure[] = [
  { name: 'periplus_engine_reads_running', help: 'Reads the engine works on now.', of: (s) => s.reads?.running },
  { name: 'periplus_engine_reads_waiting', help: 'Reads that wait for their turn.', of: (s) => s.reads?.waiting },
  {
    name: 'periplus_cache_hits_total',
    help: 'Questions answered with a kept answer, or with one that was being made.',
    isCounter: true,
    of: (s) => s.cache?.hits,
  },
  {
    name: 'periplus_cache_misses_total',
    help: 'Questions the engine had to answer.',
    isCounter: true,
    of: (s) => s.cache?.misses,
  },
  {
    name: 'periplus_cache_hit_ratio',
    help: 'Share of hits in all questions since the start.',
    of: ({ cache }) => cache && cache.hits / Math.max(1, cache.hits + cache.misses),
  },
  { name: 'periplus_cache_bytes', help: 'Memory the kept answers take, about.', of: (s) => s.cache?.bytes },
  { name: 'periplus_cache_entries', help: 'Answers kept now.', of: (s) => s.cache?.entries },
]

function engineFigures(engine: Engine, registry: Registry): void {
  for (const { name, help, isCounter, of } of figures) {
    const read = (): number | undefined => of(engine.statistics?.() ?? {})
    if (read() === undefined) continue
    const registers = [registry]
    if (isCounter === true) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read() ?? 0)
        },
      })
    } else {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read() ?? 0)
        },
      })
    }
  }
}
