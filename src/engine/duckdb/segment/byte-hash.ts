/*
 * Hashes of byte strings, for tables with open addressing: a power of two of entries, of which a string has the one of
 * its hash or, if that is taken, the next free one. Segment files contain such tables.
 */

/** FNV-1a, 32 bits. */
export const HASH_START = 0x811c9dc5 | 0
export const addToHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_START
  for (let i = from; i < to; i++) hash = addToHash(hash, bytes[i] ?? 0)
  return hash
}

/** Returns the entry of a hash in a table of `size` entries. The upper bits are folded in, because FNV mixes them best. */
export const entryOf = (hash: number, size: number): number => (hash ^ (hash >>> 15)) & (size - 1)

/** True if the bytes from `from` to `to` (excluded) are those of `others` from `othersFrom` on. */
export function sameBytes(
  bytes: Uint8Array,
  from: number,
  to: number,
  others: Uint8Array,
  othersFrom: number,
): boolean {
  for (let i = from, j = othersFrom; i < to; i++, j++) if (bytes[i] !== others[j]) return false
  return true
}
