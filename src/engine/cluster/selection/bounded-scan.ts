import { problem } from '../../../errors.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import type { StoredDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { countMatching } from '../request/match-count.ts'
import { scanMatching } from './document-scan.ts'
import { compileSelection } from './selection-query.ts'

/**
 * The documents of a selection, where they must be read because the cluster lacks `primitive`: NOT_IMPLEMENTED naming it
 * when there are more than `limits.scan`, found out before any is read. `paths`: the only parts of the source wanted.
 */
export async function* readMatching(
  context: ClusterContext,
  selection: Selection,
  primitive: string,
  paths: readonly string[],
  signal?: AbortSignal,
): AsyncIterable<readonly StoredDocument[]> {
  const { indices } = selection
  const { scan: most } = context.limits
  const query = await compileSelection(context, selection, signal)
  const matches = await countMatching(context, indices, query, signal)
  if (matches > most) {
    const name = `${primitive} over more than ${most} documents (setting limits.scan)`
    throw problem('NOT_IMPLEMENTED', { name, owner: context.dialect.label })
  }
  if (matches > 0) yield* scanMatching(context, indices, query, signal, { paths })
}
