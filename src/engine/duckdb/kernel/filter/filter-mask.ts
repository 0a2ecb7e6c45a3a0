import { BLOCK } from '../../segment/column.ts'

/**
 * Masks hold one byte per row of a block: 1 if the row matches, else 0. Their buffers have BLOCK bytes, so that they can
 * be read four rows at a time. Bytes beyond the rows in use are arbitrary.
 */
export const createMask = (): Uint8Array => new Uint8Array(BLOCK)

/** Space for the rows of a block, and one more entry, which rows that do not match are written to. */
export const createRowList = (): Uint32Array => new Uint32Array(BLOCK + 1)

const wordsOf = (mask: Uint8Array): Int32Array => new Int32Array(mask.buffer, mask.byteOffset, mask.length >> 2)

/** Words that can be added up byte by byte without overflow. */
const SUMMABLE = 128

export function countMask(mask: Uint8Array, rows: number): number {
  const words = wordsOf(mask)
  const whole = rows >> 2
  let count = 0
  for (let i = 0; i < whole; ) {
    const end = Math.min(whole, i + SUMMABLE)
    let sums = 0
    for (; i < end; i++) sums = (sums + (words[i] ?? 0)) | 0
    count += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24)
  }
  for (let i = whole << 2; i < rows; i++) count += mask[i] ?? 0
  return count
}

/** Writes the numbers of the rows of a mask that begins with row `from` to `list`; returns how many. */
export function listRows(mask: Uint8Array, rows: number, from: number, list: Uint32Array): number {
  const words = wordsOf(mask)
  const whole = rows >> 5
  let count = 0
  for (let i = 0; i < whole; i++) {
    // 32 rows as bits: looking at each bit that is set costs less than looking at each row.
    const at = i << 3
    let bits =
      gatherBits(words[at] ?? 0) |
      (gatherBits(words[at + 1] ?? 0) << 4) |
      (gatherBits(words[at + 2] ?? 0) << 8) |
      (gatherBits(words[at + 3] ?? 0) << 12) |
      (gatherBits(words[at + 4] ?? 0) << 16) |
      (gatherBits(words[at + 5] ?? 0) << 20) |
      (gatherBits(words[at + 6] ?? 0) << 24) |
      (gatherBits(words[at + 7] ?? 0) << 28)
    const last = from + (i << 5) + 31
    while (bits !== 0) {
      const lowest = bits & -bits
      list[count++] = last - Math.clz32(lowest)
      bits ^= lowest
    }
  }
  for (let i = whole << 5; i < rows; i++) if (mask[i] === 1) list[count++] = from + i
  return count
}

/** The lowest bits of the four bytes of a word: the product adds them up in its highest byte. */
const gatherBits = (word: number): number => Math.imul(word, 0x01020408) >>> 24

/** Number of words that cover some rows. */
const wordCount = (rows: number): number => (rows + 3) >> 2

export function intersectMask(mask: Uint8Array, other: Uint8Array, rows: number): void {
  const words = wordsOf(mask)
  const others = wordsOf(other)
  for (let i = 0; i < wordCount(rows); i++) words[i] = (words[i] ?? 0) & (others[i] ?? 0)
}

export function uniteMask(mask: Uint8Array, other: Uint8Array, rows: number): void {
  const words = wordsOf(mask)
  const others = wordsOf(other)
  for (let i = 0; i < wordCount(rows); i++) words[i] = (words[i] ?? 0) | (others[i] ?? 0)
}

/** Clears the rows of a mask that another has. */
export function subtractMask(mask: Uint8Array, other: Uint8Array, rows: number): void {
  const words = wordsOf(mask)
  const others = wordsOf(other)
  for (let i = 0; i < wordCount(rows); i++) words[i] = (words[i] ?? 0) & ~(others[i] ?? 0)
}

const ONES = 0x01010101

export function invertMask(mask: Uint8Array, rows: number): void {
  const words = wordsOf(mask)
  for (let i = 0; i < wordCount(rows); i++) words[i] = (words[i] ?? 0) ^ ONES
}

/** Clears the rows of a mask for which a test fails; for few rows. */
export function keepIf(mask: Uint8Array, rows: number, from: number, holds: (row: number) => boolean): void {
  const words = wordsOf(mask)
  for (let i = 0; i < wordCount(rows); i++) {
    if (words[i] === 0) continue
    const end = Math.min(rows, (i << 2) + 4)
    for (let j = i << 2; j < end; j++) if (mask[j] === 1 && !holds(from + j)) mask[j] = 0
  }
}
