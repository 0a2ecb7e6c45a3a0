import type { Limits } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import type { Cell } from '../../geo/grid/cell.ts'
import type { Aggregation } from '../../model/aggregation.ts'
import { type DateFormat, FormatFault, parseDatePattern } from '../date/date-format.ts'
import type { RequestOrigin } from '../page/request-origin.ts'
import type { DateInterval } from '../plan/aggregation-plan.ts'
import type { CollectionPaths, CollectionView } from '../schema/collection-view.ts'
import { type ParsedCouple, readCouples } from './aggregation-couples.ts'
import { type AggregationDraft, draftOfBody } from './aggregation-draft.ts'
import { aggregationFault, partOf } from './aggregation-fault.ts'
import { type FetchedGeometry, readFetchGeometry } from './aggregation-fetched.ts'
import { isGrid, readAggregatedForms, readRawGeometries } from './aggregation-geometries.ts'
import { readCount, readFetchHits } from './aggregation-hits.ts'
import { type ParsedInclude, parseInclude } from './aggregation-include.ts'
import {
  type GridType,
  LAST_GEOTILE,
  readDateInterval,
  readLevel,
  readNumberInterval,
  refuseInterval,
} from './aggregation-interval.ts'
import { type ParsedOrder, readOrder } from './aggregation-order.ts'
import type { SignedName } from './aggregation-sort-list.ts'
import { parseAggregationText } from './aggregation-text.ts'
import type { AggregatedForm, AggregationType } from './resolved-aggregation.ts'

/**
 * The operation that aggregates. `cell` is set for the two forms of `_geoaggregate` that have a default aggregation.
 */
export type AggregationOperation =
  | { readonly kind: 'aggregate' }
  | { readonly kind: 'geoaggregate'; readonly cell?: Cell }

export interface AggregationContext {
  readonly collection: CollectionView
  readonly limits: Limits
  readonly origin: RequestOrigin
  readonly operation: AggregationOperation
}

/** One syntactically valid aggregation; fields are not looked up yet. `$timestamp` is already replaced in all paths. */
export interface ParsedAggregation {
  /** Position in the request; 1 is the main aggregation. */
  readonly position: number
  readonly type: AggregationType
  readonly path: string
  readonly bucketing: Bucketing
  readonly couples: readonly ParsedCouple[]
  readonly order?: ParsedOrder
  readonly size?: number
  /** Includes the default of grids. */
  readonly aggregated: readonly AggregatedForm[]
  readonly raw: readonly ParsedRaw[]
  /** `name` is a path here. */
  readonly fetched?: FetchedGeometry
  readonly hits?: ParsedHits
}

/** Parameters of the buckets, by type. */
type Bucketing =
  | { readonly kind: 'term'; readonly include?: ParsedInclude }
  | { readonly kind: 'histogram'; readonly interval: number }
  | { readonly kind: 'datehistogram'; readonly interval: DateInterval; readonly format: DateFormat }
  | { readonly kind: GridType; readonly level: number }

/** The name of a SignedName is a path here. */
interface ParsedRaw {
  readonly path: string
  /** Absent: by the timestamp of the collection. */
  readonly sort?: { readonly text: string; readonly names: readonly SignedName[] }
}

interface ParsedHits {
  readonly size: number
  /** Empty: whole documents. */
  readonly names: readonly SignedName[]
}

const DEFAULT_FORMAT = 'yyyy-MM-dd-HH:mm:ss'
/** Zoom levels below the tile of the default geotile aggregation. */
const DEFAULT_GEOTILE_DEPTH = 3

/**
 * Parses the `agg` parameters or the `aggregations` of a body (spec 1.4): the syntax of each in order, then the limits
 * that need no data.
 */
export function parseAggregations(
  request: readonly string[] | readonly Aggregation[] | undefined,
  context: AggregationContext,
): readonly ParsedAggregation[] {
  const drafts = request === undefined || request.length === 0 ? [defaultDraft(context)] : request
  const parsed = drafts.map((item, i) => parseDraft(draftOf(item, i + 1), context))
  checkLimits(parsed, context)
  return parsed
}

