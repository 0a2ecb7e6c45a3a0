import type { Postings } from '../../segment/column.ts'

/** Decoded lists of all columns together. */
const MOST_BYTES = 32 * 2 ** 20
/** Lists of fewer rows are decoded faster than they are looked up. */
const SMALL = 1024

interface DecodedList {
  readonly postings: WeakRef<Postings>
  readonly code: number
  readonly rows: Uint32Array
}

const decoded = new WeakMap<Postings, Map<number, DecodedList>>()
/** Least recently used first. */
const uses = new Set<DecodedList>()
let bytes = 0

/** Returns the rows of a token, ascending. Lists of frequent tokens are kept for a while: do not change them. */
export function readPostings(postings: Postings, code: number): Uint32Array {
  const known = decoded.get(postings)?.get(code)
  if (known) {
    uses.delete(known)
    uses.add(known)
    return known.rows
  }
  const rows = decode(postings, code)
  if (rows.length >= SMALL && rows.byteLength <= MOST_BYTES / 2) keep({ postings: new WeakRef(postings), code, rows })
  return rows
}

function keep(list: DecodedList): void {
  const postings = list.postings.deref()
  if (!postings) return
  const lists = decoded.get(postings) ?? new Map<number, DecodedList>()
  decoded.set(postings, lists.set(list.code, list))
  uses.add(list)
  bytes += list.rows.byteLength
  for (const oldest of uses) {
    if (bytes <= MOST_BYTES) return
    uses.delete(oldest)
    bytes -= oldest.rows.byteLength
    const owner = oldest.postings.deref()
    if (owner) decoded.get(owner)?.delete(oldest.code)
  }
}

/** Bytes from the list of a token on. Positions in them are integers, those of `starts` may not be. */
const bytesOf = ({ bytes, starts }: Postings, code: number): Uint8Array => bytes.subarray(starts[code] ?? 0)

function decode(postings: Postings, code: number): Uint32Array {
  const count = postings.counts[code] ?? 0
  const rows = new Uint32Array(count)
  const bytes = bytesOf(postings, code)
  let at = 0
  let row = 0
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] ?? 0
    let step = byte
    if (byte > 0x7f) {
      step &= 0x7f
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] ?? 0
        step |= (byte & 0x7f) << shift
      }
    }
    row = (row + step) | 0
    rows[i] = row
  }
  return rows
}

/** Sets the bits of the rows of a token. */
function mark(postings: Postings, code: number, bits: Uint32Array): void {
  const count = postings.counts[code] ?? 0
  const bytes = bytesOf(postings, code)
  let at = 0
  let row = 0
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] ?? 0
    let step = byte
    if (byte > 0x7f) {
      step &= 0x7f
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] ?? 0
        step |= (byte & 0x7f) << shift
      }
    }
    row = (row + step) | 0
    const word = row >>> 5
    bits[word] = (bits[word] ?? 0) | (1 << (row & 31))
  }
}

/** Number of rows of all tokens together; rows of several tokens count several times. */
export const postingsCount = ({ counts }: Postings, codes: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < codes.length; i++) sum += counts[codes[i] ?? 0] ?? 0
  return sum
}

/** Returns the rows of any of the tokens, ascending. `rows`: the number of rows of the part. */
export function unitePostings(postings: Postings, codes: ArrayLike<number>, rows: number): Uint32Array {
  const [first = 0] = [codes[0]]
  if (codes.length === 0) return new Uint32Array(0)
  if (codes.length === 1) return readPostings(postings, first)
  const count = postingsCount(postings, codes)
  if (count < rows / 64) return uniteFew(postings, codes, count)
  const bits = new Uint32Array(Math.ceil(rows / 32))
  for (let i = 0; i < codes.length; i++) mark(postings, codes[i] ?? 0, bits)
  return rowsOf(bits)
}

function uniteFew(postings: Postings, codes: ArrayLike<number>, count: number): Uint32Array {
  const all = new Uint32Array(count)
  let at = 0
  for (let i = 0; i < codes.length; i++) {
    const rows = decode(postings, codes[i] ?? 0)
    all.set(rows, at)
    at += rows.length
  }
  all.sort()
  let kept = 0
  for (let i = 0; i < count; i++) {
    const row = all[i] ?? 0
    if (kept === 0 || all[kept - 1] !== row) all[kept++] = row
  }
  return all.subarray(0, kept)
}

function rowsOf(bits: Uint32Array): Uint32Array {
  let count = 0
  for (let word = 0; word < bits.length; word++) count += bitCount(bits[word] ?? 0)
  const rows = new Uint32Array(count)
  let at = 0
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
      rows[at++] = (word << 5) + 31 - Math.clz32(left & -left)
    }
  }
  return rows
}

function bitCount(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Looking up a row of the shorter list costs about as much as reading this many of the longer one. */
const LOOKUP = 32

/** Returns the rows in both lists. `rows`: the number of rows of the part. */
export function intersectRows(a: Uint32Array, b: Uint32Array, rows: number): Uint32Array {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  if (few.length * LOOKUP < many.length) return lookUp(few, many)
  const bits = new Uint32Array(Math.ceil(rows / 32))
  for (let i = 0; i < few.length; i++) {
    const row = few[i] ?? 0
    bits[row >>> 5] = (bits[row >>> 5] ?? 0) | (1 << (row & 31))
  }
  // Without a branch, which would be taken at random. One entry too many, because each row is written first.
  const common = new Uint32Array(few.length + 1)
  let count = 0
  for (let i = 0; i < many.length; i++) {
    const row = many[i] ?? 0
    common[count] = row
    count += ((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1
  }
  return common.subarray(0, count)
}

function lookUp(few: Uint32Array, many: Uint32Array): Uint32Array {
  const common = new Uint32Array(few.length)
  let count = 0
  let at = 0
  for (let i = 0; i < few.length; i++) {
    const row = few[i] ?? 0
    at = positionFrom(many, row, at)
    if (many[at] === row) common[count++] = row
  }
  return common.subarray(0, count)
}

/** Returns the first position from `start` to `last` whose row is not less than `row`; `last` if none. */
export function positionFrom(rows: Uint32Array, row: number, start = 0, last: number = rows.length): number {
  let before = start
  let end = last
  while (before < end) {
    const middle = (before + end) >>> 1
    if ((rows[middle] ?? 0) < row) before = middle + 1
    else end = middle
  }
  return before
}
