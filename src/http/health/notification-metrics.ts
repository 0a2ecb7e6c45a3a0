import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Notifications } from '../../subscriptions/notifications.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** Metrics of events and notifications. */
export function notificationMetrics(app: FastifyInstance, notifications: Notifications, registry: Registry): void {
  const { figures, deliveries } = notifications
  if (figures === undefined) return
  const { matching, delivery } = figures
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[], read: () => Iterable<Counted>): void => {
    new Counter({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset()
        for (const [labels, count] of read()) this.inc(labels, count)
      },
    })
  }
  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      ...{ name, help, registers },
      async collect() {
        try {
          this.set(await read())
        } catch (error) {
          // Do not fail the scrape: the other metrics matter most when the store fails.
          app.log.warn({ err: error }, 'the store of subscriptions gave no figures')
        }
      },
    })
  }
  counter('periplus_events_total', 'Events by source, and what became of them.', ['source', 'state'], () =>
    matching.events.counts().map(({ source, state, count }) => [{ source, state }, count]),
  )
  counter('periplus_webhook_attempts_total', 'Attempts to call back, by outcome.', ['outcome'], () =>
    [...delivery.attempts()].map(([outcome, count]) => [{ outcome }, count]),
  )
  counter('periplus_egress_denied_total', 'Calls that were not made because a rule forbids them.', ['rule'], () =>
    [...delivery.denied()].map(([rule, count]) => [{ rule }, count]),
  )
  gauge('periplus_events_backlog', 'Events that wait to be matched.', () => matching.backlog())
  gauge('periplus_subscriptions_indexed', 'Subscriptions that are watched.', () => matching.indexed())
  gauge(
    'periplus_subscriptions_stopped',
    'Subscriptions that are stopped because their writers lack a right.',
    () => notifications.rights?.stoppedCount ?? 0,
  )
  gauge('periplus_deliveries_pending', 'Notifications that wait to be delivered.', () => deliveries.pendingCount())
  const matched = new Histogram({
    name: 'periplus_match_seconds',
    help: 'Time to match one batch of events.',
    buckets: SECONDS,
    registers,
  })
  matching.events.onMatched((seconds) => matched.observe(seconds))
  const attempted = new Histogram({
    name: 'periplus_webhook_seconds',
    help: 'Time of one attempt to call back.',
    buckets: SECONDS,
    registers,
  })
  delivery.onAttempt((seconds) => attempted.observe(seconds))
}

type Counted = readonly [labels: Record<string, string>, count: number]
