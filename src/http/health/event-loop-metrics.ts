import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'

/** Milliseconds between two looks. */
const RESOLUTION_MS = 10
const NANOSECONDS = 1e9
const QUANTILES = [0.5, 0.9, 0.99] as const

/** How long the thread of the requests kept others waiting, since the scrape before. */
export function eventLoopMetrics(app: FastifyInstance, registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  app.addHook('onClose', async () => void delays.disable())
  // What is recorded is the time from one look to the next.
  const seconds = (nanoseconds: number): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000)
  new Gauge({
    name: 'periplus_event_loop_delay_seconds',
    help: 'How late the event loop came to what was due, since the scrape before.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of QUANTILES) this.set({ quantile }, seconds(delays.percentile(100 * quantile)))
    },
  })
  // Collected after the one above: metrics are in the order in which they were registered.
  new Gauge({
    name: 'periplus_event_loop_delay_max_seconds',
    help: 'Longest such delay since the scrape before.',
    registers: [registry],
    collect() {
      this.set(seconds(delays.max))
      delays.reset()
    },
  })
}
