import type { SortKey } from '../../query/plan.ts'
import type { WireObject } from './cluster-client.ts'

/** The `sort` of a search or of top hits: missing values last, `reversed` for pages read backwards (missing first). */
export function compileSort(_keys: readonly SortKey[], _reversed = false): readonly WireObject[] {
  throw new Error('not written yet')
}
