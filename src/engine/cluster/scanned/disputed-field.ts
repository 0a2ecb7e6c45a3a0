import type { AggregationLevel } from '../../../query/plan/aggregation-plan.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import { readFieldHomes } from '../condition/field-homes.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { neededFields } from './scanned-fields.ts'

/**
 * Returns the first field of the levels that has different types in some of the indices. A cluster rejects grouping and
 * sorting by such a field, or mixes incompatible values. An index where it has another type counts as one without it.
 */
export async function findDisputed(
  context: ClusterContext,
  { indices }: Selection,
  levels: readonly AggregationLevel[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (indices.length < 2) return undefined
  const { fields } = neededFields(levels)
  const members = fields.map((field) => ({ kind: 'exists', field }) as const)
  const homes = await readFieldHomes(context, { indices, predicate: { kind: 'and', members } }, signal)
  return fields.find(({ path }) => homes.get(path)?.some((home) => home.indices !== undefined))?.path
}
