import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { Json, JsonObject } from '../model/json/document.ts'
import { withCentroid } from './feature-document.ts'
import { InputFault } from './open-input.ts'
import type { Row } from './row.ts'

/** Rows decoded per batch. Bounds the memory used, together with the pages of one row group. */
const STEP = 20_000

/**
 * Rows of a Parquet or GeoParquet file. Geometry columns become GeoJSON and timestamps ISO strings; rows with a
 * `geometry` and no `centroid` get one.
 */
export async function* readParquet(
  file: string,
  onShare: (share: number) => void,
): AsyncGenerator<readonly Row[], void, undefined> {
  const source = await asyncBufferFromFile(file)
  const metadata = await parquetMetadataAsync(source).catch((error: unknown) => {
    throw new InputFault(`${file} is not a Parquet file: ${error instanceof Error ? error.message : String(error)}.`)
  })
  const total = Number(metadata.num_rows)
  let groupStart = 0
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows)
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += STEP) {
      const rowEnd = Math.min(rowStart + STEP, groupEnd)
      const rows = await parquetReadObjects({ file: source, metadata, compressors, rowStart, rowEnd })
      onShare(rowEnd / total)
      yield rows.map((row, index) => ({ line: rowStart + index + 1, document: withCentroid(documentOf(row)) }))
    }
    groupStart = groupEnd
  }
}

const documentOf = (row: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, Json][] => {
      const json = toJson(value)
      return json === null ? [] : [[name, json]]
    }),
  )

/** Converts values that JSON lacks: 64-bit integers beyond 2^53 and bytes become strings. */
function toJson(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
    case 'object':
      return value === null ? null : objectToJson(value)
    default:
      return null
  }
}

function objectToJson(value: object): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(toJson)
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, (each) => toJson(each))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]))
}
