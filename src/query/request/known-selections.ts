import { LRUCache } from 'lru-cache'
import type { Predicate } from '../plan/predicate.ts'
import { allColumns } from '../schema/visible-columns.ts'
import type { RequestFilters, SelectionContext } from './selection-context.ts'

/** A predicate and what it was resolved with, besides the text of the filters. */
interface KnownSelection {
  readonly reference: object
  readonly schema: object
  readonly limits: object
  readonly predicate: Predicate
}

/** Those of some hundred dashboards. With the longest text it takes a few MiB. */
const MOST_SELECTIONS = 1_000
const LONGEST_TEXT = 2_000

const recent = new LRUCache<string, KnownSelection>({ max: MOST_SELECTIONS })

/** Anything that may be a date relative to the present. */
const RELATIVE = /now/i

/**
 * Returns the text by which the predicate of a request is found again; undefined if it may differ for an equal text:
 * with relative dates, and with filters or columns of the caller.
 */
export function selectionText(request: RequestFilters, context: SelectionContext): string | undefined {
  const { filter, partitionFilter } = request
  const { collection, access, origin } = context
  const { reference, hidden, excluded, columns = allColumns } = collection
  if (access.partition !== undefined || columns.restricted) return undefined
  // Its numbers may be more exact than those of JSON.
  if ([filter, ...(partitionFilter ?? [])].some((one) => typeof one?.cql2 === 'object')) return undefined
  const patterns = [hidden.patterns, excluded?.patterns]
  const text = JSON.stringify([
    ...[reference.collection_name, origin, filter, partitionFilter, patterns, reference.params.filter],
  ])
  return text.length > LONGEST_TEXT || RELATIVE.test(text) ? undefined : text
}

export function knownPredicate(text: string, context: SelectionContext): Predicate | undefined {
  const known = recent.get(text)
  const { collection, limits } = context
  const isSame =
    known?.reference === collection.reference &&
    known.schema === (collection.wholeSchema ?? collection.schema) &&
    known.limits === limits
  return isSame ? known.predicate : undefined
}

export function keepPredicate(text: string, { collection, limits }: SelectionContext, predicate: Predicate): void {
  const { reference, schema, wholeSchema = schema } = collection
  recent.set(text, { reference, schema: wholeSchema, limits, predicate })
}
