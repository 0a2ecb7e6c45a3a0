import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import type { Dialect } from '../request/dialect.ts'
import { compilePlace, compileSort } from '../selection/sort-keys.ts'

/** Default order. Without a sort pages must not overlap either; all copies of a shard agree on this order. */
const AS_WRITTEN: readonly WireObject[] = [{ _seq_no: { order: 'asc' } }]

/** A key that is equal for all documents of a search without scores. */
const EQUAL: WireObject = { _score: { order: 'desc' } }
const EQUAL_PLACE: WireJson = 0

/** Compiles the sort order of a search and the start of its page. A `before` page is read backwards. */
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
 * True for a first sort key of type DOUBLE on OpenSearch. OpenSearch skips documents using the index of the first sort
 * key. For a scaled_float (a DOUBLE in our types) it misreads that index and loses documents. It does not skip if
 * another key comes first.
 */
function prunesWrongly([first]: readonly SortKey[], { family }: Dialect): boolean {
  return family === 'opensearch' && first?.kind === 'field' && first.field.type === 'DOUBLE'
}
