import type { Json } from '../../model/json/document.ts'
import { type DbfColumn, decimalsOf, letterOf, printCell } from './dbf-column.ts'

/** Layout of .dbf as in dBASE III, which readers of shapefiles expect. */

const VERSION = 0x03
const HEADER_BYTES = 32
const DESCRIPTOR_BYTES = 32
const HEADER_END = 0x0d
const NOT_DELETED = 0x20
export const FILE_END = 0x1a

export interface NamedColumn extends DbfColumn {
  readonly name: string
}

export function dbfHeader(columns: readonly NamedColumn[], rows: number, today: Date): Buffer {
  const length = HEADER_BYTES + DESCRIPTOR_BYTES * columns.length + 1
  const header = Buffer.alloc(length)
  header.writeUInt8(VERSION, 0)
  header.writeUInt8(today.getUTCFullYear() - 1900, 1)
  header.writeUInt8(today.getUTCMonth() + 1, 2)
  header.writeUInt8(today.getUTCDate(), 3)
  header.writeUInt32LE(rows, 4)
  header.writeUInt16LE(length, 8)
  header.writeUInt16LE(rowLength(columns), 10)
  for (const [i, column] of columns.entries()) writeDescriptor(header, HEADER_BYTES + i * DESCRIPTOR_BYTES, column)
  header.writeUInt8(HEADER_END, length - 1)
  return header
}

const rowLength = (columns: readonly NamedColumn[]): number => columns.reduce((sum, c) => sum + c.width, 1)

function writeDescriptor(header: Buffer, at: number, column: NamedColumn): void {
  header.write(column.name, at, 'latin1')
  header.write(letterOf(column), at + 11, 'latin1')
  header.writeUInt8(column.width, at + 16)
  header.writeUInt8(decimalsOf(column), at + 17)
}

/** Encodes one row: texts left-aligned, numbers right-aligned, padded with blanks. */
export function dbfRow(columns: readonly NamedColumn[], values: Readonly<Record<string, Json>>): Buffer {
  const row = Buffer.alloc(rowLength(columns), ' ')
  row.writeUInt8(NOT_DELETED, 0)
  let at = 1
  for (const column of columns) {
    const cell = fitText(printCell(column, values[column.property]), column.width)
    row.set(cell, letterOf(column) === 'N' ? at + column.width - cell.length : at)
    at += column.width
  }
  return row
}

/** Truncates at a character boundary. */
function fitText(text: string, width: number): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= width) return bytes
  let end = width
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}
