import type { Query } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import type { StoredDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { countMatching } from '../request/search-call.ts'
import { scanMatching } from './document-scan.ts'

/** Why documents are read, and what of them. */
export interface BoundedScan {
  /** What the cluster lacks. */
  readonly primitive: string
  /** The only parts of the source wanted. */
  readonly paths: readonly string[]
}

/**
 * The documents of a compiled selection, where they must be read because the cluster lacks `primitive`: NOT_IMPLEMENTED
 * naming it when there are more than `limits.scan`, found out before any is read.
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
