import type { ExportFormat } from '../../explore/export.ts'
import { GEOJSON_MEDIA } from '../link.ts'

interface ItemFormat {
  /** Value of the parameter `f`. */
  readonly name: string
  readonly type: string
  readonly title: string
  /** Absent: the page of GeoJSON. */
  readonly file?: ExportFormat
  readonly extension: string
}

/** Formats of features, the default first. */
export const FORMATS: readonly [ItemFormat, ...ItemFormat[]] = [
  { name: 'json', type: GEOJSON_MEDIA, title: 'GeoJSON', extension: 'geojson' },
  { name: 'csv', type: 'text/csv', title: 'CSV', file: 'csv', extension: 'csv' },
  {
    name: 'parquet',
    type: 'application/vnd.apache.parquet',
    title: 'GeoParquet',
    file: 'geoparquet',
    extension: 'parquet',
  },
  { name: 'fgb', type: 'application/flatgeobuf', title: 'FlatGeobuf', file: 'flatgeobuf', extension: 'fgb' },
  {
    name: 'geojsonl',
    type: 'application/x-ndjson',
    title: 'GeoJSON lines',
    file: 'geojsonl',
    extension: 'geojsonl',
  },
]
