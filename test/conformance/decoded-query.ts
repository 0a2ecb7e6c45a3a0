import type { VectorFilter } from './vector.ts'

type Parameters = readonly (readonly [string, string])[]

/** `f=a:eq:b&size=2`, as the specification prints it (decoded), into parameters. No value may hold `&`. */
export function decodedQuery(text: string): Parameters {
  if (text === '') return []
  return text.split('&').map((p): readonly [string, string] => {
    const at = p.indexOf('=')
    return [p.slice(0, at), p.slice(at + 1)]
  })
}

const pieces = (text: string): string[] => text.split(/(?<!\\);/).map((p) => p.replaceAll('\\;', ';'))

/** The filter parameters of a GET as the Filter of a body; a piece that is no triplet leaves members out. */
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
