import type { Draw, HttpCall, Question } from './question.ts'

/** A filter parameter of Periplus. */
export const f = (field: string, op: string, value: string): string =>
  `f=${encodeURIComponent(`${field}:${op}:${value}`)}`

export const agg = (text: string): string => `agg=${encodeURIComponent(text)}`

export const q = (text: string): string => `q=${encodeURIComponent(text)}`

/** Returns a function that makes requests to a collection: operation, then parameters. */
export const explorer =
  (collection: string) =>
  (operation: string, ...parameters: readonly string[]): HttpCall => ({
    method: 'GET',
    path: `/explore/${collection}/${operation}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`,
  })

/** A request to the collection of the points. */
export const explore = explorer('bench')

/** Newest first, in the order of their ids if they are of the same time. */
export const NEWEST = 'sort=-seen,id'

export const inRange = ({ range }: Draw): string => f('seen', 'range', `[${range.from}<${range.to}]`)

export const tilePath = ({ tile }: Draw): string => `${tile.z}/${tile.x}/${tile.y}`

export const ringText = ({ ring }: Draw): string => `POLYGON((${ring.map(([x, y]) => `${x} ${y}`).join(',')}))`

export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** The box around the drawn ring. */
export function boxOf({ ring }: Draw): Box {
  const lons = ring.map(([lon]) => lon)
  const lats = ring.map(([, lat]) => lat)
  return { west: Math.min(...lons), south: Math.min(...lats), east: Math.max(...lons), north: Math.max(...lats) }
}

export const boxText = (d: Draw): string => {
  const { west, south, east, north } = boxOf(d)
  return `${west},${south},${east},${north}`
}

/** Questions of one group. */
export const inGroup = (group: Question['group'], questions: readonly Omit<Question, 'group'>[]): readonly Question[] =>
  questions.map((question) => ({ ...question, group }))
