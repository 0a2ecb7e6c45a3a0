/** One parsed `min<max` item of a range value with its brackets (spec 3.7.1). */
export interface RangeItem {
  readonly min: string
  readonly max: string
  readonly includesMin: boolean
  readonly includesMax: boolean
}

const isBracket = (character: string | undefined): boolean => character === '[' || character === ']'

/** Parses one item, or returns the error as a clause. */
export function parseRangeItem(item: string): RangeItem | string {
  const opens = isBracket(item[0])
  const closes = item.length > 1 && isBracket(item.at(-1))
  if (opens !== closes) return 'has a range with only one bracket'
  const inner = opens ? item.slice(1, -1) : item
  const split = inner.lastIndexOf('<')
  if (split < 0) return "has a range without '<' between its bounds"
  return {
    min: inner.slice(0, split),
    max: inner.slice(split + 1),
    includesMin: !opens || item[0] === '[',
    includesMax: !opens || item.at(-1) === ']',
  }
}
