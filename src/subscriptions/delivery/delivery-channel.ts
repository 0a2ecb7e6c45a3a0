import type { Delivery, DeliveryChannel } from '../record/delivery-record.ts'
import type { AttemptOutcome } from '../record/delivery-store.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { WebhookResult } from './webhook-attempt.ts'

/** A way notifications leave. */
export interface Channel {
  readonly name: DeliveryChannel
  /** What shares a waiting line. */
  hostOf(callback: string): string
  /** Whether the target agreed to be called now; asks it when it never was. */
  mayCall?(callback: string, nowMs: number): boolean
  /** It is called now; told in the same turn in which `mayCall` allowed it. */
  called?(callback: string, nowMs: number): void
  /** One attempt; rejects only when it was called off, or a store is away. */
  send(delivery: Delivery, subscription: SubscriptionRecord, nowMs: number, signal: AbortSignal): Promise<WebhookResult>
  /** How long to wait after so many failures; undefined: for ever, it failed. */
  wait(failures: number): number | undefined
}

export interface AttemptTimes {
  readonly startMs: number
  readonly endMs: number
}

/** What follows from how an attempt ended (spec 4.5). `longestRetryMs`: of what a target may ask for. */
export function outcomeOf(
  delivery: Delivery,
  result: WebhookResult,
  { startMs, endMs }: AttemptTimes,
  wait: Channel['wait'],
  longestRetryMs: number,
): AttemptOutcome {
  const { status, error, retryAfterMs = 0 } = result
  const number = delivery.attempts + 1
  const answered = { ...(status === undefined ? {} : { status }), ...(error === undefined ? {} : { error }) }
  const attempt = {
    number,
    at: Math.floor(startMs / 1000),
    durationMs: endMs - startMs,
    ...answered,
    cause: delivery.manual ? ('manual' as const) : ('schedule' as const),
  }
  const common = { attempt, ...answered }
  if (error === undefined) return { ...common, state: 'DELIVERED', deliveredAt: Math.floor(endMs / 1000) }
  const scheduled = error === 'GONE' ? undefined : wait(number - delivery.earlierAttempts)
  if (scheduled === undefined) return { ...common, state: 'FAILED' }
  const nextAttemptAt = endMs + Math.max(scheduled, Math.min(retryAfterMs, longestRetryMs))
  return { ...common, state: 'PENDING', nextAttemptAt }
}
