import { hash } from 'node:crypto'
import type { CollectionReference } from '../model/collection.ts'
import type { Filter } from '../model/filter.ts'
import type { Access } from '../query/access/access.ts'
import { mayRead } from './organisations.ts'

/** The part of a collection reference that access rules need. */
export interface Viewed {
  readonly collection_name: string
  readonly params: Pick<CollectionReference['params'], 'organisations'>
}

/** Restricts the view of one collection. Absent members restrict nothing. */
interface Narrowing {
  /** Filters of which at least one must match. Canonical and sorted. */
  readonly filters?: readonly string[]
  /** Sorted column patterns. Empty: the collection is hidden. */
  readonly columns?: readonly string[]
}

/** Matches patterns that cover every column. */
const ALL_COLUMNS = /^\*+$/

/** A collection of which only the name is known. Treated as one without organisations. */
export const named = (name: string): Viewed => ({ collection_name: name, params: {} })

/**
 * Returns the narrowing of the caller's view of a collection, undefined if the caller sees all documents and columns.
 * Throws INVALID_FILTER or FORBIDDEN for an invalid partition filter.
 */
export function narrowingOf(access: Access, { collection_name: name, params }: Viewed): Narrowing | undefined {
  const filters = filtersOf(access.partition?.filtersOf(name) ?? [])
  const columns = params.organisations?.public === true ? undefined : columnsOf(access, name)
  if (filters === undefined && columns === undefined) return undefined
  return { ...(filters === undefined ? {} : { filters }), ...(columns === undefined ? {} : { columns }) }
}

/** Returns equal digests for equal narrowings only. The digest does not reveal the narrowing. */
export const narrowingDigest = ({ filters, columns }: Narrowing): string =>
  hash('sha256', JSON.stringify([filters ?? null, columns ?? null]), 'hex')

/** True if `wide` shows everything of a collection that `narrow` shows. False if that is uncertain. */
export function isWithin(narrow: Narrowing | undefined, wide: Narrowing | undefined): boolean {
  return isPart(narrow?.filters, wide?.filters) && isPart(narrow?.columns, wide?.columns)
}

/** True if the caller sees the collection with all its documents and columns. */
export function seesWhole(access: Access, collection: Viewed): boolean {
  if (!mayRead(collection.params.organisations, access)) return false
  if (access.explores?.(collection.collection_name) === false) return false
  return narrowingOf(access, collection) === undefined
}

/** True if documents or columns of any collection may be hidden from the caller. */
export const isNarrowed = ({ partition, columns, publicOnly }: Access): boolean =>
  partition !== undefined || columns !== undefined || publicOnly === true

/** Filters are alternatives: one that matches everything makes the others irrelevant. */
function filtersOf(filters: readonly Filter[]): readonly string[] | undefined {
  if (filters.length === 0 || filters.some(matchesAll)) return undefined
  return distinct(filters.map(filterText))
}

/** Canonical text of a filter, independent of the order of its members. */
function filterText({ f = [], q = [], dateformat, righthand }: Filter): string {
  const alternatives = f.map((any) => any.map(({ field, op, value }) => [field, op, value]))
  return JSON.stringify([alternatives, q, dateformat ?? null, righthand ?? null])
}

const matchesAll = ({ f = [], q = [] }: Filter): boolean => f.length === 0 && q.length === 0

function columnsOf({ columns }: Access, name: string): readonly string[] | undefined {
  if (columns === undefined) return undefined
  const patterns = columns.patternsOf(name)?.patterns ?? []
  return patterns.some((pattern) => ALL_COLUMNS.test(pattern)) ? undefined : distinct(patterns)
}

function isPart(narrow: readonly string[] | undefined, wide: readonly string[] | undefined): boolean {
  if (wide === undefined) return true
  return narrow?.every((entry) => wide.includes(entry)) ?? false
}

const distinct = (entries: readonly string[]): readonly string[] => [...new Set(entries)].sort()
