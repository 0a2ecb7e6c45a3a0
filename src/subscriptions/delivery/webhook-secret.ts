import { randomBytes } from 'node:crypto'
import type { SubscriptionSecret } from '../record/secret-store.ts'

const PREFIX = 'whsec_'
const NEW_BYTES = 32
const LEAST_BYTES = 24
const SECRET_BYTES = 64
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Seconds a former secret keeps signing: default and maximum. */
export const DEFAULT_OVERLAP = 86_400
export const LONGEST_OVERLAP = 604_800

/** Returns the secret of a new subscription, not shown to anyone yet. Times in seconds. */
export const firstSecret = (nowS: number): SubscriptionSecret => ({
  secret: `${PREFIX}${randomBytes(NEW_BYTES).toString('base64')}`,
  createdAt: nowS,
  shown: false,
})

/** Returns the signing key, undefined unless the secret is valid and has 24 to 64 bytes. */
export function secretKey(secret: string): Buffer | undefined {
  const encoded = secret.slice(PREFIX.length)
  if (!secret.startsWith(PREFIX) || !BASE64.test(encoded)) return undefined
  const key = Buffer.from(encoded, 'base64')
  return key.length >= LEAST_BYTES && key.length <= SECRET_BYTES ? key : undefined
}

interface Rotation {
  /** Secret chosen by the owner. Absent: a new one is generated. */
  readonly secret?: string
  /** Seconds. */
  readonly overlap: number
  readonly nowS: number
}

/**
 * Returns the next secret, marked as shown. The current one keeps signing for the overlap, unless it was never shown.
 * An older one is dropped.
 */
export function rotateSecret(current: SubscriptionSecret | undefined, rotation: Rotation): SubscriptionSecret {
  const { secret = firstSecret(rotation.nowS).secret, overlap, nowS } = rotation
  const next = { secret, createdAt: nowS, shown: true }
  if (current === undefined || !current.shown || overlap === 0) return next
  return { ...next, previous: { secret: current.secret, expiresAt: nowS + overlap } }
}

/** Returns the secrets that sign now, the current one first. */
export function signingSecrets({ secret, previous }: SubscriptionSecret, nowS: number): readonly string[] {
  return previous !== undefined && previous.expiresAt > nowS ? [secret, previous.secret] : [secret]
}
