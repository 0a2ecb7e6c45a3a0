import { request } from 'node:http'

/** Times of one question in milliseconds. */
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

export interface Answered {
  readonly ms: number
  readonly text: string
}

/** Sends a request over a kept-alive connection and reads the whole answer. */
export async function timed(url: string, init: RequestInit): Promise<Answered> {
  const started = performance.now()
  const response = await fetch(url, init)
  const text = await response.text()
  const ms = performance.now() - started
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${url} answered ${response.status} ${text.slice(0, 500)}`)
  return { ms, text }
}

/** Writes bulk lines; throws when a document is refused. */
export async function writeBulk(url: string, lines: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const { text } = await timed(url, { method: 'POST', headers, body: new Uint8Array(lines) })
  if (text.slice(0, 200).includes('"errors":true')) throw new Error(`_bulk refused documents: ${text.slice(0, 500)}`)
}

/** Sends a request that may take many minutes, for which `fetch` has no patience. */
export function postAndWait(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`POST ${url} answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length)
