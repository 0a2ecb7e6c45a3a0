import type { Domain } from './colour-scale.ts'

type Properties = Readonly<Record<string, unknown>>

/** Summary of the drawn documents. */
export interface HitSummary {
  /** True if no tile left documents out. */
  readonly isWhole: boolean
  /** Range of the values used for colouring; absent if none. */
  readonly domain?: Domain
}

/** `tiles`: properties of the `meta` layer of each tile. */
export function summariseHits(
  hits: readonly Properties[],
  tiles: readonly Properties[],
  property: string | undefined,
): HitSummary {
  const isWhole = tiles.every(({ truncated }) => truncated !== true)
  if (property === undefined) return { isWhole }
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const hit of hits) {
    const value = hit[property]
    if (typeof value !== 'number') continue
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return { isWhole, ...(min <= max ? { domain: { min, max } } : {}) }
}

export const isSameHits = (a: HitSummary | undefined, b: HitSummary): boolean =>
  a?.isWhole === b.isWhole && a.domain?.min === b.domain?.min && a.domain?.max === b.domain?.max
