import { type AggregatedDocument, boxGeometry } from './aggregated-documents.ts'
import { type Asked, type Couple, isGrid, isNumeric } from './aggregation-request.ts'
import { type Group, groupsOf, MOST_BUCKETS, TooManyBuckets } from './bucket-groups.ts'
import { compareDocuments, readSort, scalarField } from './fields.ts'
import { centreOf, holdsPoint, meetsBox, ringOf, type SquareCell } from './grids.ts'
import {
  boundsAround,
  boxPolygon,
  centroidOf,
  figure,
  geoFigure,
  planarCentroid,
  pointGeometry,
  ringGeometry,
} from './metrics.ts'

/** Expected bucket. Undefined members must be absent; matchers represent inexact numbers. */
export interface ExpectedBucket {
  readonly count: number
  readonly key: unknown
  readonly key_as_string?: unknown
  readonly metrics?: readonly ExpectedMetric[]
  readonly geometries?: readonly ExpectedGeometry[]
  readonly hits?: readonly unknown[]
  readonly elements?: readonly [ExpectedLevel]
}

export interface ExpectedMetric {
  readonly type: string
  readonly field: string
  readonly value: unknown
}

interface ExpectedGeometry {
  readonly reference: string
  readonly geometry: unknown
  readonly is_raw: boolean
  readonly sort?: string
}

export interface ExpectedLevel {
  readonly name: string
  readonly sumotherdoccounts?: number
  readonly elements: readonly ExpectedBucket[]
}

/** Number of buckets, and of documents fetched for them, over all levels so far. */
interface Tally {
  made: number
  fetched: number
}
const MOST_FETCHED = 100_000

/**
 * Returns the response of `_aggregate` without its times. Throws TooManyBuckets if the server must reject the request.
 */
export function expectedAggregation(
  levels: readonly Asked[],
  documents: readonly AggregatedDocument[],
): ExpectedLevel & { readonly totalnb: number } {
  return { totalnb: documents.length, ...levelOf(levels, documents, { made: 0, fetched: 0 }) }
}

/** Returns the buckets of a tile operation. Documents and values outside its cell do not count (spec 4.2). */
export function expectedInCell(
  levels: readonly Asked[],
  documents: readonly AggregatedDocument[],
  cell: SquareCell,
): ExpectedLevel {
  const [main] = levels
  const located = documents.filter((d) => main !== undefined && isLocated(main, d, cell))
  return levelOf(levels, located, { made: 0, fetched: 0 }, cell)
}

function isLocated({ type, field }: Asked, d: AggregatedDocument, cell: SquareCell): boolean {
  if (isGrid(type) && field === 'area') {
    if (type !== 'geohex') return d.boxes.some((box) => meetsBox(cell, box))
    const centroid = planarCentroid(d.boxes)
    return centroid !== undefined && holdsPoint(cell, centroid)
  }
  return (isGrid(type) && field === 'spot' ? d.spot : d.where).some((p) => holdsPoint(cell, p))
}

const NAMES = {
  keyword: 'Sterms',
  ip: 'Sterms',
  integer: 'Lterms',
  boolean: 'Lterms',
  date: 'Lterms',
  floating: 'Dterms',
}

function nameOf({ type, field }: Asked): string {
  switch (type) {
    case 'datehistogram':
      return 'DateHistogram'
    case 'histogram':
      return 'Histogram'
    case 'geohash':
      return 'GeohashGrid'
    case 'geotile':
      return 'GeotileGrid'
    case 'geohex':
      return 'GeohexGrid'
    case 'term': {
      const known = scalarField(field ?? '')
      return known === undefined ? 'Umterms' : NAMES[known.type]
    }
  }
}

function levelOf(
  [asked, ...inner]: readonly Asked[],
  documents: readonly AggregatedDocument[],
  tally: Tally,
  scope?: SquareCell,
): ExpectedLevel {
  if (asked === undefined) throw new Error('the request has no aggregation')
  const ordered = groupsOf(asked, documents, scope).sort(compareGroups(asked))
  const size = asked.size ?? (asked.type === 'term' ? 10 : ordered.length)
  const kept = ordered.slice(0, size)
  tally.made += kept.length
  if (asked.hits !== undefined) tally.fetched += kept.length * (asked.hits.size ?? 1)
  if (tally.made > MOST_BUCKETS || tally.fetched > MOST_FETCHED) throw new TooManyBuckets()
  const cut = ordered.slice(size).reduce((sum, g) => sum + g.documents.length, 0)
  return {
    name: nameOf(asked),
    ...(asked.type === 'term' ? { sumotherdoccounts: cut } : {}),
    elements: kept.map((g) => bucketOf(asked, inner, g, tally)),
  }
}

/** Spec 2.8. */
function compareGroups(asked: Asked): (a: Group, b: Group) => number {
  const counted = asked.type === 'term' || isGrid(asked.type)
  const { direction, on } = asked.order ?? { direction: counted ? 'desc' : 'asc', on: counted ? 'count' : 'field' }
  const sign = direction === 'desc' ? -1 : 1
  const couple = asked.couples.find(isNumeric)
  const results = new Map<Group, number | undefined>()
  const result = (g: Group): number | undefined => {
    if (!results.has(g) && couple !== undefined) {
      results.set(g, figure(couple.fct, couple.field, g.documents)?.value)
    }
    return results.get(g)
  }
  return (a, b) => {
    if (on === 'field') return sign * a.compareKey(b)
    if (on === 'count') return sign * (a.documents.length - b.documents.length) || a.compareKey(b)
    const [x, y] = [result(a), result(b)]
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined) || a.compareKey(b)
    return sign * (x - y) || a.compareKey(b)
  }
}

