import { setTimeout as delay } from 'node:timers/promises'
import type { BaseOptions } from '@platformatic/kafka'

const CONNECTED_WITHIN_MS = 3_000
const ANSWERED_WITHIN_MS = 4_000
const CLOSED_WITHIN_MS = 5_000

/** How every client of a broker connects: nothing waits for long, nothing is tried again behind the caller's back. */
export function kafkaConnection(brokers: readonly string[]): BaseOptions {
  return {
    clientId: 'periplus',
    bootstrapBrokers: [...brokers],
    connectTimeout: CONNECTED_WITHIN_MS,
    requestTimeout: ANSWERED_WITHIN_MS,
    timeout: ANSWERED_WITHIN_MS,
    retries: 0,
  }
}

/** A client that is of no use any more: how it ends is of no interest, and a broker that hangs must not hold anybody up. */
export async function closeClient(close: () => Promise<void>): Promise<void> {
  const patience = new AbortController()
  const late = delay(CLOSED_WITHIN_MS, undefined, { signal: patience.signal, ref: false })
  await Promise.race([close(), late]).catch(() => undefined)
  patience.abort()
  await late.catch(() => undefined)
}

/** What went wrong, in the words of the innermost cause: the client wraps errors in errors. */
export function kafkaReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return kafkaReason(error.errors.at(-1))
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : kafkaReason(error.cause)
}
