import type { Bounds } from '../filters/triplet.ts'

const SHORTEST = 10_000

/** Returns the full range of the timeline, extended to the start of the first bar and the end of the last. */
export function stepsOf(time: Bounds, bars: readonly Bounds[]): Bounds {
  const [first, last] = [bars[0], bars.at(-1)]
  return {
    from: Math.min(time.from, first?.from ?? time.from),
    to: Math.max(time.to, last?.to ?? time.to),
  }
}

/** Zooms a span around a fixed time; undefined if it covers the full range. */
export function zoomSpan(span: Bounds, factor: number, at: number, time: Bounds): Bounds | undefined {
  const length = Math.max(SHORTEST, (span.to - span.from) * factor)
  if (length >= time.to - time.from) return undefined
  const from = at - (at - span.from) * (length / (span.to - span.from))
  const start = Math.round(Math.max(time.from, Math.min(time.to - length, from)))
  return { from: start, to: Math.round(start + length) }
}
