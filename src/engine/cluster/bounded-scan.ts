import type { Selection } from '../../query/plan.ts'
import type { StoredDocument } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'

/**
 * The documents of a selection, where they must be read because the cluster lacks `primitive`: NOT_IMPLEMENTED naming it
 * when there are more than `limits.scan`, found out before any is read. `paths`: the only parts of the source wanted.
 */
export async function* readMatching(
  _context: ClusterContext,
  _selection: Selection,
  _primitive: string,
  _paths: readonly string[],
  _signal?: AbortSignal,
): AsyncIterable<readonly StoredDocument[]> {
  throw new Error('not written yet')
}
