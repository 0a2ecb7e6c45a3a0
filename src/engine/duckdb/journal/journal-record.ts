import { crc32 } from 'node:zlib'

/** Records and the header of a file start at multiples of this. */
export const ALIGNMENT = 64

/**
 * Random bytes at the start of every record of a file. Nobody can guess them, so no document contains what looks like a
 * record.
 */
export const KEY_BYTES = 16

/** Key, CRC-32 of what follows, bytes of the payload, number of the record. */
const RECORD_HEADER = KEY_BYTES + 16

/** What was appended at once. */
export interface JournalRecord {
  /** Consecutive. */
  readonly number: number
  readonly payload: Buffer
}

/** Returns the bytes of a record, padded. */
export function recordBytes(key: Uint8Array, number: number, payload: readonly Uint8Array[]): Buffer {
  const length = payload.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const bytes = Buffer.alloc(aligned(RECORD_HEADER + length))
  bytes.set(key)
  bytes.writeUInt32LE(length, KEY_BYTES + 4)
  bytes.writeDoubleLE(number, KEY_BYTES + 8)
  let at = RECORD_HEADER
  for (const part of payload) {
    bytes.set(part, at)
    at += part.byteLength
  }
  bytes.writeUInt32LE(checksum(bytes, length), KEY_BYTES)
  return bytes
}

/** Yields the complete records of a file. Skips everything else. */
export function* recordsIn(file: Buffer, key: Uint8Array): Iterable<JournalRecord> {
  for (let at = ALIGNMENT; at + RECORD_HEADER <= file.length; ) {
    const record = recordAt(file, key, at)
    if (record) yield record
    at += record ? aligned(RECORD_HEADER + record.payload.length) : ALIGNMENT
  }
}

function recordAt(file: Buffer, key: Uint8Array, at: number): JournalRecord | undefined {
  if (file[at] !== key[0] || file.compare(key, 0, KEY_BYTES, at, at + KEY_BYTES) !== 0) return undefined
  const bytes = file.subarray(at)
  const length = bytes.readUInt32LE(KEY_BYTES + 4)
  if (RECORD_HEADER + length > bytes.length) return undefined
  if (bytes.readUInt32LE(KEY_BYTES) !== checksum(bytes, length)) return undefined
  const payload = bytes.subarray(RECORD_HEADER, RECORD_HEADER + length)
  return { number: bytes.readDoubleLE(KEY_BYTES + 8), payload }
}

const checksum = (bytes: Uint8Array, length: number): number =>
  crc32(bytes.subarray(KEY_BYTES + 4, RECORD_HEADER + length))

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT

const MAGIC = Buffer.from('periplus journal 1\n')

/** Returns the first bytes of a file, padded. */
export function fileHeader(key: Uint8Array): Buffer {
  const bytes = Buffer.alloc(ALIGNMENT)
  bytes.set(MAGIC)
  bytes.set(key, ALIGNMENT - KEY_BYTES - 4)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, ALIGNMENT - 4)), ALIGNMENT - 4)
  return bytes
}

/** Returns the key of the records of a file. Undefined if the header is damaged. */
export function keyOf(file: Buffer): Buffer | undefined {
  if (file.length < ALIGNMENT || file.readUInt32LE(ALIGNMENT - 4) !== crc32(file.subarray(0, ALIGNMENT - 4)))
    return undefined
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  return file.subarray(ALIGNMENT - KEY_BYTES - 4, ALIGNMENT - 4)
}
