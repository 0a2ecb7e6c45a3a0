import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Json } from '../../../model/json/document.ts'
import { type CoordinateSystem, parseCoordinateSystem } from '../../crs/coordinate-system.ts'
import { brokenRow, type Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import { decoderOf } from '../../source/text-encoding.ts'
import { ByteReader } from '../shared/byte-reader.ts'
import { BATCH, type Reading, type ReadOptions } from '../shared/reading.ts'
import { openDbf } from './dbf-table.ts'
import { readShape } from './shape-record.ts'

const HEADER_BYTES = 100
const LONGEST_RECORD = 256 * 1024 * 1024

/**
 * Rows of a shapefile (ESRI, July 1998): geometries of the `.shp` file, and attributes, coordinate system and encoding
 * of the files beside it.
 */
export async function readShapefile(
  file: string,
  { encoding }: ReadOptions,
  onShare: (share: number) => void,
): Promise<Reading> {
  const parts = await partsBeside(file)
  const prj = parts('prj')
  const crs = prj === undefined ? undefined : await readPrj(prj)
  const cpg = parts('cpg')
  const stated = encoding ?? (cpg === undefined ? undefined : encodingOf((await readFile(cpg, 'latin1')).trim()))
  const dbf = parts('dbf')
  const notes = [
    ...(dbf === undefined ? ['The shapefile has no .dbf file: its documents have only a geometry.'] : []),
    ...(prj === undefined ? ['The shapefile has no .prj file: its coordinates are taken for degrees.'] : []),
  ]
  return { rows: rowsOf(file, dbf, stated, onShare), notes, ...(crs === undefined ? {} : { crs }) }
}

/** Finds the parts of a shapefile, whatever the case of their extensions. */
async function partsBeside(file: string): Promise<(extension: string) => string | undefined> {
  const folder = path.dirname(file)
  const base = path.basename(file).replace(/\.shp$/i, '')
  const names = await readdir(folder)
  return (extension) => {
    const name = names.find((one) => one.toLowerCase() === `${base}.${extension}`.toLowerCase())
    return name === undefined ? undefined : path.join(folder, name)
  }
}

const readPrj = async (file: string): Promise<CoordinateSystem | undefined> => {
  const text = (await readFile(file, 'utf8')).trim()
  return text === '' ? undefined : parseCoordinateSystem(text)
}

/** The names in `.cpg` files: `UTF-8`, `1252`, `ISO-8859-1`, `ANSI 1252`. */
function encodingOf(text: string): string {
  const number = /^(?:ANSI\s*|CP\s*)?(\d{3,5})$/i.exec(text)?.[1]
  if (number === undefined) return text.replace(/^ISO\s*8859[-_ ]?(\d+)$/i, 'iso-8859-$1')
  if (number === '65001') return 'utf-8'
  return /^125\d$|^874$/.test(number)
    ? `windows-${number}`
    : number.startsWith('8859')
      ? `iso-8859-${number.slice(4)}`
      : `cp${number}`
}

async function* rowsOf(
  file: string,
  dbf: string | undefined,
  encoding: string | undefined,
  onShare: (share: number) => void,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { size } = await stat(file)
  const shapes = new ByteReader(createReadStream(file, { highWaterMark: 1024 * 1024 }))
  const table =
    dbf === undefined ? undefined : await openDbf(dbf, encoding === undefined ? undefined : decoderOf(encoding))
  const header = await shapes.take(HEADER_BYTES)
  if (header === undefined || header.readInt32BE(0) !== 9994) throw new InputFault(`${file} is not a shapefile.`)
  let batch: Row[] = []
  let at = HEADER_BYTES
  try {
    for (let line = 1; ; line++) {
      const head = await shapes.take(8)
      if (head === undefined) break
      const length = head.readInt32BE(4) * 2
      if (length < 4 || length > LONGEST_RECORD) throw new InputFault(`${file} is damaged: record ${line} is invalid.`)
      const content = await shapes.take(length)
      if (content === undefined) throw new InputFault(`${file} ends inside record ${line}: the file is truncated.`)
      at += 8 + length
      const attributes: readonly [string, Json][] | 'deleted' = (await table?.next()) ?? []
      // a record marked as deleted in the table is none in the shapefile either
      if (attributes !== 'deleted') batch.push(toRow(line, attributes, content))
      if (batch.length < BATCH) continue
      onShare(at / size)
      yield batch
      batch = []
    }
    onShare(1)
    if (batch.length > 0) yield batch
  } finally {
    shapes.close()
    table?.close()
  }
}

function toRow(line: number, attributes: readonly [string, Json][], content: Buffer): Row {
  const shape = readShape(content)
  if (typeof shape === 'string') return brokenRow(line, shape, JSON.stringify(Object.fromEntries(attributes)))
  return { line, document: Object.fromEntries(shape === undefined ? attributes : [...attributes, ['geometry', shape]]) }
}
