import type { DuckDBConnection } from '@duckdb/node-api'
import { mortonKeys } from '../../../geo/grid/morton-key.ts'
import { doubleChunks } from '../database/vector-items.ts'
import {
  BLOCK,
  BOX_RECORD,
  blocksOf,
  columnPlaces,
  DATE_RECORD,
  KEY_RECORD,
  NO_RANK,
  POINT_RECORD,
  RANK_RECORD,
  type RowColumnPlaces,
  type RowLists,
  SOURCE_RECORD,
} from '../files/row-file.ts'
import type { SourceFile } from '../files/source-file.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { type FieldLayout, rankColumnOf } from '../index/table-layout.ts'

/** Rows read and written at a time: whole blocks, and as many as a DuckDB row group has (122,880). */
const PORTION = 960 * BLOCK

/** Writes the columns of a table arranged by `place` and syncs the file. */
export async function writeRows(
  connection: DuckDBConnection,
  { table, layout, newest }: Pick<IndexDefinition, 'table' | 'layout' | 'newest'>,
  place: FieldLayout,
  name: string,
  file: SourceFile,
): Promise<RowLists> {
  const [found] = await (await connection.run(`SELECT count(${place.column}_key) FROM ${table}`)).getRows()
  const ranked = layout.fields.filter((field) => field.ranked)
  const described = {
    rows: Number(found?.[0]),
    placePath: place.path,
    ...(newest && { datePath: newest.path }),
    rankedPaths: ranked.map(({ path }) => path),
  }
  const places = columnPlaces(described)
  const date = layout.fields.find(({ path }) => path === newest?.path)
  const values = [
    '_seq',
    `${place.column}_lon`,
    `${place.column}_lat`,
    '_at',
    '_size',
    date ? `coalesce(CAST(${date.column} AS DOUBLE), 'nan')` : '0',
    ...ranked.map((field) => `coalesce(${rankColumnOf(field).name}, ${NO_RANK})`),
  ]
  const columns = values.map((value) => `CAST(${value} AS DOUBLE)`).join(', ')
  for (let first = 0; first < described.rows; first += PORTION) {
    const end = Math.min(first + PORTION, described.rows)
    const sql = `SELECT ${columns} FROM ${table} WHERE _seq >= ${first} AND _seq < ${end}`
    const portion = await readPortion(connection, sql, first, end - first, values.length - 1)
    await writePortion(file, portion, first, described, places)
  }
  await file.sync()
  return { ...described, file: name, end: places.end }
}

/** Reads some rows column by column and puts them in row order. The database may return them in any order. */
async function readPortion(
  connection: DuckDBConnection,
  sql: string,
  first: number,
  rows: number,
  width: number,
): Promise<readonly Float64Array[]> {
  const result = await connection.run(sql)
  const columns = Array.from({ length: width }, () => new Float64Array(rows))
  let read = 0
  for await (const { rowCount, doubles } of doubleChunks(result)) {
    const seqs = doubles(0)
    for (const [i, column] of columns.entries()) {
      const values = doubles(i + 1)
      for (let row = 0; row < rowCount; row++) column[(seqs[row] ?? 0) - first] = values[row] ?? 0
    }
    read += rowCount
  }
  if (read !== rows) throw new Error(`read ${read} rows instead of ${rows} from row ${first} on`)
  return columns
}

const NONE = new Float64Array(0)

async function writePortion(
  file: SourceFile,
  [lons = NONE, lats = NONE, at = NONE, sizes = NONE, dates = NONE, ...ranks]: readonly Float64Array[],
  first: number,
  { datePath, rankedPaths }: Pick<RowLists, 'datePath' | 'rankedPaths'>,
  places: RowColumnPlaces,
): Promise<void> {
  const block = first / BLOCK
  await file.write(places.points + first * POINT_RECORD, [bytesOf(interleaved(lons, lats))])
  await file.write(places.blockKeys + block * KEY_RECORD, [bytesOf(mortonKeys(everyBlock(lons), everyBlock(lats)))])
  await file.write(places.blockBoxes + block * BOX_RECORD, [bytesOf(boxesOf(lons, lats))])
  await file.write(places.sources + first * SOURCE_RECORD, [sourceRecords(at, sizes)])
  if (datePath !== undefined) await file.write(places.dates + first * DATE_RECORD, [bytesOf(dates)])
  for (const [i, path] of rankedPaths.entries()) {
    const start = (places.ranks.get(path) ?? 0) + first * RANK_RECORD
    await file.write(start, [bytesOf(Uint32Array.from(ranks[i] ?? NONE))])
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

function interleaved(lons: Float64Array, lats: Float64Array): Float64Array {
  const points = new Float64Array(2 * lons.length)
  for (let row = 0; row < lons.length; row++) {
    points[2 * row] = lons[row] ?? 0
    points[2 * row + 1] = lats[row] ?? 0
  }
  return points
}

/** The value of the first row of each block. */
const everyBlock = (values: Float64Array): Float64Array =>
  Float64Array.from({ length: blocksOf(values.length) }, (_, block) => values[block * BLOCK] ?? 0)

function boxesOf(lons: Float64Array, lats: Float64Array): Float64Array {
  const boxes = new Float64Array(4 * blocksOf(lons.length))
  for (let first = 0; first < lons.length; first += BLOCK) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let row = first; row < Math.min(first + BLOCK, lons.length); row++) {
      const [x, y] = [lons[row] ?? 0, lats[row] ?? 0]
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
    }
    boxes.set([west, south, east, north], (4 * first) / BLOCK)
  }
  return boxes
}

function sourceRecords(at: Float64Array, sizes: Float64Array): Uint8Array {
  const records = new DataView(new ArrayBuffer(at.length * SOURCE_RECORD))
  for (let row = 0; row < at.length; row++) {
    records.setFloat64(row * SOURCE_RECORD, at[row] ?? 0, true)
    records.setUint32(row * SOURCE_RECORD + 8, sizes[row] ?? 0, true)
  }
  return bytesOf(records)
}
