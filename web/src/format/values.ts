import { formatMoment } from './dates.ts'
import { formatFigure } from './numbers.ts'

/** Formats a document value. Dates that are not in milliseconds are shown unchanged. */
export function formatValue(value: unknown, type: string): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((item) => formatValue(item, type)).join(', ')
  if (typeof value === 'number') return type === 'DATE' ? formatMoment(value) : formatFigure(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
