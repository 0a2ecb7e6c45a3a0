import { Problem, problem } from '../../errors.ts'
import { checkBody } from '../../model/check-body.ts'
import { Filter } from '../../model/filter.ts'

/** Filters for all collections, and filters per collection (spec 9.1). */
export interface PartitionFilter {
  /** Returns the Filters for a collection, of which at least one must match; empty: no restriction. */
  filtersOf(collection: string): readonly Filter[]
  /** True if derived from permissions: if it is invalid, the caller may read nothing (spec 9.6). */
  readonly granted?: boolean
}

type Entry = { readonly kind: 'filter'; readonly filter: Filter } | { readonly kind: 'map'; readonly map: FilterMap }
type FilterMap = ReadonlyMap<string, Filter>

const FILTER_KEYS: ReadonlySet<string> = new Set(Object.keys(Filter.properties))

/**
 * Parses one or more JSON objects, separated by commas. Errors do not show the content, which the caller may not be
 * allowed to see.
 */
export function parsePartitionFilter(header: string): PartitionFilter {
  const entries = readObjects(header).map(readEntry)
  return {
    filtersOf: (collection) =>
      entries.flatMap((entry) => (entry.kind === 'filter' ? entry.filter : (entry.map.get(collection) ?? []))),
  }
}

/** Parses on first use, so an invalid filter does not affect operations that read no document. */
export function lazyPartitionFilter(header: string, granted = false): PartitionFilter {
  let parsed: PartitionFilter | undefined
  return {
    granted,
    filtersOf(collection) {
      parsed ??= granted ? parseGranted(header) : parsePartitionFilter(header)
      return parsed.filtersOf(collection)
    },
  }
}

function parseGranted(text: string): PartitionFilter {
  try {
    return parsePartitionFilter(text)
  } catch (error) {
    throw error instanceof Problem ? unusableGrant() : error
  }
}

/** Invalid permissions deny access. The reason is not shown to the caller, who did not write them. */
export const unusableGrant = (): Problem =>
  problem('FORBIDDEN', { reason: 'The permissions of the caller contain an invalid filter' })

function readObjects(header: string): readonly object[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(`[${header}]`)
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable('must be JSON objects separated by commas')
    throw error
  }
  if (!Array.isArray(parsed) || parsed.length === 0 || !parsed.every(isObject)) {
    throw unusable('must be JSON objects separated by commas')
  }
  return parsed
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `{}` is a Filter that matches everything. */
function readEntry(entry: object): Entry {
  if (Object.keys(entry).every((key) => FILTER_KEYS.has(key))) return { kind: 'filter', filter: readFilter(entry) }
  return { kind: 'map', map: new Map(Object.entries(entry).map(([name, filter]) => [name, readFilter(filter)])) }
}

function readFilter(value: unknown): Filter {
  try {
    return checkBody(Filter, value, { root: 'partition-filter' })
  } catch (error) {
    if (error instanceof Problem) throw unusable('must contain Filters, or maps from collections to Filters')
    throw error
  }
}

const unusable = (reason: string): Problem => problem('INVALID_FILTER', { parameter: 'partition-filter', reason })