function bucketOf(asked: Asked, inner: readonly Asked[], group: Group, tally: Tally): ExpectedBucket {
  const { documents, key, text } = group
  const geometric = isGrid(asked.type) || asked.aggregated.length + asked.raw.length > 0
  return {
    count: documents.length,
    key,
    ...(text === undefined ? {} : { key_as_string: text }),
    ...(asked.couples.length === 0 ? {} : { metrics: asked.couples.map((c) => metricOf(asked, c, documents)) }),
    ...(geometric ? { geometries: geometriesOf(asked, group) } : {}),
    ...(asked.hits === undefined ? {} : { hits: hitsOf(asked.hits, documents) }),
    ...(inner.length === 0 ? {} : { elements: [levelOf(inner, documents, tally)] }),
  }
}

/** Returns the default field of a geometric metric. */
const ownField = ({ type, field }: Asked): string => (isGrid(type) && field !== undefined ? field : 'where')

function metricOf(asked: Asked, couple: Couple, documents: readonly AggregatedDocument[]): ExpectedMetric {
  const path = couple.field ?? ownField(asked)
  const named = { type: couple.fct, field: path.replaceAll('.', '_') }
  if (isNumeric(couple)) return { ...named, value: figure(couple.fct, couple.field, documents)?.shown }
  const geometry = geoFigure(couple.fct, path, documents)
  const features = [{ type: 'Feature', properties: {}, geometry }]
  return { ...named, value: geometry === undefined ? undefined : { type: 'FeatureCollection', features } }
}

function geometriesOf(asked: Asked, group: Group): ExpectedGeometry[] {
  const byDefault = isGrid(asked.type) && asked.raw.length === 0 ? ['cell_center'] : []
  const words = [...new Set(asked.aggregated.length === 0 ? byDefault : asked.aggregated)]
  const aggregated = words.flatMap((reference): ExpectedGeometry[] => {
    const geometry = aggregatedGeometry(reference, ownField(asked), group)
    return geometry === undefined ? [] : [{ reference, geometry, is_raw: false }]
  })
  const entries = new Map(asked.raw.map((r) => [`${r.geometry}(${r.sort ?? 'seen'})`, r]))
  const raw = [...entries.values()].flatMap(({ geometry: reference, sort = 'seen' }): ExpectedGeometry[] => {
    const having = group.documents.filter((d) => rawGeometry(reference, d) !== undefined)
    const [first] = having.toSorted(compareDocuments(sort.split(',').map(readSort)))
    return first === undefined ? [] : [{ reference, geometry: rawGeometry(reference, first), is_raw: true, sort }]
  })
  return [...aggregated, ...raw]
}

function aggregatedGeometry(word: string, path: string, { documents, cell }: Group): unknown {
  if (word === 'bbox') {
    const box = boundsAround(path, documents)
    return box === undefined ? undefined : boxPolygon(box)
  }
  if (word === 'centroid') {
    const centroid = centroidOf(path, documents)
    return centroid === undefined ? undefined : pointGeometry(centroid)
  }
  if (cell === undefined) return undefined
  return word === 'cell' || word === 'geohash' ? ringGeometry(ringOf(cell)) : pointGeometry(centreOf(cell))
}

/** Returns the geometry of a document as it was sent; the first one if there are several. */
function rawGeometry(path: string, d: AggregatedDocument): unknown {
  if (path === 'area') return d.boxes[0] === undefined ? undefined : boxGeometry(d.boxes[0])
  const [first] = path === 'spot' ? d.spot : d.where
  return first === undefined ? undefined : { type: 'Point', coordinates: first }
}

function hitsOf(asked: NonNullable<Asked['hits']>, documents: readonly AggregatedDocument[]): unknown[] {
  const signed = asked.include.filter((item) => /^[+-]/.test(item)).map(readSort)
  const sorted = documents.toSorted(compareDocuments(signed)).slice(0, asked.size ?? 1)
  const names = asked.include.map((item) => item.replace(/^[+-]/, ''))
  return sorted.map((d) => bare(names.length === 0 ? d.wire : Object.fromEntries(names.map((n) => named(d.wire, n)))))
}

/** Returns the member of a document at a path; only `deep` has nested members. */
function named(wire: Readonly<Record<string, unknown>>, name: string): readonly [string, unknown] {
  return name === 'deep.kw' ? ['deep', wire.deep] : [name, wire[name]]
}

/** Removes nulls, and objects that become empty. */
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([k, v]) => [k, bare(v)] as const)
  const present = members.filter(([, v]) => v !== null && v !== undefined && !isEmptyObject(v))
  return Object.fromEntries(present)
}

const isEmptyObject = (v: unknown): boolean =>
  typeof v === 'object' && v !== null && !Array.isArray(v) && Object.keys(v).length === 0
