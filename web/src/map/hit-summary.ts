import type { Domain } from './colour-scale.ts'

type Properties = Readonly<Record<string, unknown>>

/** What is known of the documents that are drawn. */
export interface HitSummary {
  /** Whether no tile has left any out. */
  readonly isWhole: boolean
  /** Of the values they are coloured by; absent when they have none. */
  readonly domain?: Domain
}

/** `tiles`: what the tiles say of themselves, in their layer `meta`. */
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