/** Returns every distinct path the caller named, for column rules. */
export function namedPaths(parsed: readonly ParsedAggregation[]): readonly string[] {
  const paths = parsed.flatMap(({ path, couples, raw, fetched, hits }) => [
    path,
    ...couples.map((couple) => couple.path),
    ...raw.flatMap((entry) => [entry.path, ...(entry.sort?.names ?? []).map(({ name }) => name)]),
    ...(fetched?.kind === 'document' && fetched.name !== undefined ? [fetched.name] : []),
    ...(hits?.names ?? []).map(({ name }) => name),
  ])
  return [...new Set(paths)]
}

function draftOf(item: string | Aggregation, position: number): AggregationDraft {
  return typeof item === 'string' ? parseAggregationText(item, position) : draftOfBody(item, position)
}

/** Rule V1, and the default aggregation of the cell forms. */
function defaultDraft({ collection, limits, origin, operation }: AggregationContext): Aggregation {
  const cell = operation.kind === 'geoaggregate' ? operation.cell : undefined
  if (cell === undefined) {
    const parameter = origin === 'query' ? 'agg' : 'aggregations'
    throw problem('INVALID_AGGREGATION', { parameter, reason: 'must have at least one aggregation' })
  }
  const field = collection.reference.params.centroid_path
  if (cell.kind === 'geohash') return { type: 'geohash', field, interval: { value: cell.hash.length } }
  const depth = Math.min(DEFAULT_GEOTILE_DEPTH, limits.geotileDepth)
  return { type: 'geotile', field, interval: { value: Math.min(cell.z + depth, LAST_GEOTILE) } }
}

/** Checks the rules in numerical order. */
function parseDraft(draft: AggregationDraft, context: AggregationContext): ParsedAggregation {
  const { position, type } = draft
  const paths = context.collection.reference.params
  const path = pathOf(draft.field ?? '$timestamp', paths)
  const interval = readBuckets(draft)
  const format = readFormat(draft)
  const couples = readCouples(draft, (name) =>
    name === undefined ? (isGrid(type) ? path : paths.centroid_path) : pathOf(name, paths),
  )
  const order = readOrder(draft, couples)
  const size = readSize(draft)
  const include = parseInclude(draft, context.limits.patternLength)
  const forms = readAggregatedForms(draft)
  const raw = readRawGeometries(draft).map(({ geometry, sort }): ParsedRaw => {
    const names = withPaths(sort?.names ?? [], paths)
    return { path: pathOf(geometry, paths), ...(sort === undefined ? {} : { sort: { text: sort.text, names } }) }
  })
  const hits = readFetchHits(draft)
  const fetched = readFetchGeometry(draft)
  const hasGeometry = forms.length + raw.length > 0 || fetched !== undefined
  checkOperation(draft, interval, hasGeometry, context)
  return {
    position,
    type,
    path,
    bucketing: bucketingOf(interval, format, include),
    couples,
    ...(order === undefined ? {} : { order }),
    ...(size === undefined ? {} : { size }),
    aggregated: isGrid(type) && !hasGeometry ? ['cell_center'] : forms,
    raw,
    ...(fetched === undefined ? {} : { fetched: fetchedBy(fetched, paths) }),
    ...(hits === undefined ? {} : { hits: { size: hits.size, names: withPaths(hits.names, paths) } }),
  }
}

const pathOf = (name: string, paths: CollectionPaths): string => (name === '$timestamp' ? paths.timestamp_path : name)

function fetchedBy(fetched: FetchedGeometry, paths: CollectionPaths): FetchedGeometry {
  if (fetched.kind === 'bucket' || fetched.name === undefined) return fetched
  return { ...fetched, name: pathOf(fetched.name, paths) }
}

