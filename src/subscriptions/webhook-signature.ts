import { createHmac } from 'node:crypto'
import { secretKey } from './webhook-secret.ts'

/** `webhook-signature` of Standard Webhooks 1.0: one signature per secret, separated by blanks (spec 4.3). */
export function signWebhook(secrets: readonly string[], id: string, timestampS: number, body: string): string {
  return secrets.map((secret) => `v1,${signature(secret, `${id}.${timestampS}.${body}`)}`).join(' ')
}

function signature(secret: string, text: string): string {
  const key = secretKey(secret)
  if (key === undefined) throw new Error('a stored secret cannot be used')
  return createHmac('sha256', key).update(text).digest('base64')
}
