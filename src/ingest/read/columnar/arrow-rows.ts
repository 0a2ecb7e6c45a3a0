import { readFile, stat } from 'node:fs/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { CompressionType, setCompressionCodec, type Table, tableFromIPC } from '@uwdata/flechette'
import type { Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import { documentOfRow } from '../shared/json-value.ts'
import { BATCH, type Reading } from '../shared/reading.ts'
import { parseGeoMetadata } from './geoparquet-crs.ts'
import { decodeLz4Frame } from './lz4-frame.ts'

const LARGEST = 2 * 1024 * 1024 * 1024 - 1

setCompressionCodec(CompressionType.LZ4_FRAME, {
  decode: (bytes, length) => decodeLz4Frame(bytes, length ?? bytes.length * 255),
  encode: () => {
    throw new Error('Arrow files are not written')
  },
})
setCompressionCodec(CompressionType.ZSTD, { decode: (bytes) => zstdDecompressSync(bytes), encode: zstdCompressSync })

/** Rows of an Arrow file or stream, which is Feather version 2. The columns are in memory as they are in the file. */
export async function readArrow(file: string, onShare: (share: number) => void): Promise<Reading> {
  if ((await stat(file)).size > LARGEST) {
    throw new InputFault(`${file} is longer than 2 GiB, the limit of this format: convert it to Parquet.`)
  }
  let table: Table
  try {
    table = tableFromIPC(await readFile(file), { useDate: true })
  } catch (error) {
    if (error instanceof InputFault) throw error
    throw new InputFault(`${file} is not an Arrow file: ${error instanceof Error ? error.message : String(error)}.`)
  }
  const { crs } = parseGeoMetadata(table.schema.metadata?.get('geo'))
  return { rows: rowsOf(table, onShare), notes: [], ...(crs === undefined ? {} : { crs }) }
}

async function* rowsOf(
  table: Table,
  onShare: (share: number) => void,
): AsyncGenerator<readonly Row[], void, undefined> {
  const columns = table.names.map((name) => [String(name), table.getChild(name)] as const)
  for (let start = 0; start < table.numRows; start += BATCH) {
    const end = Math.min(start + BATCH, table.numRows)
    const rows: Row[] = []
    for (let at = start; at < end; at++) {
      const row = Object.fromEntries(columns.map(([name, column]) => [name, column.at(at)]))
      rows.push({ line: at + 1, document: documentOfRow(row) })
    }
    onShare(end / table.numRows)
    yield rows
  }
}
