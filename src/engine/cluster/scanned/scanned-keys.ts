import { problem } from '../../../errors.ts'
import { geohashOf } from '../../../geo/geohash.ts'
import { type Cell, pointInCell } from '../../../geo/grid/cell.ts'
import { cellGrid, cellsAround, type GridKind, geohashSize } from '../../../geo/grid/cell-grid.ts'
import { h3CellOf } from '../../../geo/grid/h3-cell.ts'
import { type GridPlace, shapeCells } from '../../../geo/grid/shape-cells.ts'
import { tileOf } from '../../../geo/grid/tile.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import { type BucketLimits, checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import { calendarDay, DAY_MS, dayNumber, weekday } from '../../../query/date/calendar.ts'
import { patternMatcher } from '../../../query/pattern/keyword-pattern-matcher.ts'
import type {
  DateInterval,
  GridGrouping,
  Grouping,
  HistogramGrouping,
  TermGrouping,
} from '../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { storedLatitude, storedLongitude } from '../condition/geo-quantum.ts'
import type { ScannedDocuments } from './scanned-document.ts'

/** Returns the keys of a document, given by row number, for a grouping. May contain duplicates. */
export type KeysOf = (document: number) => readonly BucketKey[]

const NONE: readonly never[] = []

export function scannedKeys(grouping: Grouping, documents: ScannedDocuments, limits: BucketLimits): KeysOf {
  switch (grouping.kind) {
    case 'term':
      return termKeys(grouping, documents)
    case 'histogram':
      return valueKeys(grouping, documents, histogramKey(grouping))
    case 'datehistogram':
      return valueKeys(grouping, documents, dateKey(grouping.interval))
    default:
      return gridKeys(grouping, documents, limits)
  }
}

function termKeys({ field, include }: TermGrouping, documents: ScannedDocuments): KeysOf {
  const column = documents.scalars(field)
  if (include === undefined) return (document) => column[document] ?? NONE
  const isIncluded = include.kind === 'values' ? valueTest(include.values) : remembered(patternMatcher(include.pattern))
  return (document) => (column[document] ?? NONE).filter(isIncluded)
}

function valueTest(values: readonly Scalar[]): (value: Scalar) => boolean {
  const included = new Set(values)
  return (value) => included.has(value)
}

/** Caches the results of a test, since documents share terms. */
function remembered(test: (text: string) => boolean): (value: Scalar) => boolean {
  const known = new Map<Scalar, boolean>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const result = test(String(value))
    known.set(value, result)
    return result
  }
}

function valueKeys(
  { field }: Extract<Grouping, { kind: 'histogram' | 'datehistogram' }>,
  documents: ScannedDocuments,
  keyOf: (value: number) => number,
): KeysOf {
  const column = documents.scalars(field)
  return (document) => (column[document] ?? NONE).map((value) => keyOf(Number(value)))
}

function histogramKey({ interval }: HistogramGrouping): (value: number) => number {
  return (value) => {
    // Adding 0 converts -0 to 0.
    const start = Math.floor(value / interval) * interval + 0
    if (Number.isFinite(start)) return start
    const reason = 'must be larger: bucket numbers would exceed the integer range'
    throw problem('LIMIT_EXCEEDED', { parameter: 'interval', value: interval, reason, setting: 'limits.buckets' })
  }
}

const monthsOf = { month: 1, quarter: 3, year: 12 } as const

function dateKey(interval: DateInterval): (instant: number) => number {
  if (interval.kind === 'fixed') return (instant) => Math.floor(instant / interval.length) * interval.length + 0
  const { unit } = interval
  return (instant) => {
    const days = Math.floor(instant / DAY_MS)
    if (unit === 'week') return (days - weekday(days)) * DAY_MS
    const { year, month } = calendarDay(days)
    const months = monthsOf[unit]
    return dayNumber(year, Math.floor((month - 1) / months) * months + 1, 1) * DAY_MS
  }
}

function gridKeys(grouping: GridGrouping, documents: ScannedDocuments, limits: BucketLimits): KeysOf {
  const { kind, field, scope, level } = grouping
  if (field.type === 'GEO_SHAPE' && kind !== 'geohex') return shapeKeys(kind, grouping, documents, limits)
  const column = documents.geometries(field)
  const isCounted = scope && inScope(scope, field)
  const keyOf = pointKey(kind, level)
  return (document) => {
    const places = column[document]?.places ?? NONE
    const counted = isCounted ? places.filter(([lon = 0, lat = 0]) => isCounted(lon, lat)) : places
    return counted.map(([lon = 0, lat = 0]) => keyOf(lon, lat))
  }
}

/**
 * Tests points by their stored coordinates, like the cluster does. Otherwise a point near an edge could be in no tile.
 */
function inScope(scope: Cell, { type }: Field): (lon: number, lat: number) => boolean {
  const isInside = pointInCell(scope)
  return type === 'GEO_POINT' ? (lon, lat) => isInside(storedLongitude(lon), storedLatitude(lat)) : isInside
}

function pointKey(kind: GridGrouping['kind'], level: number): (lon: number, lat: number) => BucketKey {
  switch (kind) {
    case 'geotile':
      return (lon, lat) => tileOf(lon, lat, level)
    case 'geohash':
      return (lon, lat) => geohashOf(lon, lat, level)
    case 'geohex':
      return (lon, lat) => h3CellOf(lon, lat, level)
  }
}

function shapeKeys(
  kind: GridKind,
  { field, level, scope }: GridGrouping,
  documents: ScannedDocuments,
  limits: BucketLimits,
): KeysOf {
  const column = documents.geometries(field)
  const grid = cellGrid(kind, level)
  const range = scope && cellsAround(grid, scope)
  const keyOf: (place: GridPlace) => BucketKey =
    kind === 'geotile' ? ({ column: x, row: y }) => ({ x, y }) : hashOfPlace(level)
  return (document) => {
    const shape = column[document]?.shape
    if (shape === undefined) return NONE
    const cells = shapeCells(shape, grid, limits.buckets, range)
    if (cells === undefined) checkBucketCount(limits.buckets + 1, limits)
    return (cells ?? NONE).map(keyOf)
  }
}

/** Returns the hash of the cell center; both coordinates are exact. */
function hashOfPlace(length: number): (place: GridPlace) => string {
  const { columns, rows } = geohashSize(length)
  return ({ column, row }) => geohashOf(((column + 0.5) / columns) * 360 - 180, ((row + 0.5) / rows) * 180 - 90, length)
}
