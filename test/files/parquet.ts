import { DuckDBInstance } from '@duckdb/node-api'
import { parseWkt } from '../../src/geo/wkt.ts'
import type { ReadFeature } from './gdal.ts'

/** A GeoParquet file as read by DuckDB; the GDAL of Debian has no driver for it. */
interface ParquetTable {
  /** Names and types of the columns. */
  readonly columns: ReadonlyMap<string, string>
  readonly features: readonly ReadFeature[]
  /** The boxes of the geometries: west, south, east, north. */
  readonly boxes: readonly (readonly unknown[] | null)[]
  /** The metadata under `geo`. */
  readonly geo: unknown
}

const WKT = '__wkt'

/** Reads a file with a DuckDB instance that is independent of the server. */
export async function readParquet(path: string): Promise<ParquetTable> {
  const instance = await DuckDBInstance.create(':memory:')
  try {
    const connection = await instance.connect()
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS()
    const described = await read(`DESCRIBE SELECT * FROM read_parquet('${path}')`)
    const rows = await read(`SELECT *, ST_AsText(geometry) AS ${WKT} FROM read_parquet('${path}')`)
    const [metadata] = await read(
      `SELECT decode(value) AS text FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'geo'`,
    )
    connection.closeSync()
    return {
      columns: new Map(described.map(({ column_name, column_type }) => [String(column_name), String(column_type)])),
      features: rows.map(({ [WKT]: wkt, geometry: _, bbox: __, ...properties }) => ({
        geometry: typeof wkt === 'string' ? parseWkt(wkt, { lenient: true }) : null,
        properties,
      })),
      boxes: rows.map(({ bbox }) => (typeof bbox === 'object' && bbox !== null ? Object.values(bbox) : null)),
      geo: JSON.parse(String(metadata?.text)),
    }
  } finally {
    instance.closeSync()
  }
}
