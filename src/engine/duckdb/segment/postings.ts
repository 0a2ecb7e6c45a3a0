import { type Postings, VALUE_START } from './column.ts'
import { sharedFloat64s, sharedUint8s, sharedUint32s } from './shared-arrays.ts'

/** Builds the postings of a text column: which rows have each of `size` tokens. */
export function buildPostings(tokens: Uint32Array, starts: Uint32Array, rows: number, size: number): Postings {
  const counts = sharedUint32s(size + 1)
  const ends = sharedFloat64s(size + 2)
  /** The last row of each token + 1: a row can have a token twice. */
  const last = new Uint32Array(size + 1)
  for (let row = 0, at = 0; row < rows; row++) {
    for (const end = starts[row + 1] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0
      const previous = last[token] ?? 0
      if (token === VALUE_START || previous === row + 1) continue
      last[token] = row + 1
      counts[token] = (counts[token] ?? 0) + 1
      ends[token + 1] = (ends[token + 1] ?? 0) + byteLength(row - (previous === 0 ? 0 : previous - 1))
    }
  }
  for (let token = 1; token < ends.length; token++) ends[token] = (ends[token] ?? 0) + (ends[token - 1] ?? 0)
  const bytes = sharedUint8s(ends[size + 1] ?? 0)
  const next = ends.slice()
  last.fill(0)
  for (let row = 0, at = 0; row < rows; row++) {
    for (const end = starts[row + 1] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0
      const previous = last[token] ?? 0
      if (token === VALUE_START || previous === row + 1) continue
      last[token] = row + 1
      let to = next[token] ?? 0
      let difference = row - (previous === 0 ? 0 : previous - 1)
      for (; difference > 0x7f; difference >>>= 7) bytes[to++] = (difference & 0x7f) | 0x80
      bytes[to++] = difference
      next[token] = to
    }
  }
  return { bytes, starts: ends, counts }
}

/** Bytes of a number in LEB128. */
function byteLength(value: number): number {
  if (value < 2 ** 7) return 1
  if (value < 2 ** 14) return 2
  if (value < 2 ** 21) return 3
  return value < 2 ** 28 ? 4 : 5
}

/** Returns the rows of a token, ascending. */
export function rowsOfToken({ bytes, starts, counts }: Postings, token: number): Uint32Array {
  const rows = new Uint32Array(counts[token] ?? 0)
  let at = starts[token] ?? 0
  let row = 0
  for (let i = 0; i < rows.length; i++) {
    let byte = bytes[at++] ?? 0
    let difference = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] ?? 0
      difference |= (byte & 0x7f) << shift
    }
    row += difference
    rows[i] = row
  }
  return rows
}
