import { BLOCK, type Codes } from '../../segment/column.ts'
import { isListed, type ValueTest } from './filter-values.ts'

/** Stored codes that match; 0 is never among them. */
export type CodeSet =
  /** Both included. */
  | { readonly kind: 'range'; readonly first: number; readonly last: number }
  /** Ascending, distinct. */
  | { readonly kind: 'list'; readonly codes: Uint32Array }

export const codeRange = (first: number, last: number): CodeSet => ({ kind: 'range', first, last })

/** Makes a set of ascending, distinct codes. */
export function codeList(codes: Uint32Array): CodeSet {
  const first = codes[0] ?? 1
  const last = codes.at(-1) ?? 0
  return last - first + 1 === codes.length ? codeRange(first, last) : { kind: 'list', codes }
}

export const isEmptySet = (set: CodeSet): boolean => set.kind === 'range' && set.last < set.first

const hasCode = (set: CodeSet, code: number): boolean =>
  set.kind === 'range' ? code >= set.first && code <= set.last : isListed(set.codes, code)

/** Codes up to which a list is turned into a table of bytes. */
const LARGEST_TABLE = 2 ** 24

/** Tests codes, and packed numbers, by their positions. */
export function testCodes(codes: Codes, set: CodeSet): ValueTest {
  if (codes instanceof Uint8Array) return testBytes(codes, set)
  if (set.kind === 'range') return testRange(codes, set.first, set.last)
  const last = set.codes.at(-1) ?? 0
  return last < LARGEST_TABLE ? testTable(codes, set.codes, last) : testList(codes, set.codes)
}

/** Narrow codes of a block, copied: a loop over arrays of several types is far slower. */
const block = new Uint32Array(BLOCK)
const byteBlock = new Uint8Array(block.buffer, 0, BLOCK)
const pairBlock = new Uint16Array(block.buffer, 0, BLOCK / 2)

const isWide = (codes: Codes): codes is Uint32Array => codes instanceof Uint32Array

/** Two codes of one byte at a time, by a table of all pairs. */
function testBytes(codes: Uint8Array, set: CodeSet): ValueTest {
  const table = new Uint8Array(256)
  for (let code = 1; code < 256; code++) table[code] = Number(hasCode(set, code))
  let pairs: Uint16Array | undefined
  return {
    fill(from, to, mask) {
      pairs ??= pairTable(table)
      const rows = to - from
      byteBlock.set(codes.subarray(from, to))
      fillPairs(pairs, (rows + 1) >> 1, new Uint16Array(mask.buffer, mask.byteOffset, mask.length >> 1))
    },
    holds: (at) => table[codes[at] ?? 0] === 1,
    select: (rows, list) => selectFromTable(codes, table, rows, list),
  }
}

function selectFromTable(codes: Uint8Array, table: Uint8Array, rows: Uint32Array, list: Uint32Array): number {
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    list[count] = row
    count += table[codes[row] ?? 0] ?? 0
  }
  return count
}

/** Masks of pairs of bytes, the first in the lower half as in memory. */
function pairTable(table: Uint8Array): Uint16Array {
  const pairs = new Uint16Array(2 ** 16)
  const second = Uint16Array.from(table)
  const both = second.map((mask) => mask | 0x100)
  for (let code = 0; code < 256; code++) pairs.set(table[code] === 1 ? both : second, code * 256)
  return pairs
}

function fillPairs(pairs: Uint16Array, count: number, mask: Uint16Array): void {
  for (let i = 0; i < count; i++) mask[i] = pairs[pairBlock[i] ?? 0] ?? 0
}

function testRange(codes: Codes, first: number, last: number): ValueTest {
  const span = last - first
  return {
    fill(from, to, mask) {
      if (span < 0) {
        mask.fill(0, 0, to - from)
        return
      }
      if (isWide(codes)) {
        fillRange(codes, from, first, span, to - from, mask)
        return
      }
      block.set(codes.subarray(from, to))
      fillRange(block, 0, first, span, to - from, mask)
    },
    holds(at) {
      const code = codes[at] ?? 0
      return code >= first && code <= last
    },
    select: (rows, list) =>
      isWide(codes) ? selectRange(codes, rows, first, span, list) : selectNarrowRange(codes, rows, first, span, list),
  }
}

/** Codes below `first` wrap around to above `span`. */
function selectRange(codes: Uint32Array, rows: Uint32Array, first: number, span: number, list: Uint32Array): number {
  const least = first | 0
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    list[count] = row
    count += Number((((codes[row] ?? 0) | 0) - least) >>> 0 <= span)
  }
  return count
}

/** The same for narrow codes: one loop over arrays of several types is far slower. */
function selectNarrowRange(codes: Codes, rows: Uint32Array, first: number, span: number, list: Uint32Array): number {
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    const code = codes[row] ?? 0
    list[count] = row
    count += Number(code >= first) & Number(code - first <= span)
  }
  return count
}

function fillRange(
  codes: Uint32Array,
  from: number,
  first: number,
  span: number,
  count: number,
  mask: Uint8Array,
): void {
  const least = first | 0
  // Codes below `first` wrap around to above `span`. Without a branch, which would be mispredicted.
  for (let i = 0; i < count; i++) mask[i] = Number((((codes[from + i] ?? 0) | 0) - least) >>> 0 <= span)
}

function testTable(codes: Codes, wanted: Uint32Array, last: number): ValueTest {
  let table: Uint8Array | undefined
  return {
    fill(from, to, mask) {
      table ??= tableOf(wanted, last)
      block.set(codes.subarray(from, to))
      fillFromTable(table, to - from, mask)
    },
    holds: (at) => isListed(wanted, codes[at] ?? 0),
  }
}

function tableOf(wanted: Uint32Array, last: number): Uint8Array {
  // One more entry: that of all codes above.
  const table = new Uint8Array(last + 2)
  for (let i = 0; i < wanted.length; i++) table[wanted[i] ?? 0] = 1
  return table
}

function fillFromTable(table: Uint8Array, count: number, mask: Uint8Array): void {
  const above = table.length - 1
  for (let i = 0; i < count; i++) mask[i] = table[Math.min(block[i] ?? 0, above)] ?? 0
}

function testList(codes: Codes, wanted: Uint32Array): ValueTest {
  const between = testRange(codes, wanted[0] ?? 0, wanted.at(-1) ?? 0)
  const holds = (at: number): boolean => isListed(wanted, codes[at] ?? 0)
  return {
    fill(from, to, mask) {
      between.fill(from, to, mask)
      for (let i = 0; i < to - from; i++) if (mask[i] === 1 && !holds(from + i)) mask[i] = 0
    },
    holds,
  }
}
