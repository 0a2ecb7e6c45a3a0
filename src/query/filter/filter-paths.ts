import type { ParsedFilter } from './filter-syntax.ts'

/** The paths a filter names; a `q` that searches all fields, or a pattern of them, names `*`. */
export function filterPaths({ f, q }: ParsedFilter, resolve: (name: string) => string): readonly string[] {
  const named = f.flat().map(({ field }) => resolve(field))
  return [...named, ...q.flat().map(({ text }) => queryPath(text))]
}

/** What stands before the colon may or may not be a field: that must not show. */
function queryPath(text: string): string {
  const before = text.slice(0, Math.max(0, text.indexOf(':')))
  return before === '' || /[\s*]/.test(before) ? '*' : before
}
