import type { Json } from '../model/json/document.ts'
import { type DelimitedOptions, readDelimited } from './delimited-rows.ts'
import { documentOfFeature } from './feature-document.ts'
import type { InputFormat } from './input-format.ts'
import { type Input, InputFault } from './open-input.ts'
import { plainDocument, rowsOfPieces } from './parse-document.ts'
import { LONGEST_DOCUMENT, type Row } from './row.ts'
import { splitElements } from './split-elements.ts'
import { type Piece, splitLines } from './split-lines.ts'

/** Reads the rows of an input in batches; memory use does not depend on the size of the input. */
export function readDocuments(
  input: Input,
  format: InputFormat,
  options: DelimitedOptions = {},
): AsyncIterable<readonly Row[]> {
  switch (format) {
    case 'ndjson':
      return readLines(input, plainDocument)
    case 'geojsonl':
      return readLines(input, documentOfFeature)
    case 'geojson':
      return readElements(input, documentOfFeature)
    case 'json':
      return readElements(input, plainOrFeature)
    case 'csv':
      return readDelimited(input.chunks, input.head, options)
    case 'tsv':
      return readDelimited(input.chunks, input.head, { delimiter: '\t', ...options })
    case 'parquet':
      return readParquetInput(input)
  }
}

type ToDocument = typeof documentOfFeature

const plainOrFeature = (value: Json) => {
  const feature = documentOfFeature(value)
  return typeof feature === 'string' ? plainDocument(value) : feature
}

const RECORD_SEPARATOR = 0x1e

async function* readLines(input: Input, toDocument: ToDocument): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const lines of splitLines(input.chunks, LONGEST_DOCUMENT)) {
    yield rowsOfPieces(lines.map(dropSeparator), toDocument)
  }
}

/** Removes the record separator that RFC 8142 puts before every text. */
const dropSeparator = (piece: Piece): Piece =>
  piece.bytes[0] === RECORD_SEPARATOR ? { ...piece, bytes: piece.bytes.subarray(1) } : piece

async function* readElements(input: Input, toDocument: ToDocument): AsyncGenerator<readonly Row[], void, undefined> {
  const elements = splitElements(input.chunks, 'features', LONGEST_DOCUMENT)
  let next = await elements.next()
  for (; next.done !== true; next = await elements.next()) yield rowsOfPieces(next.value, toDocument)
  const { found, cutShort } = next.value
  if (!found && input.bytesRead() > 0) {
    throw new InputFault(`${input.name} is not an array and has no "features" array; specify the format with --format.`)
  }
  if (cutShort) throw new InputFault(`${input.name} ends inside its array: the file is truncated.`)
}

async function* readParquetInput(input: Input): AsyncGenerator<readonly Row[], void, undefined> {
  input.close()
  if (input.name === '-' || input.isCompressed) {
    throw new InputFault('Parquet requires random access: use a file that is not compressed, not standard input.')
  }
  // Imported on demand: it is slow to load, and the server does not need it.
  const { readParquet } = await import('./parquet-rows.ts')
  yield* readParquet(input.name, input.reportShare)
}
