import type { Limits } from '../../config/settings.ts'
import type { IndexInfo } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import { isRecord } from '../../model/json/json-object.ts'
import { expressionBudget } from '../../query/plan/expression-budget.ts'
import type { Cursor } from '../../query/plan/plan.ts'
import { and, everything, type Predicate } from '../../query/plan/predicate.ts'
import type { Schema } from '../../query/schema/schema.ts'
import type { AskedAggregation } from './aggregation.ts'
import { readAggregations } from './aggregation-request.ts'
import { checkNames, fault, listOf, type Members, readBoolean, readText } from './members.ts'
import { translateQuery } from './query.ts'
import type { QueryContext } from './query-context.ts'
import { readPosition, readSort, readSortParameter, type SortPart } from './sort.ts'
import { readSourceFilter, type SourceFilter, withParameters } from './source-filter.ts'
import { isAnd } from './text-queries.ts'

/** Parameters of a URL, by name; undefined for those that are absent. */
export type UrlParameters = (name: string) => string | undefined

/** A search, translated. */
export interface SearchRequest {
  /** What is aggregated. */
  readonly predicate: Predicate
  /** What is returned: also matches `post_filter`. */
  readonly hits: Predicate
  readonly size: number
  readonly from: number
  readonly sort: readonly SortPart[]
  readonly cursor?: Cursor
  readonly source: SourceFilter
  /** Patterns of fields whose values are listed. */
  readonly fields: readonly string[]
  readonly wantsTotal: boolean
  readonly hasVersion: boolean
  readonly aggregations: readonly AskedAggregation[]
}

export const queryContext = (schema: Schema, limits: Limits): QueryContext => ({
  schema,
  limits,
  budget: expressionBudget(limits),
  now: Date.now(),
})

const MEMBERS = [
  'query',
  'post_filter',
  'size',
  'from',
  'sort',
  'search_after',
  '_source',
  'fields',
  'docvalue_fields',
  'stored_fields',
  'track_total_hits',
  'version',
  'aggs',
  'aggregations',
]

/** Members that change how a search is executed, or nothing. */
const IGNORED = [
  'timeout',
  'track_scores',
  'terminate_after',
  'seq_no_primary_term',
  'explain',
  'profile',
  'stats',
  'ext',
]

const DEFAULT_SIZE = 10

/** Reads the query of a body and the parameter `q`. */
export function readQuery(body: Members, url: UrlParameters, context: QueryContext): Predicate {
  const own = body.query === undefined ? everything : translateQuery(body.query, 'query', context)
  const q = url('q')
  isAnd(url('default_operator'), 'default_operator')
  if (q === undefined) return own
  const members = { query: q, default_field: url('df'), default_operator: url('default_operator') }
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
  return and([own, translateQuery({ query_string: given }, 'q', context)])
}

export function readSearchRequest(
  body: Members,
  url: UrlParameters,
  { context, window, indices }: { context: QueryContext; window: number | undefined; indices: readonly IndexInfo[] },
): SearchRequest {
  checkNames(body, '', [...MEMBERS, ...IGNORED])
  const { limits } = context
  const predicate = readQuery(body, url, context)
  const filter = body.post_filter === undefined ? everything : translateQuery(body.post_filter, 'post_filter', context)
  const given = url('sort')
  const sort = given === undefined ? readSort(body.sort, 'sort', context) : readSortParameter(given, context)
  const cursor = readPosition(body.search_after, sort, 'search_after')
  const size = readCount('size', url, body, limits.size) ?? Math.min(DEFAULT_SIZE, limits.size)
  const from = readCount('from', url, body, Number.MAX_SAFE_INTEGER) ?? 0
  if (cursor !== undefined && from > 0) throw fault('from', 'must be 0 with search_after', from)
  if (window !== undefined && from + size > window) {
    const reason = `plus size must be at most ${window}; use search_after or scroll`
    throw problem('LIMIT_EXCEEDED', { parameter: 'from', value: from, reason, setting: 'limits.window' })
  }
  const name = body.aggs === undefined ? 'aggregations' : 'aggs'
  const stored = indices.every(({ keepsSources }) => keepsSources !== false)
  const shown = readSource(body, url)
  return {
    predicate,
    hits: and([predicate, filter]),
    size,
    from,
    sort,
    ...(cursor === undefined ? {} : { cursor }),
    source: stored ? shown : { ...shown, isShown: false },
    fields: [...readFieldNames(body.fields, 'fields'), ...readFieldNames(body.docvalue_fields, 'docvalue_fields')],
    wantsTotal: wantsTotal(url('track_total_hits') ?? body.track_total_hits),
    hasVersion: (readBoolean(url('version'), 'version') ?? readBoolean(body.version, 'version')) === true,
    aggregations: readAggregations(body[name], name, context),
  }
}

function readSource(body: Members, url: UrlParameters): SourceFilter {
  const given = url('_source')
  const asList = given === undefined || given === 'true' || given === 'false' ? given : given.split(',')
  const isNone = listOf(body.stored_fields).includes('_none_')
  const inBody = readSourceFilter(isNone ? false : body._source, '_source')
  const own = asList === undefined ? inBody : readSourceFilter(asList, '_source')
  return withParameters(
    own,
    url('_source_includes') ?? url('_source_include'),
    url('_source_excludes') ?? url('_source_exclude'),
  )
}

/** A count of the URL, else of the body. Both must be valid. */
function readCount(name: string, url: UrlParameters, body: Members, most: number): number | undefined {
  const own = checkCount(name, body[name], most)
  return checkCount(name, url(name), most) ?? own
}

function checkCount(name: string, value: unknown, most: number): number | undefined {
  if (value === undefined) return undefined
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    throw fault(name, 'must be an integer of at least 0', value)
  }
  if (count <= most) return count
  const reason = `must be at most ${most}; request less or raise the limit`
  throw problem('LIMIT_EXCEEDED', { parameter: name, value: count, reason, setting: 'limits.size' })
}

function wantsTotal(value: unknown): boolean {
  if (value === undefined || value === true || value === 'true') return true
  if (value === false || value === 'false' || value === -1 || value === '-1') return false
  checkCount('track_total_hits', value, Number.MAX_SAFE_INTEGER)
  return true
}

const MOST_FIELDS = 100

/** Names or patterns, each alone or as `field` of an object. */
function readFieldNames(value: unknown, place: string): readonly string[] {
  if (value === undefined) return []
  const names = listOf(value).map((item, i) => readText(isRecord(item) ? item.field : item, `${place}[${i}]`))
  if (names.length <= MOST_FIELDS) return names
  throw fault(place, `must have at most ${MOST_FIELDS} names`)
}
