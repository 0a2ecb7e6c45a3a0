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

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length)
