import { problem } from '../../../errors.ts'
import { indexMatcher } from '../../index-pattern.ts'
import type { IndexTable } from './index-table.ts'

/** Throws INDEX_NOT_FOUND. */
export function tableOf(tables: ReadonlyMap<string, IndexTable>, name: string): IndexTable {
  const table = tables.get(name)
  if (!table) throw problem('INDEX_NOT_FOUND', { name })
  return table
}

/** Throws INDEX_NOT_FOUND if one of them does not exist. */
export const tablesOf = (tables: ReadonlyMap<string, IndexTable>, names: readonly string[]): readonly IndexTable[] =>
  names.map((name) => tableOf(tables, name))

/** The tables whose names match a pattern, by name. */
export function matchingTables(tables: ReadonlyMap<string, IndexTable>, pattern: string): readonly IndexTable[] {
  if (!pattern.includes('*')) {
    const table = tables.get(pattern)
    return table === undefined ? [] : [table]
  }
  const matches = indexMatcher(pattern)
  return [...tables.values()].filter((t) => matches(t.name)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** True for an index that shows files instead of holding documents. */
export const isOpened = ({ definition }: IndexTable): boolean => definition.opened !== undefined
