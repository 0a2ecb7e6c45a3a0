import { geohashOf } from '../../../../geo/geohash.ts'
import { pointInCell } from '../../../../geo/grid/cell.ts'
import { cellGrid } from '../../../../geo/grid/cell-grid.ts'
import { h3CellOf } from '../../../../geo/grid/h3-cell.ts'
import { shapeCells } from '../../../../geo/grid/shape-cells.ts'
import { tileOf } from '../../../../geo/grid/tile.ts'
import { normaliseShape } from '../../../../geo/shape/shape.ts'
import type { JsonObject } from '../../../../model/json/document.ts'
import type { Mapping } from '../../../../model/mapping.ts'
import type { BucketKey, ComparableBucket, MetricValue } from '../../../../query/aggregation/bucket.ts'
import { compareBuckets } from '../../../../query/aggregation/bucket-order.ts'
import {
  type AggregationLevel,
  demandedFields,
  type Grouping,
  type MetricPlan,
  type TopPlan,
} from '../../../../query/plan/aggregation-plan.ts'
import type { Scalar } from '../../../../query/plan/predicate.ts'
import { type Field, isInteger } from '../../../../query/schema/field.ts'
import { compareScalars } from '../../../../query/value/scalar-order.ts'

/*
 * Groups documents one by one, from their values. Longitudes and latitudes of points are `[lon, lat]`, shapes are
 * boxes.
 */

export const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kw: { type: 'keyword' },
    tags: { type: 'keyword' },
    ip: { type: 'ip' },
    n: { type: 'integer' },
    long: { type: 'long' },
    d: { type: 'double' },
    many: { type: 'double' },
    f: { type: 'float' },
    date: { type: 'date' },
    dates: { type: 'date' },
    b: { type: 'boolean' },
    p: { type: 'geo_point' },
    ps: { type: 'geo_point' },
    s: { type: 'geo_shape' },
    none: { type: 'keyword' },
  },
}

const TYPES = {
  id: 'KEYWORD',
  kw: 'KEYWORD',
  tags: 'KEYWORD',
  none: 'KEYWORD',
  ip: 'IP',
  n: 'INTEGER',
  long: 'LONG',
  d: 'DOUBLE',
  many: 'DOUBLE',
  f: 'FLOAT',
  date: 'DATE',
  dates: 'DATE',
  b: 'BOOLEAN',
  p: 'GEO_POINT',
  ps: 'GEO_POINT',
  s: 'GEO_SHAPE',
} as const

export type FieldName = keyof typeof TYPES

export const fieldOf = (path: FieldName): Field => ({ path, type: TYPES[path], indexed: true, nested: false })

export type Point = readonly [number, number]
/** West, south, east, north. */
export type ShapeBox = readonly [number, number, number, number]

/** Values by field; `ip` in its canonical form. */
export type TestDocument = { readonly [name in FieldName]?: readonly (string | number | boolean | Point | ShapeBox)[] }

/** The document as it is loaded. */
export function sourceOf(document: TestDocument): JsonObject {
  const source: Record<string, unknown> = {}
  for (const [name, values] of Object.entries(document)) {
    if (values.length === 0) continue
    const json = values.map((value) => {
      if (name === 'ip')
        return [8, 10, 12, 14]
          .map((at) =>
            Number.parseInt(
              String(value)
                .slice(16 + at)
                .slice(0, 2),
              16,
            ),
          )
          .join('.')
      if (name === 's') return { type: 'Polygon', coordinates: [ringOf(value as ShapeBox)] }
      return Array.isArray(value) ? { lon: value[0], lat: value[1] } : value
    })
    source[name] = json.length === 1 ? json[0] : json
  }
  return source as JsonObject
}

const ringOf = ([west, south, east, north]: ShapeBox): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

const valuesOf = (document: TestDocument, { path }: Field): readonly unknown[] => document[path as FieldName] ?? []

const DAY = 86_400_000

export function keysOf(grouping: Grouping, document: TestDocument): BucketKey[] {
  const values = valuesOf(document, grouping.field)
  switch (grouping.kind) {
    case 'term': {
      const scalars = values.map((value): Scalar => {
        if (isInteger(grouping.field.type)) return BigInt(value as number)
        return typeof value === 'number' ? value + 0 : (value as Scalar)
      })
      const { include } = grouping
      if (include?.kind !== 'values') return scalars
      return scalars.filter((value) => include.values.includes(value))
    }
    case 'histogram':
      return (values as number[]).map((v) => Math.floor(v / grouping.interval) * grouping.interval + 0)
    case 'datehistogram': {
      const { interval } = grouping
      return (values as number[]).map((ms) => {
        if (interval.kind === 'fixed') return Math.floor(ms / interval.length) * interval.length
        const date = new Date(ms)
        const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
        if (interval.unit === 'week') {
          const day = Math.floor(ms / DAY)
          return (day - ((((day + 3) % 7) + 7) % 7)) * DAY
        }
        return Date.UTC(year, interval.unit === 'year' ? 0 : interval.unit === 'quarter' ? month - (month % 3) : month)
      })
    }
    default: {
      const { kind, level, scope } = grouping
      if (grouping.field.type === 'GEO_SHAPE' && kind !== 'geohex') {
        return (values as ShapeBox[]).slice(0, 1).flatMap((box) => {
          const shape = normaliseShape({ type: 'Polygon', coordinates: [ringOf(box)] })
          const cells = shape ? (shapeCells(shape, cellGrid(kind, level), 100_000) ?? []) : []
          return cells.map(({ column, row }): BucketKey => {
            if (kind === 'geotile') return { x: column, y: row }
            const [columns, rows] = [2 ** Math.ceil((5 * level) / 2), 2 ** Math.floor((5 * level) / 2)]
            return geohashOf(((column + 0.5) / columns) * 360 - 180, ((row + 0.5) / rows) * 180 - 90, level)
          })
        })
      }
      const isInside = scope ? pointInCell(scope) : () => true
      const points =
        grouping.field.type === 'GEO_SHAPE' ? (values as ShapeBox[]).slice(0, 1).map(middleOf) : (values as Point[])
      return points
        .filter(([lon, lat]) => isInside(lon, lat))
        .map(([lon, lat]) => {
          if (kind === 'geotile') return tileOf(lon, lat, level)
          return kind === 'geohash' ? geohashOf(lon, lat, level) : h3CellOf(lon, lat, level)
        })
    }
  }
}

