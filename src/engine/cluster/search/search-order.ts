import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import type { Dialect } from '../request/dialect.ts'
import { compilePlace, compileSort } from '../selection/sort-keys.ts'

/** Where there is nothing to sort by, pages must not overlap all the same; every copy of a shard agrees on this. */
const AS_WRITTEN: readonly WireObject[] = [{ _seq_no: { order: 'asc' } }]

/** All documents of a search without scores are equal in this. */
const EQUAL: WireObject = { _score: { order: 'desc' } }
const EQUAL_PLACE: WireJson = 0

/** The order of a search, and where its page begins: a `before` page is read backwards. */
export function compileOrder({ sort, from, cursor }: Omit<SearchPlan, 'size'>, dialect: Dialect): WireObject {
  if (sort.length === 0) return { sort: AS_WRITTEN, from }
  const guarded = prunesWrongly(sort, dialect)
  const keys = compileSort(sort, cursor?.direction === 'before')
  const order = { sort: guarded ? [EQUAL, ...keys] : keys }
  if (cursor === undefined) return { ...order, from }
  const place = compilePlace(sort, cursor.values)
  return { ...order, search_after: guarded ? [EQUAL_PLACE, ...place] : place }
}

/**
 * OpenSearch skips documents that a page cannot need by the index of the first sort key. Of a scaled_float, which is a
 * DOUBLE to us, it misreads that index and loses documents; behind another key nothing is skipped.
 */
function prunesWrongly([first]: readonly SortKey[], { family }: Dialect): boolean {
  return family === 'opensearch' && first?.kind === 'field' && first.field.type === 'DOUBLE'
}
