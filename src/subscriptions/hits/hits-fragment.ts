import type { Limits } from '../../config/settings.ts'
import { Problem, problem } from '../../errors.ts'
import type { Filter } from '../../model/filter.ts'
import type { Projection } from '../../model/search.ts'
import type { FilterContext } from '../../query/filter/filter-context.ts'
import { filterPaths } from '../../query/filter/filter-paths.ts'
import { resolveParsedFilter } from '../../query/filter/filter-resolver.ts'
import {
  anyPlaces,
  isGeoOperator,
  type ParsedExpression,
  type ParsedFilter,
  parseFilter,
} from '../../query/filter/filter-syntax.ts'
import { parseTriplets } from '../../query/filter/triplets.ts'
import { type ProjectionPlan, parseProjection, resolveParsedProjection } from '../../query/page/projection.ts'
import { expressionBudget } from '../../query/plan/expression-budget.ts'
import { nothing, type Predicate } from '../../query/plan/predicate.ts'
import { type CollectionView, mandatoryPaths, ownerOf } from '../../query/schema/collection-view.ts'
import { compilePatterns, type FieldPatterns } from '../../query/schema/field-pattern.ts'
import { checkColumns } from '../../query/schema/visible-columns.ts'
import type { SubscriptionContent } from '../record/subscription-record.ts'
import { FragmentFault, type QueryFragment, readFragment } from './query-fragment.ts'

type Hits = SubscriptionContent['subscription']['hits']

/** The parsed fragments of a subscription. Not resolved against a collection yet. */
export interface ParsedHits {
  readonly filter: ParsedFilter
  readonly projection: Projection
}

/** The fragments resolved against a collection. */
interface ResolvedHits {
  /** hits.filter only, without the collection's filter and the writer's access. */
  readonly filter: Predicate
  readonly projection: ProjectionPlan
}

interface HitsContext {
  readonly limits: Limits
  /** Milliseconds. Value of `now`. */
  readonly now: number
}

/** Parses the fragments (spec 3.6): syntax, and all values that need neither schema nor clock. Throws INVALID_HITS. */
export function parseHits(hits: Hits, limits: Limits): ParsedHits {
  return {
    filter: inFragment('filter', () =>
      parseFilter(readFilter(readFragment(hits.filter, ['f', 'q', 'dateformat', 'righthand'])), {
        limits,
        budget: expressionBudget(limits),
        parameter: 'f',
        places: anyPlaces,
      }),
    ),
    projection: inFragment('projection', () =>
      readProjection(readFragment(hits.projection ?? '', ['include', 'exclude'])),
    ),
  }
}

/** Throws 403 if the fragments, or the `keys` of the trigger, name columns hidden from the writer. */
export function checkHitsColumns({ filter, projection }: ParsedHits, view: CollectionView, keys: readonly string[]) {
  const { columns } = view
  if (columns?.restricted !== true) return
  const include = compilePatterns(projection.includes).patterns.filter((pattern) => !pattern.includes('*'))
  checkColumns(columns, [...keys, ...namedPaths(filter, view), ...include])
}

/** Throws INVALID_HITS if the fragments do not fit the fields of a collection (spec 3.6 rule 2). */
export function checkHitsFields(hits: ParsedHits, view: CollectionView, context: HitsContext): void {
  inFragment('filter', () => resolveParsedFilter(hits.filter, filterContext(view, context)), view)
  inFragment(
    'projection',
    () => parseProjection(hits.projection, undefined, { collection: view, origin: 'query' }),
    view,
  )
}

/**
 * Resolves the fragments in the collection of an event (spec 3.6 rules 3 and 4). Geo operators on unknown fields and
 * paths hidden from the writer match nothing. Throws INVALID_FILTER or similar if a value does not fit its field.
 */
export function resolveHits(
  { filter, projection }: ParsedHits,
  view: CollectionView,
  context: HitsContext,
): ResolvedHits {
  return { filter: resolveFilter(filter, view, context), projection: projectionPlan(projection, view) }
}

function resolveFilter(filter: ParsedFilter, view: CollectionView, context: HitsContext): Predicate {
  const { columns, schema } = view
  if (columns?.restricted === true && namedPaths(filter, view).some((path) => !columns.covers(path))) return nothing
  const isKnown = ({ op, field }: ParsedExpression): boolean =>
    !isGeoOperator(op) || schema.lookup(pathIn(view)(field)) !== undefined
  const f = filter.f.map((group) => group.filter(isKnown))
  if (filter.f.some((group, i) => group.length > 0 && f[i]?.length === 0)) return nothing
  return resolveParsedFilter({ ...filter, f }, filterContext(view, context))
}

/** An exclude keeps the four paths of the collection and their ancestors. */
function projectionPlan({ includes, excludes }: Projection, view: CollectionView): ProjectionPlan {
  const include = compilePatterns(includes)
  const exclude = compilePatterns(excludes)
  const paths = mandatoryPaths(view)
  const isNeeded = (path: string): boolean => paths.some((kept) => kept === path || kept.startsWith(`${path}.`))
  const sparing: FieldPatterns = { ...exclude, selects: (path) => exclude.selects(path) && !isNeeded(path) }
  const parsed = { ...(include.patterns.length === 0 ? {} : { include }), exclude: sparing }
  return resolveParsedProjection(parsed, { collection: view, origin: 'query' })
}

function filterContext(view: CollectionView, { limits, now }: HitsContext): FilterContext {
  const { reference, schema, hidden } = view
  const timestampPath = reference.params.timestamp_path
  return {
    limits,
    budget: expressionBudget(limits),
    parameter: 'f',
    places: reference.params,
    schema,
    hidden,
    timestampPath,
    now,
    owner: ownerOf(view),
  }
}

const pathIn =
  ({ reference }: CollectionView) =>
  (name: string): string =>
    name === '$timestamp' ? reference.params.timestamp_path : name

const namedPaths = (filter: ParsedFilter, view: CollectionView): readonly string[] => filterPaths(filter, pathIn(view))

function readFilter(fragment: QueryFragment): Filter {
  const dateformat = fragment.text('dateformat')
  const righthand = fragment.boolean('righthand')
  return {
    ...parseTriplets(fragment.all('f'), fragment.all('q')),
    ...(dateformat === undefined ? {} : { dateformat }),
    ...(righthand === undefined ? {} : { righthand }),
  }
}

function readProjection(fragment: QueryFragment): Projection {
  const includes = fragment.text('include')
  const excludes = fragment.text('exclude')
  return { ...(includes === undefined ? {} : { includes }), ...(excludes === undefined ? {} : { excludes }) }
}

/** Converts errors of a fragment to INVALID_HITS, with the names of the fragment and the collection. */
export function inFragment<T>(key: keyof Hits, read: () => T, view?: CollectionView): T {
  try {
    return read()
  } catch (error) {
    const parameter = `subscription.hits.${key}`
    if (error instanceof FragmentFault) throw problem('INVALID_HITS', { parameter, reason: error.reason })
    if (!(error instanceof Problem)) throw error
    const where = view === undefined ? '' : ` in ${ownerOf(view)}`
    throw problem('INVALID_HITS', { parameter, reason: `cannot be used${where}: ${error.message}` })
  }
}