const withPaths = (names: readonly SignedName[], paths: CollectionPaths): readonly SignedName[] =>
  names.map(({ name, sign }) => ({ name: pathOf(name, paths), sign }))

type BucketInterval =
  | { readonly kind: 'term' }
  | { readonly kind: 'histogram'; readonly interval: number }
  | { readonly kind: 'datehistogram'; readonly interval: DateInterval }
  | { readonly kind: GridType; readonly level: number }

function readBuckets(draft: AggregationDraft): BucketInterval {
  const { type } = draft
  switch (type) {
    case 'term':
      refuseInterval(draft)
      return { kind: type }
    case 'histogram':
      return { kind: type, interval: readNumberInterval(draft) }
    case 'datehistogram':
      return { kind: type, interval: readDateInterval(draft) }
    default:
      return { kind: type, level: readLevel(draft, type) }
  }
}

function bucketingOf(buckets: BucketInterval, format: DateFormat, include: ParsedInclude | undefined): Bucketing {
  if (buckets.kind === 'term') return include === undefined ? buckets : { ...buckets, include }
  return buckets.kind === 'datehistogram' ? { ...buckets, format } : buckets
}

/** Rule V11. */
function readFormat({ format, type, position }: AggregationDraft): DateFormat {
  if (format !== undefined && type !== 'datehistogram') {
    throw aggregationFault(position, 'format', `must not be given for type ${type}`, format)
  }
  try {
    return parseDatePattern(format ?? DEFAULT_FORMAT)
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error
    throw aggregationFault(position, 'format', error.reason, format)
  }
}

/** Rule V16. */
function readSize({ size, type, position }: AggregationDraft): number | undefined {
  if (size === undefined) return undefined
  if (type === 'datehistogram' || type === 'histogram') {
    throw aggregationFault(position, 'size', `must not be given for type ${type}`, size)
  }
  const count = readCount(size)
  if (count === undefined) throw aggregationFault(position, 'size', 'must be an integer of at least 1', size)
  return count
}

/** Checks the rules of spec section 4 on the main type and, in a tile, on the intervals of geotile aggregations. */
function checkOperation(
  { position, type, interval }: AggregationDraft,
  buckets: BucketInterval,
  hasGeometry: boolean,
  { operation, limits }: AggregationContext,
): void {
  if (operation.kind !== 'geoaggregate') return
  if (position === 1 && !isGrid(type) && !hasGeometry) {
    const reason = 'must be geohash, geotile or geohex, or have aggregated_geometries or raw_geometries'
    throw aggregationFault(position, 'type', reason, type)
  }
  const { cell } = operation
  if (buckets.kind !== 'geotile' || cell?.kind !== 'tile') return
  const most = Math.min(cell.z + limits.geotileDepth, LAST_GEOTILE)
  if (buckets.level >= cell.z && buckets.level <= most) return
  const reason = `must be from ${cell.z} to ${most} in a tile of zoom ${cell.z}, because limits.geotileDepth is ${limits.geotileDepth}`
  throw aggregationFault(position, 'interval', reason, interval?.written)
}

/** Rules V5, V17, V26. */
function checkLimits(parsed: readonly ParsedAggregation[], { limits, origin }: AggregationContext): void {
  const check = (parameter: string, value: number, most: number, setting: string): void => {
    if (value <= most) return
    const reason = `must be at most ${most}; request less or raise the limit`
    throw problem('LIMIT_EXCEEDED', { parameter, value: String(value), reason, setting })
  }
  const count = `number of ${origin === 'query' ? 'agg' : 'aggregations'}`
  check(count, parsed.length, limits.aggregationDepth, 'limits.aggregationDepth')
  for (const { position, size, hits } of parsed) {
    check(partOf('size', position), size ?? 1, limits.buckets, 'limits.buckets')
    check(partOf('fetch_hits', position), hits?.size ?? 1, limits.fetchHits, 'limits.fetchHits')
  }
}
