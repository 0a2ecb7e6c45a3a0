import { setTimeout as delay } from 'node:timers/promises'
import type { BaseOptions } from '@platformatic/kafka'

const CONNECTED_WITHIN_MS = 3_000
const ANSWERED_WITHIN_MS = 4_000
const CLOSED_WITHIN_MS = 5_000

/** Connection options shared by all Kafka clients: short timeouts and no hidden retries. */
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

/** Closes a client that is no longer used. Ignores errors, and does not wait for a broker that hangs. */
export async function closeClient(close: () => Promise<void>): Promise<void> {
  const patience = new AbortController()
  const late = delay(CLOSED_WITHIN_MS, undefined, { signal: patience.signal, ref: false })
  await Promise.race([close(), late]).catch(() => undefined)
  patience.abort()
  await late.catch(() => undefined)
}

/** Returns the message of the innermost cause, since the client nests errors. */
export function kafkaReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return kafkaReason(error.errors.at(-1))
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : kafkaReason(error.cause)
}
