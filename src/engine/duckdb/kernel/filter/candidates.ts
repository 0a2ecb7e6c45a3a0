import { BLOCK } from '../../segment/column.ts'
import type { Candidates, RowRange } from '../row-test.ts'

export const noCandidates: Candidates = { kind: 'rows', rows: new Uint32Array(0), exact: true }

/** Below this share of the part (1 : n), listing rows costs less than testing all of them. */
const LISTED_SHARE = 4

export const isWorthListing = (rows: number, partRows: number): boolean => rows * LISTED_SHARE <= partRows

/** Above this share of the part (1 : n), a bitmap sorts rows faster than comparisons. */
const BITMAP_SHARE = 1024

/** Returns the distinct rows of several lists in ascending order. All rows are below `partRows`. */
export function ascendingRows(lists: readonly Uint32Array[], partRows: number): Uint32Array {
  const total = lists.reduce((sum, list) => sum + list.length, 0)
  return total * BITMAP_SHARE > partRows ? sortByBitmap(lists, total, partRows) : sortByValue(lists, total)
}

function sortByValue(lists: readonly Uint32Array[], total: number): Uint32Array {
  const rows = new Uint32Array(total)
  let at = 0
  for (const list of lists) {
    rows.set(list, at)
    at += list.length
  }
  rows.sort()
  let count = 0
  let last = -1
  for (let i = 0; i < total; i++) {
    const row = rows[i] ?? 0
    if (row === last) continue
    rows[count++] = row
    last = row
  }
  return rows.subarray(0, count)
}

function sortByBitmap(lists: readonly Uint32Array[], total: number, partRows: number): Uint32Array {
  const words = new Int32Array((partRows + 31) >>> 5)
  for (const list of lists) setBits(words, list)
  const rows = new Uint32Array(total)
  let count = 0
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? 0
    while (word !== 0) {
      rows[count++] = (i << 5) + 31 - Math.clz32(word & -word)
      word &= word - 1
    }
  }
  return rows.subarray(0, count)
}

function setBits(words: Int32Array, rows: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    const word = row >>> 5
    words[word] = (words[word] ?? 0) | (1 << (row & 31))
  }
}

/** Candidates of a disjunction. */
export function uniteCandidates(all: readonly Candidates[], partRows: number): Candidates {
  const exact = all.every((each) => each.exact)
  const lists = all.flatMap((each) => (each.kind === 'rows' ? [each.rows] : []))
  if (lists.length === all.length) return { kind: 'rows', rows: ascendingRows(lists, partRows), exact }
  const ranges = all.flatMap((each) => (each.kind === 'ranges' ? each.ranges : blocksOf(each.rows, partRows)))
  return { kind: 'ranges', ranges: mergeRanges(ranges), exact: exact && lists.length === 0 }
}

/** Ranges of the blocks that contain some of the rows. */
function blocksOf(rows: Uint32Array, partRows: number): readonly RowRange[] {
  const ranges: RowRange[] = []
  for (let at = 0; at < rows.length; ) {
    const from = Math.floor((rows[at] ?? 0) / BLOCK) * BLOCK
    ranges.push([from, Math.min(partRows, from + BLOCK)])
    at = lowerBound(rows, from + BLOCK, at, rows.length)
  }
  return ranges
}

function mergeRanges(ranges: readonly RowRange[]): readonly RowRange[] {
  const merged: RowRange[] = []
  for (const range of [...ranges].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last === undefined || range[0] > last[1]) merged.push(range)
    else merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])]
  }
  return merged
}

/** Returns the first position from `from` to `to` whose value is not less than `value`; `to` if none. */
export function lowerBound(ascending: ArrayLike<number>, value: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