const middleOf = ([west, south, east, north]: ShapeBox): Point => [(west + east) / 2, (south + north) / 2]

export function expectedMetric({ kind, field }: MetricPlan, documents: readonly TestDocument[]): MetricValue {
  const all = documents.flatMap((document) => valuesOf(document, field))
  if (kind === 'cardinality') return new Set(all.map((v) => (v === 0 ? 0 : v))).size
  if (kind === 'bounds' || kind === 'centroid') {
    const boxes = all.map((v) =>
      field.type === 'GEO_SHAPE' ? (v as ShapeBox) : ([...(v as Point), ...(v as Point)] as const),
    )
    if (boxes.length === 0) return null
    if (kind === 'centroid') {
      const mean = (of: (p: Point) => number): number =>
        boxes.reduce((s, b) => s + of(middleOf(b as ShapeBox)), 0) / boxes.length
      return [mean(([lon]) => lon), mean(([, lat]) => lat)]
    }
    return {
      west: Math.min(...boxes.map((b) => b[0] ?? 0)),
      south: Math.min(...boxes.map((b) => b[1] ?? 0)),
      east: Math.max(...boxes.map((b) => b[2] ?? 0)),
      north: Math.max(...boxes.map((b) => b[3] ?? 0)),
    }
  }
  const numbers = all.map(Number)
  const sum = numbers.reduce((a, b) => a + b, 0)
  if (kind === 'sum') return sum
  if (numbers.length === 0) return null
  if (kind === 'avg') return sum / numbers.length
  return (kind === 'min' ? Math.min(...numbers) : Math.max(...numbers)) + 0
}

export interface Numbered {
  readonly document: TestDocument
  readonly seq: number
}

function expectedTop({ size, sort }: TopPlan, demanded: readonly Field[], documents: readonly Numbered[]): number[] {
  const keyOf = ({ document }: Numbered, field: Field, descending: boolean): Scalar | undefined =>
    ([...valuesOf(document, field)] as Scalar[]).sort((a, b) => (descending ? -1 : 1) * compareScalars(a, b))[0]
  return documents
    .filter(({ document }) => demanded.every((field) => valuesOf(document, field).length > 0))
    .toSorted((a, b) => {
      for (const { field, descending } of sort) {
        const [x, y] = [keyOf(a, field, descending), keyOf(b, field, descending)]
        const order =
          x === undefined || y === undefined
            ? Number(x === undefined) - Number(y === undefined)
            : (descending ? -1 : 1) * compareScalars(x, y)
        if (order !== 0) return order
      }
      return a.seq - b.seq
    })
    .slice(0, size)
    .map(({ seq }) => seq)
}

interface ExpectedBucket extends ComparableBucket {
  readonly tops: readonly (readonly number[])[]
  readonly children?: ExpectedList
}

interface ExpectedList {
  readonly others: number
  readonly buckets: readonly ExpectedBucket[]
}

export function expectedList(
  [level, ...inner]: readonly AggregationLevel[],
  documents: readonly Numbered[],
): ExpectedList {
  if (!level) throw new Error('no level')
  const groups = new Map<string, { key: BucketKey; documents: Numbered[] }>()
  for (const numbered of documents) {
    const keys = keysOf(level.grouping, numbered.document)
    const names = new Map(keys.map((key) => [typeof key === 'object' ? `${key.x}/${key.y}` : String(key), key]))
    for (const [name, key] of names) {
      const group = groups.get(name) ?? { key, documents: [] }
      group.documents.push(numbered)
      groups.set(name, group)
    }
  }
  const buckets = [...groups.values()].map((group) => ({
    key: group.key,
    count: group.documents.length,
    metrics: level.metrics.map((metric) =>
      expectedMetric(
        metric,
        group.documents.map(({ document }) => document),
      ),
    ),
    tops: level.tops.map((top) => expectedTop(top, demandedFields(top), group.documents)),
    ...(inner.length > 0 ? { children: expectedList(inner, group.documents) } : {}),
  }))
  buckets.sort(compareBuckets(level.order))
  const size = level.size ?? buckets.length
  return { others: buckets.slice(size).reduce((sum, { count }) => sum + count, 0), buckets: buckets.slice(0, size) }
}
