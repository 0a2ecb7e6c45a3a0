import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** Response times of one question. Milliseconds. */
export interface Timing {
  readonly median: number
  /** Half of the times are between `p25` and `p75`: the spread. */
  readonly p25: number
  readonly p75: number
  readonly p95: number
  readonly p99: number
  readonly repetitions: number
}

export function summarise(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): number => quantile(sorted, share)
  return { median: at(0.5), p25: at(0.25), p75: at(0.75), p95: at(0.95), p99: at(0.99), repetitions: sorted.length }
}

/** Interpolates between neighbours, because slow questions are repeated only a few times. */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
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

/** OpenSearch reports the resources of every step of a long task in headers. Bytes. */
const LONGEST_HEADERS = 2 ** 22

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
  if (status >= 300)
    throw new Error(`${sent.method ?? 'GET'} ${url.slice(0, 200)} returned ${status} ${text.slice(0, 500)}`)
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
    const options = { agent, method, headers: wanted, maxHeaderSize: LONGEST_HEADERS }
    const sent = request(url, options, (response) => {
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
