import { sampleOf } from './class-breaks.ts'

type Properties = Readonly<Record<string, unknown>>

/** Summary of the drawn documents. */
export interface HitSummary {
  /** True if no tile left documents out. */
  readonly isWhole: boolean
  /** Sorted values used for colouring, a sample if there are many. */
  readonly values: readonly number[]
}

/** Maximum values of a summary. */
export const MOST_VALUES = 4_000

/** `tiles`: properties of the `meta` layer of each tile. */
export function summariseHits(
  hits: readonly Properties[],
  tiles: readonly Properties[],
  property: string | undefined,
): HitSummary {
  const isWhole = tiles.every(({ truncated }) => truncated !== true)
  if (property === undefined) return { isWhole, values: [] }
  // a document is in several tiles, and has a feature for each part
  const found = new Map<unknown, number>()
  for (const [i, hit] of hits.entries()) {
    const value = hit[property]
    if (typeof value === 'number') found.set(hit.id ?? i, value)
  }
  return {
    isWhole,
    values: sampleOf(
      [...found.values()].sort((a, b) => a - b),
      MOST_VALUES,
    ),
  }
}

export const isSameHits = (a: HitSummary | undefined, b: HitSummary): boolean =>
  a?.isWhole === b.isWhole && a.values.length === b.values.length && a.values.every((value, i) => value === b.values[i])
