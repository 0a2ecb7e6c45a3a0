import type { AggregationDraft } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'
import { parseSignedNames, type SignedName, splitSortList } from './aggregation-sort-list.ts'

/** fetch_hits as asked for; names are not replaced yet. */
export interface HitsRequest {
  readonly size: number
  /** Empty: whole documents. */
  readonly names: readonly SignedName[]
}

const DEFAULT_HITS = 1
const FORM = 'must be {n}, {n}(names) or (names), n an integer of at least 1 and names such as field, +field or -field'

/** V25. */
export function readFetchHits({ fetchHits, position }: AggregationDraft): HitsRequest | undefined {
  if (fetchHits === undefined) return undefined
  const { size, include } = typeof fetchHits === 'string' ? cutText(fetchHits) : fetchHits
  const count = size === undefined ? DEFAULT_HITS : readCount(size)
  const names = parseSignedNames(include ?? [])
  if (count === undefined || names === undefined || names.some(({ name }) => /[()[\]]/.test(name))) {
    throw aggregationFault(position, 'fetch_hits', FORM, fetchHits)
  }
  return { size: count, names }
}

interface CutHits {
  readonly size?: string
  readonly include?: readonly string[]
}

/** A text of another form is left whole as the size, which it cannot be. */
function cutText(text: string): CutHits {
  const open = text.indexOf('(')
  if (open < 0 || !text.endsWith(')')) return { size: text }
  const size = text.slice(0, open).trim()
  return { ...(size === '' ? {} : { size }), include: splitSortList(text.slice(open + 1, -1)) }
}

/** An integer of at least 1, in digits or as a number; undefined when it is not one. */
export function readCount(value: string | number): number | undefined {
  const count = typeof value === 'number' ? value : /^\d+$/.test(value) ? Number(value) : Number.NaN
  return count >= 1 && (Number.isInteger(count) || count === Infinity) ? count : undefined
}
