import { randomBytes } from 'node:crypto'
import type { SubscriptionSecret } from '../record/secret-store.ts'

const PREFIX = 'whsec_'
const NEW_BYTES = 32
const LEAST_BYTES = 24
const MOST_BYTES = 64
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** How long a former secret keeps signing, in seconds: by default, and at most. */
export const DEFAULT_OVERLAP = 86_400
export const LONGEST_OVERLAP = 604_800

/** The secret of a new subscription; nobody has seen it. Times in seconds. */
export const firstSecret = (nowS: number): SubscriptionSecret => ({
  secret: `${PREFIX}${randomBytes(NEW_BYTES).toString('base64')}`,
  createdAt: nowS,
  shown: false,
})

/** The bytes that sign; undefined when it is no secret of 24 to 64 bytes. */
export function secretKey(secret: string): Buffer | undefined {
  const encoded = secret.slice(PREFIX.length)
  if (!secret.startsWith(PREFIX) || !BASE64.test(encoded)) return undefined
  const key = Buffer.from(encoded, 'base64')
  return key.length >= LEAST_BYTES && key.length <= MOST_BYTES ? key : undefined
}

export interface Rotation {
  /** One the owner brought along; else a new one is made. */
  readonly secret?: string
  /** s */
  readonly overlap: number
  readonly nowS: number
}

/**
 * The secret that follows, shown from now on. The former one signs along for the overlap, unless nobody has ever seen
 * it; one before that is dropped.
 */
export function rotateSecret(current: SubscriptionSecret | undefined, rotation: Rotation): SubscriptionSecret {
  const { secret = firstSecret(rotation.nowS).secret, overlap, nowS } = rotation
  const next = { secret, createdAt: nowS, shown: true }
  if (current === undefined || !current.shown || overlap === 0) return next
  return { ...next, previous: { secret: current.secret, expiresAt: nowS + overlap } }
}

/** Secrets that sign now: the current one, then the former. */
export function signingSecrets({ secret, previous }: SubscriptionSecret, nowS: number): readonly string[] {
  return previous !== undefined && previous.expiresAt > nowS ? [secret, previous.secret] : [secret]
}
