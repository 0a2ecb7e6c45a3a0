import { DuckDBBlobValue, type DuckDBVector } from '@duckdb/node-api'
import { areaBounds } from '../../../geo/area/area-bounds.ts'
import { type PreparedArea, prepareArea } from '../../../geo/area/prepared-area.ts'
import type { Box } from '../../../geo/area.ts'
import type { Shape } from '../../../geo/shape/shape.ts'
import { pointShape, shapeRelation } from '../../../geo/shape/shape-relation.ts'
import { decodeShape } from '../../../geo/shape/wkb.ts'
import type { GeoPredicate, RelatePredicate } from '../../../query/plan/predicate.ts'
import { NUMBER } from '../database/sought-rows.ts'
import type { ChunkTest, Seek, SqlBuilder } from '../database/sql-builder.ts'
import { doublesOf } from '../database/vector-items.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'

export function compileGeo(
  p: GeoPredicate,
  field: FieldLayout,
  { table }: IndexTable,
  sql: SqlBuilder,
  seek: Seek,
): string {
  const area = prepareArea(p.area, 'many')
  if (area.bounds.length === 0) return 'FALSE'
  if (field.type !== 'GEO_POINT') return compileShape(p.relation, area, field, table, sql, seek)
  return area.isBoxes ? compilePointInBoxes(area, field, sql) : compilePoint(area, field, table, sql, seek)
}

/** For points, intersects equals within. */
function compilePointInBoxes(area: PreparedArea, field: FieldLayout, sql: SqlBuilder): string {
  const inside = among(area.bounds.map((b) => bindBox(b, sql)))
  const single = inside(`${field.column}_lon`, `${field.column}_lat`)
  if (!field.several) return single
  return `(${single} OR len(list_filter(${listOf(field)}, lambda p: ${inside('p.lon', 'p.lat')})) > 0)`
}

/** Points in boxes that lie entirely inside the area are not tested. */
const compilePoint = (area: PreparedArea, field: FieldLayout, table: string, sql: SqlBuilder, seek: Seek): string =>
  compilePointTest(area.bounds, area.inner(), (lon, lat) => area.coversPoint(lon, lat), field, table, sql, seek)

/** Tests the points in the bounds; those in the inner boxes pass without a test. */
function compilePointTest(
  bounds: readonly Box[],
  inner: readonly Box[],
  holds: (lon: number, lat: number) => boolean,
  field: FieldLayout,
  table: string,
  sql: SqlBuilder,
  seek: Seek,
): string {
  const [lon, lat] = [`${field.column}_lon`, `${field.column}_lat`]
  const rows = (near: string, own: SqlBuilder): readonly string[] => {
    const isNear = among(bounds.map((b) => bindBox(b, own)))
    const surely = inner.length === 0 ? '' : ` AND NOT ${among(inner.map((b) => bindBox(b, own)))(lon, lat)}`
    const single = `SELECT ${NUMBER}, ${lon}, ${lat} FROM ${table} WHERE ${near} AND ${isNear(lon, lat)}${surely}`
    if (!field.several) return [single]
    const all = `SELECT _seq, unnest(${listOf(field)}) AS p FROM ${table} WHERE ${near} AND ${hasSeveral(field)}`
    return [single, `SELECT ${NUMBER}, p.lon, p.lat FROM (${all}) WHERE ${isNear('p.lon', 'p.lat')}`]
  }
  const tested = seek(rows, (chunk) => {
    const [lons, lats] = [doublesOf(chunk.getColumnVector(1)), doublesOf(chunk.getColumnVector(2))]
    return (row) => holds(lons[row] ?? 0, lats[row] ?? 0)
  })
  const surely = inner.length === 0 ? '' : `${among(inner.map((b) => bindBox(b, sql)))(lon, lat)} OR `
  const matches = `(${surely}${tested})`
  // The boxes are a separate condition, so that the scan can skip row groups.
  return field.several ? matches : `(${among(bounds.map((b) => bindBox(b, sql)))(lon, lat)} AND ${matches})`
}

