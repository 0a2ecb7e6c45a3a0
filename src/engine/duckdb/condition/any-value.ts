import { listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'

/**
 * Compiles that `condition` holds for at least one value of the field. `quick`: a cheap condition that is true for
 * every row whose list matches.
 */
export function anyValue(field: FieldLayout, condition: (value: string) => string, quick?: string): string {
  const single = condition(field.column)
  if (!field.several) return single
  const among = `len(list_filter(${listOf(field)}, lambda v: ${condition('v')})) > 0`
  return `(${single} OR ${quick === undefined ? among : `(${quick} AND ${among})`})`
}
