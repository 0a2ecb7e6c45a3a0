import type { Box } from '../../geo/area.ts'
import { recordBox, type ShapeKind, type ShapeRecord, shapeTypes } from './shape-record.ts'

/** Layout of .shp and .shx: ESRI Shapefile Technical Description, July 1998. Lengths are in 16-bit words. */

export const HEADER_BYTES = 100
const FILE_CODE = 9994
const VERSION = 1000
const RECORD_HEADER_BYTES = 8

/** Returns the header of both files; `fileBytes` includes it. */
export function fileHeader(kind: ShapeKind, fileBytes: number, box: Box | undefined): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeInt32BE(FILE_CODE, 0)
  header.writeInt32BE(fileBytes / 2, 24)
  header.writeInt32LE(VERSION, 28)
  header.writeInt32LE(shapeTypes[kind], 32)
  if (box !== undefined) writeBox(header, 36, box)
  return header
}

/** Encodes a record with its header. */
export function recordBytes(record: ShapeRecord, number: number): Buffer {
  const content = contentBytes(record)
  const bytes = Buffer.alloc(RECORD_HEADER_BYTES + content)
  bytes.writeInt32BE(number, 0)
  bytes.writeInt32BE(content / 2, 4)
  bytes.writeInt32LE(shapeTypes[record.kind], RECORD_HEADER_BYTES)
  writeContent(bytes, RECORD_HEADER_BYTES + 4, record)
  return bytes
}

/** Encodes the entry of a record in the .shx file. */
export function indexEntry(offset: number, recordLength: number): Buffer {
  const entry = Buffer.alloc(8)
  entry.writeInt32BE(offset / 2, 0)
  entry.writeInt32BE((recordLength - RECORD_HEADER_BYTES) / 2, 4)
  return entry
}

const positionsOf = ({ parts }: ShapeRecord): number => parts.reduce((sum, part) => sum + part.length, 0)

function contentBytes(record: ShapeRecord): number {
  const positions = positionsOf(record) * 16
  if (record.kind === 'points') return 4 + positions
  const box = 32
  return record.kind === 'multipoints' ? 4 + box + 4 + positions : 4 + box + 8 + 4 * record.parts.length + positions
}

function writeContent(bytes: Buffer, start: number, record: ShapeRecord): void {
  let at = start
  if (record.kind !== 'points') {
    at = writeBox(bytes, at, recordBox(record))
    if (record.kind !== 'multipoints') at = bytes.writeInt32LE(record.parts.length, at)
    at = bytes.writeInt32LE(positionsOf(record), at)
    if (record.kind !== 'multipoints') {
      let first = 0
      for (const part of record.parts) {
        at = bytes.writeInt32LE(first, at)
        first += part.length
      }
    }
  }
  for (const part of record.parts) {
    for (const [x = 0, y = 0] of part) at = bytes.writeDoubleLE(y, bytes.writeDoubleLE(x, at))
  }
}

function writeBox(bytes: Buffer, start: number, { west, south, east, north }: Box): number {
  let at = start
  for (const value of [west, south, east, north]) at = bytes.writeDoubleLE(value, at)
  return at
}
