import { listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'

/** `condition` holds for the single value, or for one of several. `quick`: a condition that none of those fails. */
export function anyValue(field: FieldLayout, condition: (value: string) => string, quick?: string): string {
  const single = condition(field.column)
  if (!field.several) return single
  const among = `len(list_filter(${listOf(field)}, lambda v: ${condition('v')})) > 0`
  return `(${single} OR ${quick === undefined ? among : `(${quick} AND ${among})`})`
}
