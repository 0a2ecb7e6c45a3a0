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
          app.log.warn({ err: error }, 'metrics of the subscription store could not be read')
        }
      },
    })
  }
  counter('periplus_events_total', 'Number of events by source and state.', ['source', 'state'], () =>
    matching.events.counts().map(({ source, state, count }) => [{ source, state }, count]),
  )
  counter('periplus_webhook_attempts_total', 'Number of webhook attempts by outcome.', ['outcome'], () =>
    [...delivery.attempts()].map(([outcome, count]) => [{ outcome }, count]),
  )
  counter('periplus_egress_denied_total', 'Number of calls denied by an egress rule.', ['rule'], () =>
    [...delivery.denied()].map(([rule, count]) => [{ rule }, count]),
  )
  gauge('periplus_events_backlog', 'Number of events waiting to be matched.', () => matching.backlog())
  gauge('periplus_subscriptions_indexed', 'Number of subscriptions in the match index.', () => matching.indexed())
  gauge(
    'periplus_subscriptions_stopped',
    'Number of subscriptions stopped because their writers have lost a right.',
    () => notifications.rights?.stoppedCount ?? 0,
  )
  gauge('periplus_deliveries_pending', 'Number of notifications waiting to be delivered.', () =>
    deliveries.pendingCount(),
  )
  const matched = new Histogram({
    name: 'periplus_match_seconds',
    help: 'Duration of matching one batch of events.',
    buckets: SECONDS,
    registers,
  })
  matching.events.onMatched((seconds) => matched.observe(seconds))
  const attempted = new Histogram({
    name: 'periplus_webhook_seconds',
    help: 'Duration of one webhook attempt.',
    buckets: SECONDS,
    registers,
  })
  delivery.onAttempt((seconds) => attempted.observe(seconds))
}

type Counted = readonly [labels: Record<string, string>, count: number]
