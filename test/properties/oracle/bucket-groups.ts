import type { AggregatedDocument } from './aggregated-documents.ts'
import { type Asked, isGrid } from './aggregation-request.ts'
import { bucketStart, nextStart, printDate } from './date-buckets.ts'
import { compareScalars, type Scalar, type ScalarField, scalarField } from './fields.ts'
import {
  cellName,
  cellOfPoint,
  cellsOfBox,
  centreOf,
  compareCells,
  type GridCell,
  holdsPoint,
  overlap,
  type SquareCell,
} from './grids.ts'
import { degrees, near, numerals } from './matchers.ts'
import { planarCentroid } from './metrics.ts'

/** The documents of one bucket, its sort key and its printed key. */
export interface Group {
  readonly documents: readonly AggregatedDocument[]
  readonly compareKey: (other: Group) => number
  readonly key: unknown
  readonly text?: unknown
  readonly cell?: GridCell
  readonly scalar?: Scalar
}

/** The response would contain too many buckets, or too many documents in them. */
export class TooManyBuckets extends Error {}
export const MOST_BUCKETS = 65_535

/** Returns all buckets of one aggregation over these documents, unordered. `scope`: the cell of a tile operation. */
export function groupsOf(asked: Asked, documents: readonly AggregatedDocument[], scope?: SquareCell): Group[] {
  if (isGrid(asked.type)) return gridGroups(asked, documents, scope)
  const field = scalarField(asked.field ?? '$timestamp')
  if (field === undefined) return []
  if (asked.type === 'term') return termGroups(asked, field, documents)
  return asked.type === 'histogram' ? histogramGroups(asked, field, documents) : dateGroups(asked, field, documents)
}

/** Groups documents by the distinct keys of their values. */
function gather<K>(
  documents: readonly AggregatedDocument[],
  keysOf: (d: AggregatedDocument) => readonly K[],
): Map<K, AggregatedDocument[]> {
  const found = new Map<K, AggregatedDocument[]>()
  for (const d of documents) {
    for (const key of new Set(keysOf(d))) {
      const list = found.get(key)
      if (list === undefined) found.set(key, [d])
      else list.push(d)
    }
  }
  return found
}

const scalarGroup = (scalar: Scalar, documents: readonly AggregatedDocument[], key: unknown, text: unknown): Group => ({
  documents,
  scalar,
  key,
  text,
  compareKey: (other) => compareScalars(scalar, other.scalar ?? 0),
})

function termGroups({ include }: Asked, field: ScalarField, documents: readonly AggregatedDocument[]): Group[] {
  const kept = gather(documents, field.values)
  return [...kept]
    .filter(([term]) => include === undefined || include.keeps(term))
    .map(([term, list]) => {
      const [key, text] = termKey(term, field)
      return scalarGroup(term, list, key, text)
    })
}

function termKey(term: Scalar, { type, print }: ScalarField): readonly [unknown, unknown] {
  if (typeof term === 'boolean') return [Number(term), String(term)]
  if (typeof term === 'string') return [term, term]
  if (print !== undefined) return [term, print(term)]
  return [term, type === 'integer' ? String(term) : numerals([term])]
}

function histogramGroups(asked: Asked, field: ScalarField, documents: readonly AggregatedDocument[]): Group[] {
  const interval = asked.interval?.value ?? Number.NaN
  const found = gather(documents, (d) => field.values(d).map((v) => Math.floor(Number(v) / interval)))
  const places = [...found.keys()]
  if (places.length === 0) return []
  const first = places.reduce((a, b) => Math.min(a, b))
  const last = places.reduce((a, b) => Math.max(a, b))
  if (last - first >= MOST_BUCKETS) throw new TooManyBuckets()
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const key = (first + i) * interval
    const text = field.print === undefined ? undefined : field.print(key)
    return scalarGroup(key, found.get(first + i) ?? [], near(key, Math.abs(key) * 1e-9), text)
  })
}

function dateGroups(asked: Asked, field: ScalarField, documents: readonly AggregatedDocument[]): Group[] {
  const { value = Number.NaN, unit = 'day' } = asked.interval ?? {}
  const found = gather(documents, (d) => field.values(d).map((v) => bucketStart(Number(v), value, unit)))
  const starts = [...found.keys()]
  const last = starts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const out: Group[] = []
  for (let at = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY); at <= last; ) {
    if (out.length >= MOST_BUCKETS) throw new TooManyBuckets()
    out.push(scalarGroup(at, found.get(at) ?? [], at, printDate(at, asked.format ?? 'yyyy-MM-dd-HH:mm:ss')))
    at = nextStart(at, value, unit)
  }
  return out
}

function gridGroups(asked: Asked, documents: readonly AggregatedDocument[], scope?: SquareCell): Group[] {
  const cells = new Map<string, GridCell>()
  const found = gather(documents, (d) =>
    cellsOf(asked, d, scope).map((cell) => {
      const name = cellName(cell)
      cells.set(name, cell)
      return name
    }),
  )
  return [...found].flatMap(([name, list]): Group[] => {
    const cell = cells.get(name)
    if (cell === undefined) return []
    const [lon, lat] = centreOf(cell)
    return [
      {
        documents: list,
        cell,
        key: { lat: degrees(lat), lon: degrees(lon) },
        text: name,
        compareKey: (other) => (other.cell === undefined ? 0 : compareCells(cell, other.cell)),
      },
    ]
  })
}

function cellsOf(asked: Asked, d: AggregatedDocument, scope?: SquareCell): GridCell[] {
  const level = asked.interval?.value ?? Number.NaN
  const grid = asked.type
  if (!isGrid(grid)) return []
  if (asked.field === 'area' && grid !== 'geohex') {
    const all = d.boxes.flatMap((box) => cellsOfBox(grid, level, box))
    const cells = scope === undefined ? all : all.filter((cell) => overlap(cell, scope))
    // The limit of a response also applies to one document (spec 2.6).
    if (new Set(cells.map(cellName)).size > MOST_BUCKETS) throw new TooManyBuckets()
    return cells
  }
  const centroid = asked.field === 'area' ? planarCentroid(d.boxes) : undefined
  const points =
    asked.field === 'area' ? (centroid === undefined ? [] : [centroid]) : d[asked.field === 'spot' ? 'spot' : 'where']
  const counted = scope === undefined ? points : points.filter((p) => holdsPoint(scope, p))
  return counted.map((p) => cellOfPoint(grid, level, p))
}
