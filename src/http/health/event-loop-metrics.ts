import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'

/** Sampling interval of the delay monitor. */
const RESOLUTION_MS = 10
const NANOSECONDS = 1e9
const PERCENTILES = [50, 90, 99] as const

/** Delay of the main event loop since the previous scrape. */
export function eventLoopMetrics(app: FastifyInstance, registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  app.addHook('onClose', async () => void delays.disable())
  // The recorded value is the time between two samples, so the interval is subtracted.
  const seconds = (nanoseconds: number): number =>
    delays.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000)
  new Gauge({
    name: 'periplus_event_loop_delay_seconds',
    help: 'Event loop delay since the previous scrape.',
    labelNames: ['percentile'],
    registers: [registry],
    collect() {
      for (const percentile of PERCENTILES) this.set({ percentile }, seconds(delays.percentile(percentile)))
    },
  })
  // Must be registered after the gauge above: metrics are collected in the order of registration.
  new Gauge({
    name: 'periplus_event_loop_delay_max_seconds',
    help: 'Maximum event loop delay since the previous scrape.',
    registers: [registry],
    collect() {
      this.set(seconds(delays.max))
      delays.reset()
    },
  })
}
