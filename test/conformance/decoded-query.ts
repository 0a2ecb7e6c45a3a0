import type { VectorFilter } from './vector.ts'

type Parameters = readonly (readonly [string, string])[]

/** Parses a decoded query as in the specification, such as `f=a:eq:b&size=2`. Values must not contain `&`. */
export function decodedQuery(text: string): Parameters {
  if (text === '') return []
  return text.split('&').map((p): readonly [string, string] => {
    const at = p.indexOf('=')
    return [p.slice(0, at), p.slice(at + 1)]
  })
}

const pieces = (text: string): string[] => text.split(/(?<!\\);/).map((p) => p.replaceAll('\\;', ';'))

/** Converts the filter parameters of a GET to the Filter of a body. Incomplete triplets have missing members. */
export function filterBody(parameters: Parameters): VectorFilter {
  const all = (name: string): string[] => parameters.filter(([n]) => n === name).map(([, v]) => v)
  const expression = (piece: string): { field: string; op: string; value: string } => {
    const [, field, op, value] = /^([^:]*)(?::([^:]*))?(?::(.*))?$/s.exec(piece) ?? []
    return JSON.parse(JSON.stringify({ field, op, value }))
  }
  const [dateformat] = all('dateformat')
  const [righthand] = all('righthand')
  return {
    f: all('f').map((group) => pieces(group).map(expression)),
    q: all('q').map(pieces),
    ...(dateformat === undefined ? {} : { dateformat }),
    ...(righthand === undefined ? {} : { righthand: righthand === 'true' }),
  }
}
