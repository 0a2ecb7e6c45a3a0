import type { DuckDBConnection } from '@duckdb/node-api'
import type { IndexDefinition } from '../index/index-definition.ts'
import { withoutAids } from '../index/table-layout.ts'
import type { TermRanks } from '../index/terms.ts'
import { dropNewestFirst } from '../shortcut/newest-first.ts'

/** Replaces a removed path in a list whose indices must stay the same. */
const NO_PATH = ''

/**
 * Removes what arranging has added to the fields at `paths`, because edits invalidate it. Other fields keep theirs. The
 * columns are dropped, so that the query of a reader that still uses them fails and is retried. Returns the definition
 * itself if there was nothing to remove.
 */
export async function dropAids(
  connection: DuckDBConnection,
  before: IndexDefinition,
  paths: ReadonlySet<string>,
): Promise<IndexDefinition> {
  const definition = withoutExtremes(before, paths)
  const { layout, dropped } = withoutAids(definition.layout, paths)
  const lookups = without(definition.lookups, paths)
  const counted = definition.counted && without(definition.counted, paths)
  if (layout === definition.layout && lookups === definition.lookups && counted === definition.counted)
    return definition
  for (const { name } of dropped) await connection.run(`ALTER TABLE ${definition.table} DROP COLUMN ${name}`)
  const remaining = { ...definition, layout, lookups, ...(counted && { counted }), lacksAids: true }
  if (dropped.length === 0) return remaining
  await dropNewestFirst(connection, definition.table)
  const { newest: _newest, ...rest } = remaining
  return rest
}

/** Missing extremes alone do not justify another arrangement, so `lacksAids` is not set. */
function withoutExtremes(definition: IndexDefinition, paths: ReadonlySet<string>): IndexDefinition {
  const extremes = definition.extremes?.filter(({ path }) => !paths.has(path))
  return extremes?.length === definition.extremes?.length
    ? definition
    : { ...definition, ...(extremes && { extremes }) }
}

export function withoutTerms(terms: TermRanks, paths: ReadonlySet<string>): TermRanks {
  if (![...paths].some((path) => terms.has(path))) return terms
  return new Map([...terms].filter(([path]) => !paths.has(path)))
}

/** Paths are identified by their index in the list, so the list keeps its length. */
function without(list: readonly string[], paths: ReadonlySet<string>): readonly string[] {
  return list.some((path) => paths.has(path)) ? list.map((path) => (paths.has(path) ? NO_PATH : path)) : list
}
