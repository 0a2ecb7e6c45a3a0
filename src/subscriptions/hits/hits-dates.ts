import { DateFault, parseDateBound } from '../../query/date/date-expression.ts'
import { expressionFault, type ParsedExpression, type ParsedFilter } from '../../query/filter/filter-syntax.ts'
import { parseRangeItem } from '../../query/filter/range-item.ts'
import { inFragment, type ParsedHits } from './hits-fragment.ts'

/** Matches texts that can only be date expressions, for any field. */
const EXPRESSION = /^\s*(?:now[+\-/]|[+-]?[0-9]+\|\|)/

interface DateCheck {
  /** Milliseconds. */
  readonly now: number
  /**
   * True if the fields are not looked up now. Bounds on any field that look like date expressions are then checked too.
   */
  readonly anyField: boolean
}

/** Validates date expressions of hits.filter that need no schema (spec 3.6 rule 1). Throws INVALID_HITS. */
export function checkHitsDates({ filter }: ParsedHits, check: DateCheck): void {
  inFragment('filter', () => {
    for (const expression of filter.f.flat()) {
      const isDated = expression.field === '$timestamp'
      if (isDated || check.anyField) checkBounds(expression, isDated, filter, check.now)
    }
  })
}

function checkBounds(expression: ParsedExpression, isDated: boolean, { dateformat }: ParsedFilter, now: number): void {
  for (const { text, roundUp } of boundsOf(expression)) {
    if (!isDated && !EXPRESSION.test(text)) continue
    if (text.trim() === '') throw expressionFault(expression, 'must not have a range with an empty bound')
    try {
      parseDateBound(text, { now, roundUp, ...(dateformat === undefined ? {} : { dateformat }) })
    } catch (error) {
      if (!(error instanceof DateFault)) throw error
      throw expressionFault(expression, error.reason)
    }
  }
}

interface Bound {
  readonly text: string
  readonly roundUp: boolean
}

function boundsOf({ op, value, items }: ParsedExpression): readonly Bound[] {
  switch (op) {
    case 'gt':
    case 'lte':
      return [{ text: value, roundUp: true }]
    case 'gte':
    case 'lt':
      return [{ text: value, roundUp: false }]
    case 'range':
      return items.flatMap(boundsOfRange)
    default:
      return []
  }
}

function boundsOfRange(item: string): readonly Bound[] {
  const range = parseRangeItem(item.trim())
  // The range syntax was validated before.
  if (typeof range === 'string') return []
  return [
    { text: range.min, roundUp: !range.includesMin },
    { text: range.max, roundUp: range.includesMax },
  ]
}
