import { problem } from '../../errors.ts'
import { DEFAULT_OVERLAP, firstSecret, LONGEST_OVERLAP, rotateSecret, secretKey } from '../delivery/webhook-secret.ts'
import type { SecretStore, SubscriptionSecret } from '../record/secret-store.ts'

/** Body of `POST .../secret`. */
interface SecretRequest {
  readonly secret?: string
  readonly overlap: number
}

const KEYS = new Set(['secret', 'overlap'])

/** Parses the body. Messages never contain its values. */
export function readSecretRequest(body: unknown): SecretRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be an object' })
  }
  const unknown = Object.keys(body).find((key) => !KEYS.has(key))
  if (unknown !== undefined) throw problem('INVALID_BODY', { parameter: unknown, reason: 'is not a known key' })
  const { secret, overlap } = body as { readonly secret?: unknown; readonly overlap?: unknown }
  return { ...readSecret(secret), overlap: readOverlap(overlap) }
}

function readSecret(secret: unknown): { readonly secret?: string } {
  if (secret === undefined || secret === null) return {}
  if (typeof secret !== 'string') throw problem('INVALID_BODY', { parameter: 'secret', reason: 'must be a string' })
  if (secretKey(secret) !== undefined) return { secret }
  throw problem('INVALID_PARAMETER', {
    parameter: 'secret',
    reason: 'must be whsec_ followed by 24 to 64 bytes in base64',
  })
}

function readOverlap(overlap: unknown): number {
  if (overlap === undefined || overlap === null) return DEFAULT_OVERLAP
  if (typeof overlap !== 'number' || !Number.isInteger(overlap)) {
    throw problem('INVALID_BODY', { parameter: 'overlap', reason: 'must be an integer' })
  }
  if (overlap >= 0 && overlap <= LONGEST_OVERLAP) return overlap
  throw problem('INVALID_PARAMETER', { parameter: 'overlap', reason: `must be from 0 to ${LONGEST_OVERLAP} seconds` })
}

/** Generates a secret, or takes the given one. Only this response contains it. */
export async function renewSecret(
  secrets: SecretStore,
  subscriptionId: string,
  request: SecretRequest,
  nowS: number,
): Promise<Readonly<Record<string, unknown>>> {
  const next = rotateSecret(await secrets.get(subscriptionId), { ...request, nowS })
  await secrets.put(subscriptionId, next)
  return { secret: next.secret, created_at: next.createdAt, ...previousOf(next, nowS) }
}

/** Describes a secret without revealing it. */
export async function describeSecret(
  secrets: SecretStore,
  subscriptionId: string,
  nowS: number,
): Promise<Readonly<Record<string, unknown>>> {
  let known = await secrets.get(subscriptionId)
  if (known === undefined) {
    known = firstSecret(nowS)
    await secrets.put(subscriptionId, known)
  }
  const { secret, createdAt, shown } = known
  return { created_at: createdAt, shown, hint: secret.slice(-4), ...previousOf(known, nowS) }
}

const previousOf = ({ previous }: SubscriptionSecret, nowS: number) =>
  previous === undefined || previous.expiresAt <= nowS ? {} : { previous_expires_at: previous.expiresAt }
