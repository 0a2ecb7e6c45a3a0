import type { Limits } from '../../config/settings.ts'
import { type Problem, problem } from '../../errors.ts'
import type { Cql2Context } from '../cql2/cql2-context.ts'
import { Cql2Fault, Cql2TooDeep } from '../cql2/cql2-fault.ts'
import type { Cql2 } from '../cql2/expression.ts'
import { parseCql2Json } from '../cql2/json-parser.ts'
import { resolveCql2 } from '../cql2/resolve-cql2.ts'
import { parseCql2Text } from '../cql2/text-parser.ts'
import type { Predicate } from '../plan/predicate.ts'

/** A parsed expression, and where the request has it. */
export interface ParsedCql2 {
  readonly node: Cql2
  /** `filter` for GET parameters, `filter.cql2` in a body. */
  readonly place: string
  /** As sent, for messages about the text form. */
  readonly written?: string
}

/** Parses a CQL2 expression: a text, or the JSON form. Throws INVALID_FILTER with the position. */
export function parseCql2(value: unknown, place: string, limits: Limits): ParsedCql2 {
  const written = typeof value === 'string' ? { written: value } : {}
  const bounds = { depth: limits.filterDepth, vertices: limits.vertices }
  const node = coded({ place, ...written }, limits, () =>
    typeof value === 'string' ? parseCql2Text(value, bounds) : parseCql2Json(value, bounds),
  )
  return { node, place, ...written }
}

/** Resolves an expression against the schema. Throws INVALID_FILTER with the position. */
export const resolveParsedCql2 = (parsed: ParsedCql2, limits: Limits, context: Cql2Context): Predicate =>
  coded(parsed, limits, () => resolveCql2(parsed.node, context))

type Written = Pick<ParsedCql2, 'place' | 'written'>

function coded<T>(written: Written, limits: Limits, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Cql2Fault) throw faultOf(error, written)
    if (!(error instanceof Cql2TooDeep)) throw error
    throw problem('LIMIT_EXCEEDED', {
      parameter: written.place,
      reason: `must not be nested deeper than ${limits.filterDepth}`,
      setting: 'limits.filterDepth',
    })
  }
}

function faultOf({ reason, at }: Cql2Fault, { place, written }: Written): Problem {
  if (typeof at === 'string') return problem('INVALID_FILTER', { parameter: `${place}${at}`, reason })
  return problem('INVALID_FILTER', {
    parameter: place,
    reason: `${reason} (character ${at + 1})`,
    ...(written === undefined ? {} : { value: written }),
  })
}
