import type { SearchPlan } from '../../../../query/plan/plan.ts'
import type { PartOutline } from '../../segment/part.ts'
import type { NumberedPart } from '../numbered-part.ts'

/** Returns why the sort keys of a plan cannot be read from the parts. Does not look at the predicate. */
export function pageGap(plan: SearchPlan, parts: readonly NumberedPart<PartOutline>[]): string | undefined {
  for (const { kind, field } of plan.sort) {
    if (field.isId) return 'sort by identifier'
    for (const { part } of parts) {
      const column = part.column(field)
      if (!column) continue
      if (kind === 'distance') {
        // The values of a cursor are those of documents, and distances are not.
        if (plan.cursor) return 'a cursor by distance'
        if (column.kind !== 'point' && column.kind !== 'shape') return 'distance from a field without places'
      } else if (column.kind === 'number') {
        if (column.inexact) return 'integers beyond 2^53'
      } else if (column.kind !== 'code') return `sort by ${field.type}`
    }
  }
  return undefined
}
