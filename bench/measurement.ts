import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** Response times of one question. Milliseconds. */
export interface Timing {
  readonly median: number
  readonly p95: number
  readonly repetitions: number
}

export function summarise(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95), repetitions: sorted.length }
}

interface Answered {
  readonly ms: number
  readonly text: string
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Connections idle for longer are not reused, because the server may be about to close them. Milliseconds. */
const IDLE_MS = 4_000

const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })

/**
 * Sends a request over a kept-alive connection and reads the whole answer, which may take many minutes. The time ends
 * with the last byte, so that decompression by this process does not count.
 */
export async function timed(url: string, sent: Sent): Promise<Answered> {
  const started = performance.now()
  const { status, encoding, bytes } = await exchange(url, sent)
  const ms = performance.now() - started
  const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')
  if (status >= 300) throw new Error(`${sent.method ?? 'GET'} ${url} returned ${status} ${text.slice(0, 500)}`)
  return { ms, text }
}

interface Exchanged {
  readonly status: number
  readonly encoding: string | undefined
  readonly bytes: Buffer
}

function exchange(url: string, { method = 'GET', headers, body = '' }: Sent): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const wanted = { 'accept-encoding': 'gzip', 'content-length': Buffer.byteLength(body), ...headers }
    const sent = request(url, { agent, method, headers: wanted }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, encoding: headers['content-encoding'], bytes: Buffer.concat(parts) })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Writes bulk lines; throws if a document is rejected. */
export async function writeBulk(url: string, lines: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const { text } = await timed(url, { method: 'POST', headers, body: lines })
  if (text.slice(0, 200).includes('"errors":true')) throw new Error(`_bulk rejected documents: ${text.slice(0, 500)}`)
}

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length)
