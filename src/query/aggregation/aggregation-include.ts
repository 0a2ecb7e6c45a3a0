import { splitEscaped } from '../filter/escaped-list.ts'
import type { KeywordPattern } from '../pattern/keyword-pattern.ts'
import { PatternFault, parseKeywordPattern } from '../pattern/keyword-pattern-parser.ts'
import type { TermInclude } from '../plan/aggregation-plan.ts'
import type { Field } from '../schema/field.ts'
import { parseDecimal } from '../value/numbers.ts'
import { readTypedText } from '../value/typed-text.ts'
import type { AggregationDraft } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'

/** The values of `include`, split; their meaning depends on the type of the field. */
export interface ParsedInclude {
  readonly position: number
  readonly written: string
  readonly values: readonly string[]
  /** Set for a single value: the pattern it means on a KEYWORD field, or the parse error. */
  readonly pattern?: KeywordPattern | PatternFault
}

/** Rule V18, the checks that need no field. */
export function parseInclude(draft: AggregationDraft, patternLength: number): ParsedInclude | undefined {
  const { position, type, include: written } = draft
  if (written === undefined) return undefined
  if (type !== 'term') throw aggregationFault(position, 'include', `must not be given for type ${type}`, written)
  const values = splitEscaped(written, ',').map((value) => value.trim())
  const [only] = values
  if (only === undefined || values.length > 1) return { position, written, values }
  const pattern = readPattern(only, patternLength)
  // `+5` is a number but not a valid pattern, so the error is raised only once the field type is known.
  if (pattern instanceof PatternFault && (parseDecimal(only) === undefined || only.length > patternLength)) {
    throw patternFault(position, written, pattern)
  }
  return { position, written, values, pattern }
}

function readPattern(text: string, maxLength: number): KeywordPattern | PatternFault {
  try {
    return parseKeywordPattern(text, maxLength)
  } catch (error) {
    if (error instanceof PatternFault) return error
    throw error
  }
}

const patternFault = (position: number, written: string, { reason }: PatternFault): Error =>
  aggregationFault(position, 'include', reason, written)

/** Rest of rule V18 (spec 2.4): a single value on a KEYWORD field is an anchored pattern; other values are exact. */
export function resolveInclude(include: ParsedInclude, field: Field): TermInclude {
  const { position, written, values, pattern } = include
  if (field.type === 'KEYWORD') {
    if (pattern === undefined) return { kind: 'values', values: [...new Set(values)] }
    if (pattern instanceof PatternFault) throw patternFault(position, written, pattern)
    return { kind: 'pattern', pattern: { ...pattern, anchoredStart: true, anchoredEnd: true } }
  }
  const exact = values.map((value) => {
    // Null: a number outside the type, which no term equals.
    const scalar = readTypedText(field, value)
    if (scalar !== undefined) return scalar
    const reason = `must contain values that are valid for ${field.path}, a field of type ${field.type}`
    throw aggregationFault(position, 'include', reason, value)
  })
  return { kind: 'values', values: [...new Set(exact.filter((value) => value !== null))] }
}
