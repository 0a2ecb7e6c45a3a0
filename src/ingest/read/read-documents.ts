import type { Json, JsonObject } from '../../model/json/document.ts'
import { parseCoordinateSystem } from '../crs/coordinate-system.ts'
import { plainDocument, rowsOfPieces } from '../parse-document.ts'
import { LONGEST_DOCUMENT, type Row } from '../row.ts'
import { describeForeign } from '../source/foreign-file.ts'
import { InputFault } from '../source/input-fault.ts'
import type { Input } from '../source/open-input.ts'
import { decodeHead } from '../source/text-encoding.ts'
import { splitElements } from '../split-elements.ts'
import { type Piece, splitLines } from '../split-lines.ts'
import { readDelimited } from './delimited/delimited-rows.ts'
import { documentOfFeature } from './shared/feature-document.ts'
import { detectFormat, type InputFormat, inputFormats } from './shared/input-format.ts'
import { readWhole } from './shared/read-whole.ts'
import type { Reading, ReadOptions } from './shared/reading.ts'

/** Returns the format of an input; throws InputFault with what the file is instead. */
export function formatOf(input: Pick<Input, 'name' | 'head'>, { format }: ReadOptions): InputFormat {
  const found = format ?? detectFormat(input.name, input.head)
  if (found !== undefined) return found
  if (input.head.length === 0) throw new InputFault(`${input.name} is empty.`)
  const foreign = describeForeign(input.name, input.head)
  if (foreign !== undefined) throw new InputFault(`${input.name} cannot be loaded: this is ${foreign}.`)
  throw new InputFault(
    `The format of ${input.name} cannot be detected: specify it with --format (${inputFormats.join(', ')}).`,
  )
}

/**
 * Opens an input as rows, read in batches. Memory use does not depend on the size of the input, except for formats
 * that must be read whole, whose size is limited. Readers of binary formats are loaded when they are needed.
 */
export async function readDocuments(input: Input, format: InputFormat, options: ReadOptions = {}): Promise<Reading> {
  switch (format) {
    case 'ndjson':
      return plain(readLines(input, plainDocument))
    case 'geojsonl':
      return plain(readLines(input, documentOfFeature))
    case 'geojson':
      return { ...plain(readGeoJson(input)), ...statedCrs(input.head) }
    case 'json':
      return plain(readElements(input, arrayKey(input.head), plainOrFeature))
    case 'csv':
      return readDelimited(input, options)
    case 'tsv':
      return readDelimited(input, { delimiter: '\t', ...options })
    case 'topojson':
      return (await import('./geographic/topojson-rows.ts')).readTopoJson(input, options)
    case 'parquet':
      return (await import('./columnar/parquet-rows.ts')).readParquet(await input.file(), input.reportShare)
    case 'arrow':
      return (await import('./columnar/arrow-rows.ts')).readArrow(await input.file(), input.reportShare)
    case 'shapefile':
      return (await import('./geographic/shapefile-rows.ts')).readShapefile(
        await input.file(),
        options,
        input.reportShare,
      )
    case 'geopackage':
      return (await import('./geographic/geopackage-rows.ts')).readGeoPackage(await input.file(), input.name, options)
    case 'flatgeobuf':
      return (await import('./geographic/flatgeobuf-rows.ts')).readFlatGeobuf(input)
    case 'kml':
      return (await import('./xml/kml-rows.ts')).readKml(input)
    case 'gpx':
      return (await import('./xml/gpx-rows.ts')).readGpx(input, options)
    case 'xlsx':
      return (await import('./xml/xlsx-rows.ts')).readXlsx(await input.file(), input.name, options)
  }
}

const plain = (rows: AsyncIterable<readonly Row[]>): Reading => ({ rows, notes: [] })

type ToDocument = (value: Json) => JsonObject | string

const plainOrFeature: ToDocument = (value) => {
  const feature = documentOfFeature(value)
  return typeof feature === 'string' ? plainDocument(value) : feature
}

const RECORD_SEPARATOR = 0x1e

async function* readLines(input: Input, toDocument: ToDocument): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const lines of splitLines(withoutMark(input), LONGEST_DOCUMENT)) {
    yield rowsOfPieces(lines.map(dropSeparator), toDocument)
  }
}

/** Removes the record separator that RFC 8142 puts before every text. */
const dropSeparator = (piece: Piece): Piece =>
  piece.bytes[0] === RECORD_SEPARATOR ? { ...piece, bytes: piece.bytes.subarray(1) } : piece

/** Removes a UTF-8 byte order mark, and decodes UTF-16. */
async function* withoutMark({ chunks, head }: Input): AsyncGenerator<Buffer, void, undefined> {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  if (isUtf16) {
    const decoder = new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-16be')
    for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
    return
  }
  let left = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

const ONE_FEATURE = /^\s*\{\s*"type"\s*:\s*"(Feature|GeometryCollection|(Multi)?(Point|LineString|Polygon))"/

async function* readGeoJson(input: Input): AsyncGenerator<readonly Row[], void, undefined> {
  if (!ONE_FEATURE.test(decodeHead(input.head))) {
    yield* readElements(input, 'features', documentOfFeature)
    return
  }
  const bytes = await readWhole(withoutMark(input), input.name, LONGEST_DOCUMENT)
  const toDocument: ToDocument = (value) => {
    const feature = documentOfFeature(value)
    return typeof feature === 'string' ? { geometry: value } : feature
  }
  yield rowsOfPieces([{ line: 1, bytes, tooLong: false }], toDocument)
}

/** The `crs` member of older GeoJSON, if it is before the features. */
function statedCrs(head: Buffer): Pick<Reading, 'crs'> {
  const name = /"crs"\s*:\s*\{[^}]*"name"\s*:\s*"([^"]+)"/.exec(decodeHead(head))?.[1]
  return name === undefined ? {} : { crs: parseCoordinateSystem(name) }
}

/** Key of the array of documents in an object: `results` of `{"count": 2, "results": [{...`. */
function arrayKey(head: Buffer): string {
  return /^\s*\{[^[]*"([^"]*)"\s*:\s*\[\s*\{/.exec(decodeHead(head))?.[1] ?? 'features'
}

async function* readElements(
  input: Input,
  key: string,
  toDocument: ToDocument,
): AsyncGenerator<readonly Row[], void, undefined> {
  const elements = splitElements(withoutMark(input), key, LONGEST_DOCUMENT)
  let next = await elements.next()
  for (; next.done !== true; next = await elements.next()) yield rowsOfPieces(next.value, toDocument)
  const { found, cutShort } = next.value
  if (!found && input.bytesRead() > 0) {
    throw new InputFault(`${input.name} is not an array and has no "${key}" array; specify the format with --format.`)
  }
  if (cutShort) throw new InputFault(`${input.name} ends inside its array: the file is truncated.`)
}
