import { type FieldPatterns, fieldPatterns } from '../schema/field-pattern.ts'

/** Which columns of which collections may be seen (spec 9.2). */
export interface ColumnFilter {
  /** Patterns of the fields of a collection; undefined when the collection itself may not be seen. */
  patternsOf(collection: string): FieldPatterns | undefined
}

interface Entry {
  /** Absent: every collection. */
  readonly collection?: string
  readonly pattern: string
}

/**
 * Entries `pattern`, `:pattern` or `collection:pattern`, separated by commas; blanks do not count. Undefined when one
 * of them covers every column of every collection: nothing is narrowed then.
 */
export function parseColumnFilter(header: string): ColumnFilter | undefined {
  const entries = header
    .split(',')
    .map((item) => item.replaceAll(/\s+/g, ''))
    .filter((item) => item !== '')
    .map(parseEntry)
    // `trips:` covers nothing, so it does not show the collection either.
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

/** A name, or a beginning of names with `*` behind it. */
function holdsFor({ collection: wanted }: Entry, collection: string): boolean {
  if (wanted === undefined) return true
  return wanted.endsWith('*') ? collection.startsWith(wanted.slice(0, -1)) : wanted === collection
}
