import type { AggregationDraft } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'
import { parseSignedNames, type SignedName, splitSortList } from './aggregation-sort-list.ts'

/** fetch_hits as requested; names are not resolved yet. */
interface HitsRequest {
  readonly size: number
  /** Empty: whole documents. */
  readonly names: readonly SignedName[]
}

const DEFAULT_HITS = 1
const FORM = 'must be {n}, {n}(names) or (names), n an integer of at least 1 and names such as field, +field or -field'

/** Rule V25. */
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

/** A text of another form is returned whole as the size, which then fails validation. */
function cutText(text: string): CutHits {
  const open = text.indexOf('(')
  if (open < 0 || !text.endsWith(')')) return { size: text }
  const size = text.slice(0, open).trim()
  return { ...(size === '' ? {} : { size }), include: splitSortList(text.slice(open + 1, -1)) }
}

/** Parses an integer of at least 1, given as digits or as a number; undefined if invalid. */
export function readCount(value: string | number): number | undefined {
  const count = typeof value === 'number' ? value : /^\d+$/.test(value) ? Number(value) : Number.NaN
  return count >= 1 && (Number.isInteger(count) || count === Infinity) ? count : undefined
}
