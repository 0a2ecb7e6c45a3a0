import type { Delivery, DeliveryChannel } from '../record/delivery-record.ts'
import type { AttemptOutcome } from '../record/delivery-store.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { WebhookResult } from './webhook-attempt.ts'

/** A transport for notifications. */
export interface Channel {
  readonly name: DeliveryChannel
  /** Key of the queue a callback belongs to. */
  hostOf(callback: string): string
  /** True if the target consents to a call now. Asks for consent if it was never asked. */
  mayCall?(callback: string, nowMs: number): boolean
  /** Called when a call starts, in the same tick in which `mayCall` allowed it. */
  called?(callback: string, nowMs: number): void
  /** Makes one attempt. Rejects only if it was cancelled or a store is unavailable. */
  send(delivery: Delivery, subscription: SubscriptionRecord, nowMs: number, signal: AbortSignal): Promise<WebhookResult>
  /** Returns the milliseconds to wait after this number of failures, undefined if the delivery has failed for good. */
  wait(failures: number): number | undefined
}

interface AttemptTimes {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Derives the outcome of an attempt from its result (spec 4.5). `longestRetryMs` limits the Retry-After of a target.
 */
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
