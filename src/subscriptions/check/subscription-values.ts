import { problem } from '../../errors.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { type ExactInteger, toBigInt } from '../../model/json/exact-integer.ts'
import type { SubscriptionContent } from '../record/subscription-record.ts'

const KiB = 1024
const MOST_METADATA_BYTES = 16 * KiB
const MOST_TRIGGER_BYTES = 512 * KiB
const CALLBACK = 'subscription.callback'

/** Validates lengths and ranges of a subscription (spec 2.1). Throws INVALID_SUBSCRIPTION. */
export function checkSubscriptionValues(content: SubscriptionContent): void {
  const { created_by, title, starts_at, expires_at, subscription, userMetadatas } = content
  checkLength('created_by', created_by, 256)
  checkLength('title', title, 1_000)
  checkLength(CALLBACK, subscription.callback, 2_048)
  checkTime('starts_at', starts_at)
  checkTime('expires_at', expires_at)
  if (toBigInt(expires_at) <= toBigInt(starts_at)) {
    const reason = `must be later than starts_at ${toBigInt(starts_at)}`
    throw problem('INVALID_SUBSCRIPTION', { parameter: 'expires_at', reason, value: String(toBigInt(expires_at)) })
  }
  checkBytes('subscription.trigger', subscription.trigger, MOST_TRIGGER_BYTES)
  checkBytes('userMetadatas', userMetadatas, MOST_METADATA_BYTES)
}

function checkLength(parameter: string, text: string, most: number): void {
  // Counts code points. Skips the count for texts too long in any case: n code units are at least n / 2 code points.
  const length = text.length > 2 * most ? text.length : [...text].length
  if (length >= 1 && length <= most) return
  const reason = `must have 1 to ${most} characters, but has ${length}`
  // A callback may contain a password.
  const isShown = text === '' || parameter !== CALLBACK
  throw problem('INVALID_SUBSCRIPTION', { parameter, reason, ...(isShown ? { value: text } : {}) })
}

/** Beyond 2^53 only plain digits are exact: 9.007199254740993e15 is read as another number. */
function checkTime(parameter: string, seconds: number | ExactInteger): void {
  const isExact = typeof seconds !== 'number' || Number.isSafeInteger(seconds)
  if (isExact && toBigInt(seconds) >= 0n && toBigInt(seconds) < 2n ** 63n) return
  const reason = 'must be seconds since 1970, an integer from 0 to 9223372036854775807 written in digits'
  throw problem('INVALID_SUBSCRIPTION', { parameter, reason, value: String(toBigInt(seconds)) })
}

function checkBytes(parameter: string, object: JsonObject, most: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(object))
  if (bytes <= most) return
  const reason = `must have at most ${most} bytes as JSON, but has ${bytes}`
  throw problem('INVALID_SUBSCRIPTION', { parameter, reason })
}
