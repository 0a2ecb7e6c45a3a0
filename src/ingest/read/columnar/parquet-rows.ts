import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parseCoordinateSystem } from '../../crs/coordinate-system.ts'
import type { Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import { documentOfRow } from '../shared/json-value.ts'
import type { Reading } from '../shared/reading.ts'
import { type GeoMetadata, parseGeoMetadata } from './geoparquet-crs.ts'

/** Rows decoded per batch. Bounds the memory used, together with the pages of one row group. */
const STEP = 20_000

/** A file whose rows can be read in any order. */
export interface ParquetFile extends Pick<Reading, 'crs'> {
  readonly rows: number
  /** Returns the rows at positions `start` to `end` (excluded), which count from 0. */
  read(start: number, end: number): Promise<readonly Row[]>
}

/**
 * Rows of a Parquet or GeoParquet file. Geometry columns become GeoJSON and timestamps ISO strings. Columns with the
 * boxes of geometries are left out.
 */
export async function readParquet(file: string, onShare: (share: number) => void): Promise<Reading> {
  const { source, metadata } = await openFile(file)
  return { rows: rowsOf(source, metadata, onShare), notes: [], ...statedCrs(metadata) }
}

/** Opens a file to read some of its rows. */
export async function openParquet(file: string): Promise<ParquetFile> {
  const { source, metadata } = await openFile(file)
  return {
    ...statedCrs(metadata),
    rows: Number(metadata.num_rows),
    read: (start, end) => readRange(source, metadata, start, end),
  }
}

async function openFile(file: string): Promise<{ readonly source: AsyncBuffer; readonly metadata: FileMetaData }> {
  const source = await asyncBufferFromFile(file)
  const metadata = await parquetMetadataAsync(source).catch((error: unknown) => {
    throw new InputFault(`${file} is not a Parquet file: ${error instanceof Error ? error.message : String(error)}.`)
  })
  return { source, metadata }
}

async function readRange(
  file: AsyncBuffer,
  metadata: FileMetaData,
  rowStart: number,
  rowEnd: number,
): Promise<readonly Row[]> {
  const columns = columnsOf(metadata)
  const rows = await parquetReadObjects({
    file,
    metadata,
    columns,
    compressors,
    rowStart,
    rowEnd,
    useOffsetIndex: true,
  })
  return rows.map((row, index) => ({ line: rowStart + index + 1, document: documentOfRow(row) }))
}

async function* rowsOf(
  source: AsyncBuffer,
  metadata: FileMetaData,
  onShare: (share: number) => void,
): AsyncGenerator<readonly Row[], void, undefined> {
  const total = Number(metadata.num_rows)
  let groupStart = 0
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows)
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += STEP) {
      const rowEnd = Math.min(rowStart + STEP, groupEnd)
      const rows = await readRange(source, metadata, rowStart, rowEnd)
      onShare(rowEnd / total)
      yield rows
    }
    groupStart = groupEnd
  }
}

/** Names of the columns that are read. */
function columnsOf(metadata: FileMetaData): string[] {
  const boxes = new Set(geoOf(metadata)?.boxes)
  return parquetSchema(metadata)
    .children.map(({ element }) => element.name)
    .filter((name) => !boxes.has(name))
}

function geoOf({ key_value_metadata }: FileMetaData): GeoMetadata | undefined {
  const text = key_value_metadata?.find(({ key }) => key === 'geo')?.value
  return text === undefined ? undefined : parseGeoMetadata(text)
}

function statedCrs(metadata: FileMetaData): Pick<Reading, 'crs'> {
  const geo = geoOf(metadata)
  if (geo !== undefined) {
    const { crs } = geo
    return crs === undefined ? {} : { crs }
  }
  for (const { logical_type } of metadata.schema) {
    if (logical_type?.type !== 'GEOMETRY' || logical_type.crs === undefined) continue
    return { crs: parseCoordinateSystem(logical_type.crs) }
  }
  return {}
}
