import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import type { Json } from '../../../model/json/document.ts'
import { InputFault } from '../../source/input-fault.ts'
import { ByteReader } from '../shared/byte-reader.ts'

interface DbfColumn {
  readonly name: string
  readonly type: string
  readonly length: number
}

/** Records of a dBase file, one after the other. */
export interface DbfTable {
  /** Members of the next record, or that it is deleted; undefined after the last one. */
  next(): Promise<readonly [string, Json][] | 'deleted' | undefined>
  close(): void
}

const DELETED = 0x2a

/** Opens the attributes of a shapefile. Without a decoder, texts are UTF-8 or, if they are not, windows-1252. */
export async function openDbf(file: string, decoder: TextDecoder | undefined): Promise<DbfTable> {
  const reader = new ByteReader(createReadStream(file, { highWaterMark: 256 * 1024 }))
  const header = await reader.take(32)
  if (header === undefined) throw new InputFault(`${file} is not a dBase table.`)
  const recordLength = header.readUInt16LE(10)
  const rest = await reader.take(Math.max(0, header.readUInt16LE(8) - 32))
  if (rest === undefined) throw new InputFault(`${file} is damaged: its header is truncated.`)
  const fallback = new TextDecoder('windows-1252')
  const decode = (bytes: Buffer): string =>
    decoder === undefined ? (isUtf8(bytes) ? bytes.toString('utf8') : fallback.decode(bytes)) : decoder.decode(bytes)
  const columns = readColumns(rest, decode)
  return {
    next: async () => {
      const record = await reader.take(recordLength)
      if (record === undefined || record[0] === 0x1a) return undefined
      if (record[0] === DELETED) return 'deleted'
      const members: [string, Json][] = []
      let at = 1
      for (const { name, type, length } of columns) {
        const value = readValue(type, record.subarray(at, at + length), decode)
        at += length
        if (value !== undefined) members.push([name, value])
      }
      return members
    },
    close: () => reader.close(),
  }
}

function readColumns(header: Buffer, decode: (bytes: Buffer) => string): readonly DbfColumn[] {
  const columns: DbfColumn[] = []
  for (let at = 0; at + 32 <= header.length && header[at] !== 0x0d; at += 32) {
    const end = header.indexOf(0, at)
    const name = decode(header.subarray(at, end < at || end > at + 11 ? at + 11 : end)).trim()
    columns.push({
      name: name === '' ? `column_${columns.length + 1}` : name,
      type: String.fromCharCode(header[at + 11] ?? 0),
      length: header[at + 16] ?? 0,
    })
  }
  return columns
}

function readValue(type: string, bytes: Buffer, decode: (bytes: Buffer) => string): Json | undefined {
  const text = decode(bytes).replace(/[\0 ]+$/g, '')
  const trimmed = text.trim()
  if (trimmed === '' || /^\*+$/.test(trimmed)) return undefined
  switch (type) {
    case 'N':
    case 'F': {
      const number = Number(trimmed)
      if (Number.isInteger(number) && !Number.isSafeInteger(number)) return trimmed
      return Number.isFinite(number) ? number : trimmed
    }
    case 'D':
      if (trimmed === '00000000') return undefined
      return /^\d{8}$/.test(trimmed) ? `${trimmed.slice(0, 4)}-${trimmed.slice(4, 6)}-${trimmed.slice(6)}` : trimmed
    case 'L':
      if (/^[YyTt]$/.test(trimmed)) return true
      return /^[NnFf]$/.test(trimmed) ? false : undefined
    default:
      return text
  }
}
