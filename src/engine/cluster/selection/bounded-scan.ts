import type { Query } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import type { StoredDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { countMatching } from '../request/search-call.ts'
import { scanMatching } from './document-scan.ts'

/** Reason for reading documents, and the parts to read. */
export interface BoundedScan {
  /** The missing primitive of the cluster. */
  readonly primitive: string
  /** Parts of the source to read. */
  readonly paths: readonly string[]
}

/**
 * Reads the documents of a compiled selection because the cluster lacks `primitive`. Counts first, and throws
 * NOT_IMPLEMENTED with the name of the primitive if there are more than `limits.scan`.
 */
export async function* scanBounded(
  context: ClusterContext,
  indices: readonly string[],
  selection: Query,
  { primitive, paths }: BoundedScan,
  signal?: AbortSignal,
): AsyncIterable<readonly StoredDocument[]> {
  const { scan: most } = context.limits
  const matches = await countMatching(context, indices, selection, signal)
  if (matches > most) {
    const name = `${primitive} over more than ${most} documents (setting limits.scan)`
    throw problem('NOT_IMPLEMENTED', { name, owner: context.dialect.label })
  }
  if (matches > 0) yield* scanMatching(context, indices, selection, signal, { paths })
}
