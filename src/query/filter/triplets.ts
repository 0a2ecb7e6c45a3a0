import { problem } from '../../errors.ts'
import type { Expression } from '../../model/filter.ts'
import { splitEscaped } from './escaped-list.ts'

/** Converts GET `f` and `q` parameters to the Filter of a body (spec 3.1, 3.3.1, 3.3.2). */
export function parseTriplets(
  f: readonly string[],
  q: readonly string[],
): { readonly f: Expression[][]; readonly q: string[][] } {
  return { f: f.map((text) => alternatives(text).map(parseTriplet)), q: q.map(alternatives) }
}

/** Splits alternatives at semicolons; empty ones are dropped. */
export const alternatives = (text: string): string[] => splitEscaped(text, ';').filter((piece) => piece !== '')

function parseTriplet(piece: string): Expression {
  const first = piece.indexOf(':')
  const second = first < 0 ? -1 : piece.indexOf(':', first + 1)
  const reason = 'must consist of field:operator:value triplets'
  if (second < 0) throw problem('INVALID_FILTER', { parameter: 'f', value: piece, reason })
  const expression = {
    field: piece.slice(0, first),
    op: piece.slice(first + 1, second),
    value: piece.slice(second + 1),
  }
  const missing = expression.field === '' ? 'field' : expression.op === '' ? 'operator' : 'value'
  if (expression.field === '' || expression.op === '' || expression.value === '') {
    throw problem('INVALID_FILTER', { parameter: 'f', value: piece, reason: `${reason}, but one has no ${missing}` })
  }
  return expression
}
