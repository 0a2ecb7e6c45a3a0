import type { Selection } from '../../query/plan.ts'
import type { StoredDocument } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'

export interface ScanOptions {
  /** The only parts of the source wanted; absent: all. */
  readonly paths?: readonly string[]
}

/** All documents of a selection from one point in time, batch by batch. */
export async function* scan(
  _context: ClusterContext,
  _selection: Selection,
  _signal?: AbortSignal,
  _options: ScanOptions = {},
): AsyncIterable<readonly StoredDocument[]> {
  throw new Error('not written yet')
}
