import { Type } from 'typebox'
import { type EgressAnswer, type EgressClient, EgressTimeout } from '../../access/egress/egress-client.ts'
import { EgressDenied, NameNotResolved } from '../../access/egress/egress-denied.ts'
import { parseStored } from '../../model/json/stored-json.ts'
import type { Delivery, DeliveryError } from '../record/delivery-record.ts'
import { readRetryAfter } from './delivery-schedule.ts'
import type { HostSign } from './host-lines.ts'
import { signWebhook } from './webhook-signature.ts'

interface WebhookCall {
  readonly callback: string
  readonly delivery: Pick<Delivery, 'id' | 'payload' | 'type' | 'collection'>
  /** One signature is made with each, the current secret first. */
  readonly secrets: readonly string[]
  /** Milliseconds. Start of this attempt. */
  readonly nowMs: number
  readonly signal?: AbortSignal
}

export interface WebhookOptions {
  readonly client: EgressClient
  readonly version: string
  readonly timeoutMs: number
  /** Public URL of this server, for CloudEvents headers. Undefined: the headers are not sent. */
  readonly cloudEvents?: () => string
}

/** Result of an attempt. Delivered if `error` is absent. */
export interface WebhookResult {
  readonly status?: number
  readonly error?: DeliveryError
  /** Milliseconds requested by the target, counted from the end of the attempt. */
  readonly retryAfterMs?: number
}

/** Sends a notification once. Rejects only if it was cancelled. */
export async function attemptWebhook(call: WebhookCall, options: WebhookOptions): Promise<WebhookResult> {
  const { callback, delivery, signal } = call
  const headers = webhookHeaders(call, options)
  try {
    const answer = await options.client.request({
      url: callback,
      method: 'POST',
      headers,
      body: delivery.payload,
      timeoutMs: options.timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    })
    return judge(answer, call.nowMs)
  } catch (error) {
    if (signal?.aborted === true) throw error
    return { error: faultOf(error) }
  }
}

function webhookHeaders(call: WebhookCall, { version, cloudEvents }: WebhookOptions): Record<string, string> {
  const { delivery, secrets, nowMs } = call
  const { id, payload, type, collection } = delivery
  const timestamp = Math.floor(nowMs / 1000)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(secrets, id, timestamp, payload),
    'content-type': 'application/json',
    'user-agent': `Periplus/${version}`,
  }
  if (cloudEvents === undefined) return headers
  const source = collection === '' ? cloudEvents() : `${cloudEvents()}/collections/${encodeURIComponent(collection)}`
  return {
    ...headers,
    'ce-specversion': '1.0',
    'ce-id': id,
    'ce-type': `org.periplus.${type}`,
    'ce-source': source,
    'ce-time': timeOf(payload),
  }
}

const Payload = Type.Object({ timestamp: Type.String() })

/** Returns the `timestamp` of a notification. */
const timeOf = (payload: string): string => parseStored(Payload, payload, 'notification').timestamp

function judge({ status, headers }: EgressAnswer, nowMs: number): WebhookResult {
  if (status >= 200 && status < 300) return { status }
  if (status === 410) return { status, error: 'GONE' }
  const retryAfter = headers['retry-after']
  const retryAfterMs = readRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, nowMs)
  return {
    status,
    error: status >= 300 && status < 400 ? 'REDIRECT' : 'HTTP_STATUS',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

const TLS_FAULT = /^(?:ERR_(?:TLS|SSL)_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO$|ERR_OSSL)/
const LATE = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

function faultOf(error: unknown): DeliveryError {
  if (error instanceof EgressDenied) return 'EGRESS_DENIED'
  if (error instanceof NameNotResolved) return 'DNS'
  if (error instanceof EgressTimeout) return 'TIMEOUT'
  const codes = codesOf(error)
  if (codes.some((code) => LATE.has(code))) return 'TIMEOUT'
  return codes.some((code) => TLS_FAULT.test(code)) ? 'TLS' : 'CONNECT'
}

/** Returns the codes of an error and its causes. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  return [...code, ...codesOf(error.cause)]
}

const OVERLOAD: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504])

/** Returns what a result indicates about the host. */
export function hostSign({ status, error }: WebhookResult): HostSign {
  if (error === undefined) return 'success'
  return OVERLOAD.has(status) ? 'overload' : 'neither'
}
