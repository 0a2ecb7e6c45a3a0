import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../../../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../../../query/plan/plan.ts'
import { fieldsOfLeaf, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { groupedFields } from '../kernel/group/coverage.ts'
import type { NumberedPart } from '../kernel/numbered-part.ts'
import { openAll, type StoredPart, type Wanted } from '../segment/part.ts'
import type { IndexTable } from '../table/index-table.ts'

/** Returns the parts of tables, not opened. */
export const storedParts = (tables: readonly IndexTable[]): readonly NumberedPart<StoredPart>[] =>
  tables.flatMap(({ parts }, table) => parts.parts.map((part) => ({ part, table })))

/** Runs `work` with the parts of tables, which are released after it. */
export async function withParts<T>(
  tables: readonly IndexTable[],
  wanted: Wanted,
  signal: AbortSignal | undefined,
  work: (parts: readonly NumberedPart[]) => Promise<T>,
): Promise<T> {
  const stored = storedParts(tables)
  const { parts, release } = await openAll(
    stored.map(({ part }) => part),
    wanted,
    signal,
  )
  try {
    return await work(parts.map((part, i) => ({ part, table: stored[i]?.table ?? 0 })))
  } finally {
    release()
  }
}

/** What kernels read of the parts, by plan. */
export const wantedOf = {
  selection: ({ predicate }: Selection): Wanted => ({ fields: fieldsOf(predicate) }),
  page: ({ predicate, sort, wantsIds }: SearchPlan): Wanted => ({
    fields: [...fieldsOf(predicate), ...sort.map(({ field }) => field)],
    extents: true,
    ...(wantsIds ? { ids: true } : {}),
  }),
  groups: (plan: AggregationPlan): Wanted => ({
    fields: [...fieldsOf(plan.predicate), ...groupedFields(plan)],
    // Documents of buckets are ordered by them, and read from there.
    extents: plan.levels.some(({ tops }) => tops.length > 0),
  }),
  measures: (plan: MeasurePlan): Wanted => ({ fields: [...fieldsOf(plan.predicate), ...groupedFields(plan)] }),
  suggestions: ({ predicate, fields }: SuggestPlan): Wanted => ({ fields: [...fieldsOf(predicate), ...fields] }),
}

/** Returns the fields of a predicate. */
function fieldsOf(predicate: Predicate): readonly Field[] {
  switch (predicate.kind) {
    case 'everything':
    case 'nothing':
      return []
    case 'and':
    case 'or':
      return predicate.members.flatMap(fieldsOf)
    case 'not':
      return fieldsOf(predicate.member)
    default:
      return fieldsOfLeaf(predicate)
  }
}
