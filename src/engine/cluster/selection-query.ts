import type { Selection } from '../../query/plan.ts'
import type { Query } from './cluster-client.ts'
import type { ClusterContext } from './cluster-context.ts'

/**
 * The query that selects exactly the documents of a selection, for a `filter` clause. Conditions the cluster cannot
 * evaluate are answered first, by reading documents, and become lists of ids.
 */
export async function compileSelection(
  _context: ClusterContext,
  _selection: Selection,
  _signal?: AbortSignal,
): Promise<Query> {
  throw new Error('not written yet')
}
