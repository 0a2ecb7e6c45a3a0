import type { Aggregated } from '../api/answers.ts'
import { explorePath } from '../api/explore-path.ts'
import type { Bounds } from '../filters/triplet.ts'
import type { Explored } from './explored.ts'

/** Ranges of the whole collection; fetched once, so that axes do not change with the filters. */
export interface Overview {
  readonly time?: Bounds
  readonly numbers: ReadonlyMap<string, Bounds>
  /** Number of distinct values per keyword. */
  readonly distinct: ReadonlyMap<string, number>
}

const MOST_NUMBERS = 10
const MOST_KEYWORDS = 10

export interface OverviewPlan {
  readonly path: string
  readonly numbers: readonly string[]
  readonly keywords: readonly string[]
}

/**
 * Plans one request for everything: an aggregation with metrics of every field, merged here. It is by year, or of the
 * whole world if no document has a time.
 */
export function planOverview(
  { paths, collection }: Explored,
  candidates: { readonly numbers: readonly string[]; readonly keywords: readonly string[] },
  isTimeless: boolean,
): OverviewPlan {
  const numbers = [...new Set(candidates.numbers)].slice(0, MOST_NUMBERS)
  const keywords = [...new Set(candidates.keywords)].slice(0, MOST_KEYWORDS)
  const figures = [paths.time, ...numbers].flatMap((path) => [
    `collect_field-${path}:collect_fct-min`,
    `collect_field-${path}:collect_fct-max`,
  ])
  const agg = [
    isTimeless ? `geotile:${paths.centroid}:interval-0` : 'datehistogram:interval-1year',
    ...figures,
    ...keywords.map((path) => `collect_field-${path}:collect_fct-cardinality`),
  ]
  return { path: explorePath(collection, '_aggregate', [['agg', agg.join(':')]]), numbers, keywords }
}

/** Merges the buckets: minimum of minima, maximum of maxima. */
export function readOverview(
  { numbers, keywords }: OverviewPlan,
  time: string,
  { elements = [] }: Aggregated,
): Overview {
  const column = (at: number): readonly number[] =>
    elements.flatMap(({ metrics }) => {
      const value = metrics?.[at]?.value
      return typeof value === 'number' ? [value] : []
    })
  const bounds = (at: number): Bounds | undefined => {
    const [least, most] = [column(at), column(at + 1)]
    return least.length === 0 || most.length === 0 ? undefined : { from: Math.min(...least), to: Math.max(...most) }
  }
  const found = [time, ...numbers].map((path, i) => [path, bounds(2 * i)] as const)
  const offset = 2 * (numbers.length + 1)
  const times = found[0]?.[1]
  return {
    ...(times === undefined ? {} : { time: times }),
    numbers: new Map(found.slice(1).flatMap(([path, one]) => (one === undefined ? [] : [[path, one] as const]))),
    distinct: new Map(keywords.map((path, i) => [path, Math.max(0, ...column(offset + i))] as const)),
  }
}
