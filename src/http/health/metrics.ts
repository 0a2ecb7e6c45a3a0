import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine, EngineStatistics } from '../../engine/engine.ts'
import { onArrival } from '../on-arrival.ts'
import { finalStatus, onRequestEnd } from '../request/request-end.ts'
import { routeOf } from '../request/request-log.ts'
import type { Services } from '../services.ts'
import { collectionMetrics } from './collection-metrics.ts'
import { eventLoopMetrics } from './event-loop-metrics.ts'
import { healthOf } from './health-routes.ts'
import { notificationMetrics } from './notification-metrics.ts'
import { taggingMetrics } from './tagging-metrics.ts'

/** Maximum wait of a scrape for the metrics of the engine. */
const ENGINE_MS = 2_000

/** Counts requests and serves `GET /metrics` in the Prometheus text format. */
export function exposeMetrics(
  app: FastifyInstance,
  { engine, tagging, notifications }: Services,
  certificateValidTo?: () => Date,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'periplus_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const running = new Gauge({
    name: 'periplus_http_requests_in_flight',
    help: 'Number of requests in progress.',
    registers: [registry],
  })
  collectionMetrics(app, registry)
  eventLoopMetrics(app, registry)
  if (certificateValidTo !== undefined) certificateGauge(certificateValidTo, registry)
  engineGauges(app, engine, registry)
  engineFigures(engine, registry)
  engineAnswers(engine, registry)
  if (tagging !== undefined) taggingMetrics(app, tagging, registry)
  if (notifications !== undefined) notificationMetrics(app, notifications, registry)

  onArrival(app, () => running.inc())
  onRequestEnd(app, (request, reply) => {
    running.dec()
    const status = String(finalStatus(request, reply))
    duration.observe({ route: routeOf(request) ?? 'none', method: request.method, status }, reply.elapsedTime / 1000)
  })
  const schema = {
    tags: ['Server'],
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
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

function certificateGauge(validTo: () => Date, registry: Registry): void {
  new Gauge({
    name: 'periplus_tls_certificate_expires_seconds',
    help: 'Time at which the certificate of the server expires. Seconds since the epoch.',
    registers: [registry],
    collect() {
      this.set(validTo().getTime() / 1000)
    },
  })
}

function engineGauges(app: FastifyInstance, engine: Engine, registry: Registry): void {
  new Gauge({
    name: 'periplus_engine_up',
    help: '1 if the engine responds, else 0.',
    registers: [registry],
    async collect() {
      this.set((await healthOf(engine)).ok ? 1 : 0)
    },
  })
  new Gauge({
    name: 'periplus_index_documents',
    help: 'Number of documents in an index.',
    labelNames: ['index'],
    registers: [registry],
    async collect() {
      this.reset()
      try {
        const counts = await engine.documentCounts('*', AbortSignal.timeout(ENGINE_MS))
        for (const [index, documents] of counts) this.set({ index }, documents)
      } catch (error) {
        // Do not fail the scrape: the other metrics matter most when the engine fails.
        app.log.warn({ err: error }, 'metrics of the engine could not be read')
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
  {
    name: 'periplus_engine_reads_running',
    help: 'Number of running reads of the engine.',
    of: (s) => s.reads?.running,
  },
  { name: 'periplus_engine_reads_waiting', help: 'Number of queued reads of the engine.', of: (s) => s.reads?.waiting },
  {
    name: 'periplus_engine_segment_bytes',
    help: 'Memory of columns of segments. Exceeds periplus_engine_segment_max_bytes only while running reads need more.',
    of: (s) => s.memory?.bytes,
  },
  {
    name: 'periplus_engine_segment_max_bytes',
    help: 'Memory that columns of segments may take, a share of engine.memoryMiB.',
    of: (s) => s.memory?.maxBytes,
  },
  {
    name: 'periplus_engine_segment_loads_total',
    help: 'Columns of segments that were read from disk.',
    isCounter: true,
    of: (s) => s.memory?.loads,
  },
  {
    name: 'periplus_engine_segment_evictions_total',
    help: 'Columns of segments that were dropped from memory to make room for others.',
    isCounter: true,
    of: (s) => s.memory?.evictions,
  },
  {
    name: 'periplus_cache_hits_total',
    help: 'Requests answered from the cache, or with the result of an identical running request.',
    isCounter: true,
    of: (s) => s.cache?.hits,
  },
  {
    name: 'periplus_cache_misses_total',
    help: 'Requests answered by the engine.',
    isCounter: true,
    of: (s) => s.cache?.misses,
  },
  {
    name: 'periplus_cache_hit_ratio',
    help: 'Ratio of cache hits to all requests since the start.',
    of: ({ cache }) => cache && cache.hits / Math.max(1, cache.hits + cache.misses),
  },
  { name: 'periplus_cache_bytes', help: 'Approximate memory used by cached responses.', of: (s) => s.cache?.bytes },
  { name: 'periplus_cache_entries', help: 'Number of cached responses.', of: (s) => s.cache?.entries },
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

function engineAnswers(engine: Engine, registry: Registry): void {
  const read = (): EngineStatistics['paths'] => engine.statistics?.().paths
  if (read() === undefined) return
  new Counter({
    name: 'periplus_engine_answers_total',
    help: 'Reads answered by the engine: by kernels, or by SQL and why kernels do not cover them.',
    labelNames: ['path', 'reason'],
    registers: [registry],
    collect() {
      this.reset()
      const { kernel = 0, sql = [] } = read() ?? {}
      this.inc({ path: 'kernel' }, kernel)
      for (const [reason, count] of sql) this.inc({ path: 'sql', reason }, count)
    },
  })
}
