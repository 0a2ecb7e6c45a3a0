import { namesIn } from '../cql2/expression.ts'
import type { ParsedFilter } from './filter-syntax.ts'

/** Returns the paths a filter names; a `q` that searches all fields, or a pattern of fields, names `*`. */
export function filterPaths(filter: ParsedFilter, resolve: (name: string) => string): readonly string[] {
  return [...comparedPaths(filter, resolve), ...filter.q.flat().map(({ text }) => queryPath(text))]
}

/** Returns the paths whose values a filter compares: those of f and CQL2. */
export function comparedPaths({ f, cql2 }: ParsedFilter, resolve: (name: string) => string): readonly string[] {
  const named = f.flat().map(({ field }) => resolve(field))
  return cql2 === undefined ? named : [...named, ...namesIn(cql2.node)]
}

/** The text before the colon counts as a path even if no such field exists, so that the result does not reveal that. */
function queryPath(text: string): string {
  const before = text.slice(0, Math.max(0, text.indexOf(':')))
  return before === '' || /[\s*]/.test(before) ? '*' : before
}
