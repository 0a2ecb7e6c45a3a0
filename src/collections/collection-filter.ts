import type { Limits } from '../config/settings.ts'
import type { IndexInfo } from '../engine/engine.ts'
import type { CollectionReferenceParameters } from '../model/collection.ts'
import { resolveParsedFilter } from '../query/filter/filter-resolver.ts'
import { parseFilter } from '../query/filter/filter-syntax.ts'
import { expressionBudget } from '../query/plan/expression-budget.ts'
import { compilePatterns } from '../query/schema/field-pattern.ts'
import { schemaOf } from '../query/schema/schema.ts'

interface FilterCheck {
  /** The indices behind the collection. Empty if it is registered before its index exists. */
  readonly infos: readonly IndexInfo[]
  readonly now: number
  readonly limits: Limits
}

/**
 * Validates the filter of a collection with the rules of spec 3, so that an invalid one fails when it is stored and not
 * when it is used. If no index exists yet, only the syntax is checked; unknown fields are accepted.
 */
export function checkCollectionFilter(
  params: CollectionReferenceParameters,
  { infos, now, limits }: FilterCheck,
): void {
  if (params.filter === undefined) return
  const syntax = { limits, budget: expressionBudget(limits), parameter: 'filter', places: params }
  const parsed = parseFilter(params.filter, syntax)
  if (infos.length === 0) return
  resolveParsedFilter(parsed, {
    ...syntax,
    schema: schemaOf(infos),
    timestampPath: params.timestamp_path,
    hidden: compilePatterns(params.exclude_fields),
    now,
  })
}
