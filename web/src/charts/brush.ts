import type { Bounds } from '../filters/triplet.ts'

/** Current drag: creates a selection, moves it, or moves one of its ends. */
export interface Drag {
  readonly kind: 'new' | 'move' | 'from' | 'to'
  readonly at: number
  readonly before?: Bounds
}

/** `reach`: maximum distance to an end that counts as a hit. */
export function brushFrom(at: number, selection: Bounds | undefined, reach: number): Drag {
  if (selection === undefined) return { kind: 'new', at }
  if (Math.abs(at - selection.from) <= reach) return { kind: 'from', at, before: selection }
  if (Math.abs(at - selection.to) <= reach) return { kind: 'to', at, before: selection }
  return at > selection.from && at < selection.to ? { kind: 'move', at, before: selection } : { kind: 'new', at }
}

const ordered = (a: number, b: number): Bounds => ({ from: Math.min(a, b), to: Math.max(a, b) })

/** Returns the selection during a drag. */
export function moveDrag({ kind, at, before }: Drag, now: number, domain: Bounds): Bounds {
  if (before === undefined || kind === 'new') return ordered(at, now)
  if (kind === 'from') return ordered(now, before.to)
  if (kind === 'to') return ordered(before.from, now)
  const by = Math.max(domain.from - before.from, Math.min(domain.to - before.to, now - at))
  return { from: before.from + by, to: before.to + by }
}

/**
 * Returns the selection after a key press: arrows move it by one bar, with shift they move its end. `none` for other
 * keys.
 */
export function stepBrush(
  key: string,
  shift: boolean,
  selection: Bounds | undefined,
  bars: readonly Bounds[],
  domain: Bounds,
): Bounds | undefined | 'none' {
  const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (key === 'Escape' || key === 'Delete') return selection === undefined ? 'none' : undefined
  const first = bars[0]
  if (first === undefined || (by === 0 && key !== 'Enter')) return 'none'
  if (selection === undefined) return { from: first.from, to: first.to }
  const step = (first.to - first.from) * by
  if (!shift) return moveDrag({ kind: 'move', at: 0, before: selection }, step, domain)
  const to = Math.min(domain.to, selection.to + step)
  return to > selection.from ? { from: selection.from, to } : 'none'
}
