import { type FieldPatterns, fieldPatterns } from '../schema/field-pattern.ts'

/** Columns visible per collection (spec 9.2). */
export interface ColumnFilter {
  /** Returns the field patterns of a collection; undefined if the collection itself is not visible. */
  patternsOf(collection: string): FieldPatterns | undefined
}

interface Entry {
  /** Absent: every collection. */
  readonly collection?: string
  readonly pattern: string
}

/**
 * Parses entries `pattern`, `:pattern` or `collection:pattern`, separated by commas; blanks are ignored. Undefined if
 * one of them covers every column of every collection, so nothing is restricted.
 */
export function parseColumnFilter(header: string): ColumnFilter | undefined {
  const entries = header
    .split(',')
    .map((item) => item.replaceAll(/\s+/g, ''))
    .filter((item) => item !== '')
    .map(parseEntry)
    // `trips:` covers no column, so it does not make the collection visible.
    .filter(({ pattern }) => pattern !== '')
  if (entries.some(({ collection = '*', pattern }) => isAnything(collection) && isAnything(pattern))) return undefined
  return {
    patternsOf(collection) {
      const own = entries.filter((entry) => holdsFor(entry, collection))
      return own.length === 0 ? undefined : fieldPatterns(own.map((entry) => entry.pattern))
    },
  }
}

const isAnything = (pattern: string): boolean => /^\*+$/.test(pattern)

function parseEntry(item: string): Entry {
  const colon = item.indexOf(':')
  if (colon <= 0) return { pattern: item.slice(colon + 1) }
  return { collection: item.slice(0, colon), pattern: item.slice(colon + 1) }
}

/** Exact name, or a prefix followed by `*`. */
function holdsFor({ collection: wanted }: Entry, collection: string): boolean {
  if (wanted === undefined) return true
  return wanted.endsWith('*') ? collection.startsWith(wanted.slice(0, -1)) : wanted === collection
}
