import { hash } from 'node:crypto'
import type { CollectionReference } from '../model/collection.ts'
import type { Filter } from '../model/filter.ts'
import type { Access } from '../query/access/access.ts'
import { mayRead } from './organisations.ts'

/** The part of a reference that decides who sees what of a collection. */
export interface Viewed {
  readonly collection_name: string
  readonly params: Pick<CollectionReference['params'], 'organisations'>
}

/** What narrows the view of one collection; absent members narrow nothing. */
export interface Narrowing {
  /** Filters of which one must match: canonical, sorted. */
  readonly filters?: readonly string[]
  /** Patterns of the columns: sorted. None: the collection is not shown. */
  readonly columns?: readonly string[]
}

/** Patterns that every column matches. */
const ALL_COLUMNS = /^\*+$/

/** A collection of which no more is known than its name; it counts as one without organisations. */
export const named = (name: string): Viewed => ({ collection_name: name, params: {} })

/**
 * What narrows the caller's view of a collection; undefined when the caller sees all documents and columns. Throws
 * INVALID_FILTER or FORBIDDEN for a partition filter that cannot be read.
 */
export function narrowingOf(access: Access, { collection_name: name, params }: Viewed): Narrowing | undefined {
  const filters = filtersOf(access.partition?.filtersOf(name) ?? [])
  const columns = params.organisations?.public === true ? undefined : columnsOf(access, name)
  if (filters === undefined && columns === undefined) return undefined
  return { ...(filters === undefined ? {} : { filters }), ...(columns === undefined ? {} : { columns }) }
}

/** The same for equal narrowings, and only for these; it shows nothing of them. */
export const narrowingDigest = ({ filters, columns }: Narrowing): string =>
  hash('sha256', JSON.stringify([filters ?? null, columns ?? null]), 'hex')

/** Whether `wide` hides nothing of a collection that `narrow` shows; false where that cannot be told for certain. */
export function isWithin(narrow: Narrowing | undefined, wide: Narrowing | undefined): boolean {
  return isPart(narrow?.filters, wide?.filters) && isPart(narrow?.columns, wide?.columns)
}

/** Whether nothing of the collection is hidden from the caller: neither itself, nor a document, nor a column. */
export function seesWhole(access: Access, collection: Viewed): boolean {
  if (!mayRead(collection.params.organisations, access)) return false
  if (access.explores?.(collection.collection_name) === false) return false
  return narrowingOf(access, collection) === undefined
}

/** Whether documents or columns of some collection are hidden from the caller, whichever it is. */
export const isNarrowed = ({ partition, columns, publicOnly }: Access): boolean =>
  partition !== undefined || columns !== undefined || publicOnly === true

/** Several widen each other: one that everything matches lifts them all. */
function filtersOf(filters: readonly Filter[]): readonly string[] | undefined {
  if (filters.length === 0 || filters.some(matchesAll)) return undefined
  return distinct(filters.map(filterText))
}

/** The same whatever the order of its members. */
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
