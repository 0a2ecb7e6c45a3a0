import type { SearchPlan, Selection } from '../../query/plan.ts'
import type { SearchResult, StoredDocument } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'

export async function search(
  _context: ClusterContext,
  _plan: SearchPlan,
  _signal?: AbortSignal,
): Promise<SearchResult> {
  throw new Error('not written yet')
}

export async function count(_context: ClusterContext, _selection: Selection, _signal?: AbortSignal): Promise<number> {
  throw new Error('not written yet')
}

/** The document stored under an `_id`, written a moment ago or not. */
export async function document(
  _context: ClusterContext,
  _index: string,
  _id: string,
  _signal?: AbortSignal,
): Promise<StoredDocument | undefined> {
  throw new Error('not written yet')
}
