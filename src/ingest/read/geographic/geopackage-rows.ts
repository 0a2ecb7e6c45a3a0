import { DatabaseSync } from 'node:sqlite'
import type { Json } from '../../../model/json/document.ts'
import { type CoordinateSystem, parseCoordinateSystem } from '../../crs/coordinate-system.ts'
import type { Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import { readWkb } from '../shared/binary-geometry.ts'
import { chooseLayer } from '../shared/layer.ts'
import { BATCH, type Reading, type ReadOptions } from '../shared/reading.ts'

interface GeometryColumn {
  readonly name: string
  readonly srs: number
}

/** Rows of one table of a GeoPackage (OGC 12-128r19). */
export async function readGeoPackage(file: string, name: string, { layer }: ReadOptions): Promise<Reading> {
  const database = openDatabase(file, name)
  const tables = tablesOf(database, name)
  const { chosen, notes } = chooseLayer(tables, layer, name, 'table')
  const geometry = geometryColumnOf(database, chosen)
  const crs = geometry === undefined ? undefined : crsOf(database, geometry.srs)
  return { rows: rowsOf(database, chosen, geometry), notes, ...(crs === undefined ? {} : { crs }) }
}

function openDatabase(file: string, name: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, readBigInts: true })
  } catch (error) {
    throw new InputFault(`${name} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function tablesOf(database: DatabaseSync, name: string): readonly string[] {
  try {
    const known = database.prepare(`SELECT table_name, data_type FROM gpkg_contents`).all()
    const usable = known.filter(({ data_type }) => data_type !== 'tiles' && data_type !== '2d-gridded-coverage')
    if (usable.length === 0) {
      throw new InputFault(`${name} cannot be loaded: this is a GeoPackage of image tiles: images are not documents.`)
    }
    // tables with geometries first
    return usable
      .toSorted((a, b) => Number(b.data_type === 'features') - Number(a.data_type === 'features'))
      .map(({ table_name }) => String(table_name))
  } catch (error) {
    if (error instanceof InputFault) throw error
    throw new InputFault(
      `${name} cannot be loaded: this is an SQLite database, but not a GeoPackage: export its table as CSV first.`,
    )
  }
}

function geometryColumnOf(database: DatabaseSync, table: string): GeometryColumn | undefined {
  const found = database
    .prepare('SELECT column_name, srs_id FROM gpkg_geometry_columns WHERE table_name = ?')
    .get(table)
  return found === undefined ? undefined : { name: String(found.column_name), srs: Number(found.srs_id) }
}

function crsOf(database: DatabaseSync, srs: number): CoordinateSystem | undefined {
  // -1 and 0 stand for an undefined system (section 1.1.2.1.2)
  if (srs <= 0) return undefined
  const found = database.prepare('SELECT * FROM gpkg_spatial_ref_sys WHERE srs_id = ?').get(BigInt(srs))
  if (found === undefined) return undefined
  if (String(found.organization).toUpperCase() === 'EPSG') {
    try {
      return parseCoordinateSystem(`EPSG:${found.organization_coordsys_id}`)
    } catch (error) {
      // the file may define a system that is not in the list
      if (!(error instanceof InputFault)) throw error
    }
  }
  return parseCoordinateSystem(String(found.definition))
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function* rowsOf(
  database: DatabaseSync,
  table: string,
  geometry: GeometryColumn | undefined,
): AsyncGenerator<readonly Row[], void, undefined> {
  const columns = database.prepare(`PRAGMA table_info(${quoted(table)})`).all()
  const booleans = new Set(columns.filter(({ type }) => /^bool/i.test(String(type))).map(({ name }) => String(name)))
  let batch: Row[] = []
  let line = 0
  try {
    for (const record of database.prepare(`SELECT * FROM ${quoted(table)}`).iterate()) {
      line += 1
      const members = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
        if (value === null) return []
        if (name === geometry?.name) {
          const read = value instanceof Uint8Array ? readBlob(value) : undefined
          return read === undefined ? [] : [['geometry', read]]
        }
        return [[name, booleans.has(name) ? Boolean(value) : cellOf(value)]]
      })
      batch.push({ line, document: Object.fromEntries(members) })
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  } finally {
    database.close()
  }
}

function cellOf(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

/** Bytes of the envelope by its code (section 2.1.3). */
const ENVELOPES = [0, 32, 48, 48, 64]

function readBlob(blob: Uint8Array): ReturnType<typeof readWkb> {
  if (blob[0] !== 0x47 || blob[1] !== 0x50) return readWkb(blob)
  return readWkb(blob.subarray(8 + (ENVELOPES[((blob[3] ?? 0) >> 1) & 7] ?? 0)))
}