/** Only what meets the bounds of the area can be related to it. */
export function compileRelation(
  { relation, area }: RelatePredicate,
  field: FieldLayout,
  { table }: IndexTable,
  sql: SqlBuilder,
  seek: Seek,
): string {
  const bounds = areaBounds(area)
  const holds = shapeRelation(relation, area)
  if (field.type === 'GEO_POINT') {
    return compilePointTest(bounds, [], (lon, lat) => holds(pointShape(lon, lat)), field, table, sql, seek)
  }
  const tested = seek((near, own) => {
    const { meets } = compileEnvelope(bounds, field, own)
    return [`SELECT ${NUMBER}, ${field.column}_wkb FROM ${table} WHERE ${near} AND ${meets}`]
  }, testShapes(holds))
  return `(${compileEnvelope(bounds, field, sql).meets} AND ${tested})`
}

const among =
  (boxes: readonly BoundBox[]) =>
  (lon: string, lat: string): string =>
    any(boxes.map((b) => `(${lon} BETWEEN ${b.west} AND ${b.east} AND ${lat} BETWEEN ${b.south} AND ${b.north})`))

function compileShape(
  relation: 'within' | 'intersects',
  area: PreparedArea,
  field: FieldLayout,
  table: string,
  sql: SqlBuilder,
  seek: Seek,
): string {
  const { meets, lies } = compileEnvelope(area.bounds, field, sql)
  // For one box the envelope decides `within`. Otherwise it only avoids some exact tests.
  if (relation === 'within' && area.isBoxes && area.bounds.length === 1) return lies
  const matches = relation === 'within' ? (s: Shape) => area.coversShape(s) : (s: Shape) => area.intersectsShape(s)
  const tested = seek((near, own) => {
    const envelope = compileEnvelope(area.bounds, field, own)
    const unsure = area.isBoxes ? ` AND NOT ${envelope.lies}` : ''
    return [`SELECT ${NUMBER}, ${field.column}_wkb FROM ${table} WHERE ${near} AND ${envelope.meets}${unsure}`]
  }, testShapes(matches))
  // The envelope test is a separate condition, so that the scan can skip row groups.
  return `(${meets} AND ${area.isBoxes ? `(${lies} OR ${tested})` : tested})`
}

interface EnvelopeSql {
  readonly meets: string
  readonly lies: string
}

/** Compiles whether the envelope of a shape meets the boxes of an area, and whether it lies in one of them. */
function compileEnvelope(bounds: readonly Box[], { column: c }: FieldLayout, sql: SqlBuilder): EnvelopeSql {
  const boxes = bounds.map((b) => bindBox(b, sql))
  return {
    meets: any(
      boxes.map(
        (b) =>
          `(${c}_west <= ${b.east} AND ${c}_east >= ${b.west} AND ${c}_south <= ${b.north} AND ${c}_north >= ${b.south})`,
      ),
    ),
    lies: any(
      boxes.map(
        (b) =>
          `(${c}_west >= ${b.west} AND ${c}_east <= ${b.east} AND ${c}_south >= ${b.south} AND ${c}_north <= ${b.north})`,
      ),
    ),
  }
}

/** Tests shapes, whose WKB is the column after the row number. */
export const testShapes =
  (matches: (shape: Shape) => boolean): ChunkTest =>
  (chunk) => {
    const shapes = chunk.getColumnVector(1)
    return (row) => {
      const shape = shapeIn(shapes, row)
      return shape !== undefined && matches(shape)
    }
  }

/** Decodes a shape from a vector of WKB. */
export function shapeIn(shapes: DuckDBVector, row: number): Shape | undefined {
  const wkb = shapes.getItem(row)
  return wkb instanceof DuckDBBlobValue ? decodeShape(wkb.bytes) : undefined
}

const any = (conditions: readonly string[]): string =>
  conditions.length === 1 ? `${conditions[0]}` : `(${conditions.join(' OR ')})`

type BoundBox = Readonly<Record<keyof Box, string>>

function bindBox(box: Box, sql: SqlBuilder): BoundBox {
  return {
    west: sql.bind(box.west, 'DOUBLE'),
    south: sql.bind(box.south, 'DOUBLE'),
    east: sql.bind(box.east, 'DOUBLE'),
    north: sql.bind(box.north, 'DOUBLE'),
  }
}
