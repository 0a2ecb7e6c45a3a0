/** A part that may be merged with its neighbours. */
export interface MergeCandidate {
  /** Live rows. */
  readonly rows: number
  readonly dead: number
  /** Segments only: tails are sealed first. */
  readonly isSegment: boolean
  /** True if the part must be written again, whatever its size. */
  readonly isEdited: boolean
}

/** Adjacent parts to merge: from index `from` to `to` (excluded). */
export interface Merge {
  readonly from: number
  readonly to: number
}

/** Fewer segments of similar size are left alone while documents arrive, so that each is rewritten rarely. */
const LEAST_WHILE_BUSY = 6

/** A segment with more rows is not merged with others. */
const MOST_ROWS = 2 ** 23

/** Share of dead rows from which a segment is written again. */
const DEAD_SHARE = 0.3
const DEAD_WHILE_BUSY = 0.5
/** Fewer dead rows cost next to nothing. */
const FEW_DEAD = 1_000

/**
 * Returns the next merge, undefined if none is worthwhile. Tiered: a segment is merged with all newer ones once these
 * have as many rows together, so that each document is rewritten a logarithmic number of times. Only neighbours are
 * merged, because a part covers a range of row numbers.
 */
export function nextMerge(parts: readonly MergeCandidate[], isIdle: boolean): Merge | undefined {
  return similarRun(parts, isIdle ? 2 : LEAST_WHILE_BUSY) ?? wornPart(parts, isIdle)
}

function similarRun(parts: readonly MergeCandidate[], least: number): Merge | undefined {
  const end = parts.findLastIndex(({ isSegment }) => isSegment) + 1
  let sum = 0
  let from = end
  for (let i = end - 1; i >= 0; i--) {
    const part = parts[i]
    if (!part?.isSegment) break
    const merged = sum + part.rows
    if (i < end - 1 && part.rows <= sum && merged <= MOST_ROWS) from = i
    sum = merged
  }
  return end - from >= least ? { from, to: end } : undefined
}

function wornPart(parts: readonly MergeCandidate[], isIdle: boolean): Merge | undefined {
  const share = isIdle ? DEAD_SHARE : DEAD_WHILE_BUSY
  const isWorn = ({ rows, dead, isSegment, isEdited }: MergeCandidate): boolean =>
    isSegment && ((isEdited && isIdle) || (dead > FEW_DEAD && dead > (rows + dead) * share))
  const from = parts.findIndex(isWorn)
  return from < 0 ? undefined : { from, to: from + 1 }
}
