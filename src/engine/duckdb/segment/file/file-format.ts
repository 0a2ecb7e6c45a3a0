import { crc32 } from 'node:zlib'
import type { Damage } from './damaged-segment.ts'

/*
 * Format of a segment file. All integers are little-endian, as on every supported platform.
 *
 *   header     8 bytes  magic
 *              4        format version
 *              4        0
 *   arrays              typed arrays back to back, each padded with zeros to a multiple of 8 bytes
 *   directory           JSON (directory.ts): the tree, and type, offset, length and checksums of each array
 *   trailer    8 bytes  offset of the directory
 *              8        length of the directory
 *              4        CRC-32 of the directory
 *              4        CRC-32 of the header and the 20 bytes before
 *              8        magic
 *
 * An array has one CRC-32 per PIECE bytes (padding included), so that large arrays are read and verified in turns. Every
 * byte of the file is covered by a checksum or compared with a constant.
 */

const MAGIC = Buffer.from('PPlusSeg')

/** To be raised with every incompatible change of this format or of `SegmentData`. */
const VERSION = 1

export const HEADER_BYTES = 16
export const TRAILER_BYTES = 32

/** Bytes per checksum. Pieces are also the unit of reading and writing. */
export const PIECE = 2 ** 20

/** Limit for directories: they hold small values only, and are read at once. */
export const MAX_DIRECTORY_BYTES = 2 ** 26

export const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8

interface Trailer {
  readonly offset: number
  readonly length: number
  readonly crc: number
}

export function headerBytes(): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32LE(VERSION, 8)
  return header
}

export function trailerBytes({ offset, length, crc }: Trailer): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES)
  trailer.writeBigUInt64LE(BigInt(offset), 0)
  trailer.writeBigUInt64LE(BigInt(length), 8)
  trailer.writeUInt32LE(crc, 16)
  trailer.writeUInt32LE(trailerCrc(headerBytes(), trailer), 20)
  MAGIC.copy(trailer, 24)
  return trailer
}

/** Returns what is wrong with a header, if anything. */
export function headerDamage(header: Buffer): Damage | undefined {
  if (MAGIC.compare(header, 0, 8) !== 0) return 'foreign'
  if (header.readUInt32LE(8) !== VERSION) return 'version'
  if (header.readUInt32LE(12) !== 0) return 'checksum'
  return undefined
}

/** Reads the trailer of a file of `size` bytes. */
export function readTrailer(header: Buffer, trailer: Buffer, size: number): Trailer | Damage {
  if (MAGIC.compare(trailer, 24, 32) !== 0) return 'truncated'
  if (trailer.readUInt32LE(20) !== trailerCrc(header, trailer)) return 'checksum'
  const offset = Number(trailer.readBigUInt64LE(0))
  const length = Number(trailer.readBigUInt64LE(8))
  if (offset < HEADER_BYTES || length > MAX_DIRECTORY_BYTES || offset + length + TRAILER_BYTES !== size) {
    return 'directory'
  }
  return { offset, length, crc: trailer.readUInt32LE(16) }
}

const trailerCrc = (header: Buffer, trailer: Buffer): number => crc32(trailer.subarray(0, 20), crc32(header))
