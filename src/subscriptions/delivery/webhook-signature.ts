import { createHmac, timingSafeEqual } from 'node:crypto'
import { secretKey } from './webhook-secret.ts'

/**
 * Returns the `webhook-signature` of Standard Webhooks 1.0: one signature per secret, separated by spaces (spec 4.3).
 */
export function signWebhook(secrets: readonly string[], id: string, timestampS: number, body: string): string {
  return secrets.map((secret) => `v1,${signature(secret, `${id}.${timestampS}.${body}`)}`).join(' ')
}

function signature(secret: string, text: string): string {
  const key = secretKey(secret)
  if (key === undefined) throw new Error('a stored secret is invalid')
  return createHmac('sha256', key).update(text).digest('base64')
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Seconds a message may be older or newer than the clock of the receiver. */
const TOLERANCE_S = 300

/** Verifies a message as a receiver does. */
export function verifyWebhook(secret: string, headers: Headers, body: string, nowS: number): 'right' | 'wrong' | 'old' {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'wrong'
  const expected = Buffer.from(`v1,${signature(secret, `${id}.${timestamp}.${body}`)}`)
  const isRight = signatures.split(' ').some((one) => {
    const given = Buffer.from(one)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isRight) return 'wrong'
  return Math.abs(nowS - Number(timestamp)) <= TOLERANCE_S ? 'right' : 'old'
}
