import type { Selection } from '../../../query/plan/plan.ts'
import type { StoredDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { type BoundedScan, scanBounded } from './bounded-scan.ts'
import { type ScanOptions, scanMatching } from './document-scan.ts'
import { compileSelection } from './selection-query.ts'

/** Returns all documents of a selection in batches, from one point in time. */
export async function* scan(
  context: ClusterContext,
  selection: Selection,
  signal?: AbortSignal,
  options: ScanOptions = {},
): AsyncIterable<readonly StoredDocument[]> {
  const query = await compileSelection(context, selection, signal)
  yield* scanMatching(context, selection.indices, query, signal, options)
}

/** Reads the documents of a selection because the cluster lacks a primitive: at most `limits.scan`. */
export async function* readMatching(
  context: ClusterContext,
  selection: Selection,
  wanted: BoundedScan,
  signal?: AbortSignal,
): AsyncIterable<readonly StoredDocument[]> {
  const query = await compileSelection(context, selection, signal)
  yield* scanBounded(context, selection.indices, query, wanted, signal)
}
