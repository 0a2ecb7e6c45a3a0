import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parseCoordinateSystem } from '../crs/coordinate-system.ts'
import type { Row } from '../row.ts'
import { InputFault } from '../source/input-fault.ts'
import { parseGeoMetadata } from './geoparquet-crs.ts'
import { documentOfRow } from './json-value.ts'
import type { Reading } from './reading.ts'

/** Rows decoded per batch. Bounds the memory used, together with the pages of one row group. */
const STEP = 20_000

/** Rows of a Parquet or GeoParquet file. Geometry columns become GeoJSON and timestamps ISO strings. */
export async function readParquet(file: string, onShare: (share: number) => void): Promise<Reading> {
  const source = await asyncBufferFromFile(file)
  const metadata = await parquetMetadataAsync(source).catch((error: unknown) => {
    throw new InputFault(`${file} is not a Parquet file: ${error instanceof Error ? error.message : String(error)}.`)
  })
  return { rows: rowsOf(source, metadata, onShare), notes: [], ...statedCrs(metadata) }
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
      const rows = await parquetReadObjects({ file: source, metadata, compressors, rowStart, rowEnd })
      onShare(rowEnd / total)
      yield rows.map((row, index) => ({ line: rowStart + index + 1, document: documentOfRow(row) }))
    }
    groupStart = groupEnd
  }
}

function statedCrs({ key_value_metadata, schema }: FileMetaData): Pick<Reading, 'crs'> {
  const geo = key_value_metadata?.find(({ key }) => key === 'geo')?.value
  if (geo !== undefined) {
    const { crs } = parseGeoMetadata(geo)
    return crs === undefined ? {} : { crs }
  }
  for (const { logical_type } of schema) {
    if (logical_type?.type !== 'GEOMETRY' || logical_type.crs === undefined) continue
    return { crs: parseCoordinateSystem(logical_type.crs) }
  }
  return {}
}
