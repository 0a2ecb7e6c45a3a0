/** One `min<max` of a range value, its brackets read (spec 3.7.1). */
export interface RangeItem {
  readonly min: string
  readonly max: string
  readonly includesMin: boolean
  readonly includesMax: boolean
}

const isBracket = (character: string | undefined): boolean => character === '[' || character === ']'

/** Reads one item, or says as a clause what is wrong with it. */
export function parseRangeItem(item: string): RangeItem | string {
  const opens = isBracket(item[0])
  const closes = item.length > 1 && isBracket(item.at(-1))
  if (opens !== closes) return 'has a range with one bracket only'
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
