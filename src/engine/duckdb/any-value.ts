import type { FieldLayout } from './table-layout.ts'

/** `condition` holds for the single value, or for one of the list of a document with several. */
export function anyValue(field: FieldLayout, condition: (value: string) => string): string {
  const single = condition(field.column)
  if (!field.several) return single
  return `(${single} OR len(list_filter(${field.column}_all, lambda v: ${condition('v')})) > 0)`
}
