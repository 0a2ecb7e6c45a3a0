import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import { cellGrid, cellsAround, placeOfCell } from '../../../geo/grid/cell-grid.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import type { DateInterval, GridGrouping, Grouping, TermGrouping } from '../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { cellBox } from '../condition/cell-query.ts'
import { lucenePattern } from '../condition/lucene-pattern.ts'
import { readTerm, writeTerm } from '../condition/term-value.ts'

/** Requested buckets: by number or by key. */
type Wanted =
  | {
      readonly size: number
      /** Number of candidates per shard. */
      readonly perShard: number
      /** For terms only. */
      readonly order: readonly WireObject[]
    }
  | { readonly keys: readonly BucketKey[]; readonly most: number }

/**
 * Compiles the aggregation of a grouping, without nested ones. Only terms can be requested by key; for grids all cells
 * are returned.
 */
export function compileGrouping(grouping: Grouping, wanted: Wanted): WireObject {
  const { field } = grouping
  switch (grouping.kind) {
    case 'term':
      return { terms: compileTerms(grouping, wanted) }
    case 'histogram':
      return { histogram: { field: field.path, interval: grouping.interval, min_doc_count: 1 } }
    case 'datehistogram':
      return { date_histogram: { field: field.path, ...compileInterval(grouping.interval), min_doc_count: 1 } }
    default:
      return { [`${grouping.kind}_grid`]: compileGrid(grouping, wanted) }
  }
}

function compileTerms({ field: { path, type }, include }: TermGrouping, wanted: Wanted): WireObject {
  const rest = { field: path, ...(type === 'DATE' ? { format: 'epoch_millis' } : {}) }
  if ('keys' in wanted) {
    const include = wanted.keys.map((key) => writeTerm(key as Scalar, type))
    return { ...rest, include, size: include.length }
  }
  const { size, perShard, order } = wanted
  const asked = { ...rest, size, shard_size: perShard, order }
  if (include === undefined) return asked
  if (include.kind === 'pattern') return { ...asked, include: lucenePattern(include.pattern, 'both-ends') }
  return { ...asked, include: include.values.map((value) => writeTerm(value, type)) }
}

const compileInterval = (interval: DateInterval): WireObject =>
  interval.kind === 'calendar' ? { calendar_interval: interval.unit } : { fixed_interval: `${interval.length}ms` }

function compileGrid({ field, level, scope }: GridGrouping, wanted: Wanted): WireObject {
  const [size, perShard] = 'keys' in wanted ? [wanted.most, wanted.most] : [wanted.size, wanted.perShard]
  const grid = { field: field.path, precision: level, size, shard_size: perShard }
  if (scope === undefined || field.type === 'GEO_SHAPE') return grid
  const { west, south, east, north } = cellBox(scope)
  const bounds = { top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } }
  return { ...grid, bounds }
}

/** Parses the key of a bucket. Returns undefined if the bucket is outside the scope of its grid. */
export type KeyReader = (key: WireJson | undefined) => BucketKey | undefined

export function keyReader(grouping: Grouping): KeyReader {
  switch (grouping.kind) {
    case 'term':
      return (key) => readTerm(key, grouping.field.type)
    case 'histogram':
      return (key) => readStart(key, grouping.interval)
    case 'datehistogram':
      return (key) => Number(key) + 0
    case 'geotile': {
      const isInScope = scopeTest(grouping)
      return (key) => {
        const [, x = 0, y = 0] = String(key).split('/').map(Number)
        return isInScope(x, y) ? { x, y } : undefined
      }
    }
    case 'geohash': {
      const isInScope = scopeTest(grouping)
      return (key) => {
        const hash = String(key)
        const { firstColumn, firstRow } = placeOfCell({ kind: 'geohash', hash }).range
        return isInScope(firstColumn, firstRow) ? hash : undefined
      }
    }
    case 'geohex':
      return (key) => String(key)
  }
}

function readStart(key: WireJson | undefined, interval: number): number {
  const start = Number(key) + 0
  if (Number.isFinite(start)) return start
  const reason = 'must be larger: bucket numbers would exceed the integer range'
  throw problem('LIMIT_EXCEEDED', { parameter: 'interval', value: interval, reason, setting: 'limits.buckets' })
}

function scopeTest({ kind, level, scope }: GridGrouping): (column: number, row: number) => boolean {
  if (scope === undefined || kind === 'geohex') return () => true
  const range = cellsAround(cellGrid(kind, level), scope)
  return (column, row) =>
    column >= range.firstColumn && column <= range.lastColumn && row >= range.firstRow && row <= range.lastRow
}
