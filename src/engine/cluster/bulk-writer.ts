import type { WriteOperation, WriteResult } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'
import type { IndexCatalog } from './index-catalog.ts'

/** Writes a batch; one result per operation, in order. Durable when the promise resolves. */
export async function write(
  _context: ClusterContext,
  _catalog: IndexCatalog,
  _index: string,
  _operations: readonly WriteOperation[],
): Promise<readonly WriteResult[]> {
  throw new Error('not written yet')
}
