import { formatMoment } from './dates.ts'
import { formatExact } from './numbers.ts'

/** A field as far as its values are formatted. */
interface FormattedField {
  readonly type: string
  /** True if the digits of its numbers are not grouped. */
  readonly isLabel: boolean
}

/** Formats a document value with all its digits. Dates that are not in milliseconds are shown unchanged. */
export function formatValue(value: unknown, field: FormattedField | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((item) => formatValue(item, field)).join(', ')
  if (typeof value === 'number') {
    if (field?.type === 'DATE') return formatMoment(value)
    return field?.isLabel === true ? String(value) : formatExact(value)
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
