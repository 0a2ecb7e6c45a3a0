import type { Bounds } from '../filters/triplet.ts'

const SHORTEST = 10_000

/** From the start of the first bar to the end of the last: what a timeline shows of all time. */
export function stepsOf(time: Bounds, bars: readonly Bounds[]): Bounds {
  const [first, last] = [bars[0], bars.at(-1)]
  return {
    from: Math.min(time.from, first?.from ?? time.from),
    to: Math.max(time.to, last?.to ?? time.to),
  }
}

/** A longer or shorter span around a moment that stays where it is; undefined when that is all of time. */
export function zoomSpan(span: Bounds, factor: number, at: number, time: Bounds): Bounds | undefined {
  const length = Math.max(SHORTEST, (span.to - span.from) * factor)
  if (length >= time.to - time.from) return undefined
  const from = at - (at - span.from) * (length / (span.to - span.from))
  const start = Math.round(Math.max(time.from, Math.min(time.to - length, from)))
  return { from: start, to: Math.round(start + length) }
}
