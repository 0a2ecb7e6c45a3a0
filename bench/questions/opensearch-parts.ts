import type { Draw, SearchBody, Tile } from './question.ts'
import { boxOf } from './question-parts.ts'

/** Counts all matches and returns none. */
export const counted = { size: 0, track_total_hits: true }

/** More than any grid has; the default of some aggregations would drop buckets. */
const MOST_BUCKETS = 65_535

export const filtered = (...filter: readonly object[]): SearchBody => ({ query: { bool: { filter } } })

export const inTimeRange = ({ range }: Draw): object => ({ range: { seen: { gte: range.from, lte: range.to } } })

export const ofKind = ({ kind }: Draw): object => ({ term: { kind } })

export const ofOwner = ({ owner }: Draw): object => ({ term: { owner } })

export const newest = (size: number, counts = true): SearchBody => ({
  size,
  track_total_hits: counts,
  sort: [{ seen: 'desc' }, { id: 'asc' }],
})

export const inTile = ({ tile }: Draw): object => ({ geo_bounding_box: { location: cornersOf(tile) } })

function cornersOf({ z, x, y }: Tile): object {
  const n = 2 ** z
  const lon = (column: number): number => (column / n) * 360 - 180
  const lat = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / n))) * 180) / Math.PI
  return { top_left: { lon: lon(x), lat: lat(y) }, bottom_right: { lon: lon(x + 1), lat: lat(y + 1) } }
}

export const inBox = (d: Draw): object => {
  const { west, south, east, north } = boxOf(d)
  return { geo_bounding_box: { location: { top_left: [west, north], bottom_right: [east, south] } } }
}

export const inRing = ({ ring }: Draw): object => ({ geo_polygon: { location: { points: ring } } })

/** Documents whose area shares a point with a shape. */
export const touching = (shape: object): object => ({ geo_shape: { area: { shape, relation: 'intersects' } } })

/** An aggregation with others below it; `a` is the name that `readOpensearch` looks for. */
export const aggregated = (a: object, ...filter: readonly object[]): SearchBody => ({
  ...counted,
  ...(filter.length === 0 ? {} : filtered(...filter)),
  aggs: { a },
})

export const tiles = (precision: number, below?: object, field = 'location'): object => ({
  geotile_grid: { field, precision, size: MOST_BUCKETS },
  ...(below === undefined ? {} : { aggs: below }),
})

export const geohashes = (precision: number): object => ({
  geohash_grid: { field: 'location', precision, size: MOST_BUCKETS },
})

export const terms = (field: string, size: number, below?: object): object => ({
  terms: { field, size },
  ...(below === undefined ? {} : { aggs: below }),
})

export const days = { date_histogram: { field: 'seen', fixed_interval: '1d' } }

export const months = { date_histogram: { field: 'seen', calendar_interval: 'month' } }

export const average = (field: string): object => ({ avg: { field } })

/** The newest document of a bucket, reduced to some fields. */
export const newestOf = (...fields: readonly string[]): object => ({
  top_hits: { size: 1, sort: [{ seen: 'desc' }, { id: 'asc' }], _source: fields },
})
