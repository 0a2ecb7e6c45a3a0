import type { Box } from '../../geo/area.ts'
import { mortonKey, tileKeyRange } from '../../geo/morton-key.ts'
import { type PreparedArea, prepareArea } from '../../geo/prepared-area.ts'
import type { GeoPredicate, TilePredicate } from '../../query/predicate.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { FieldLayout } from './table-layout.ts'

export function compileTile(p: TilePredicate, field: FieldLayout, sql: SqlBuilder): string {
  const { first, last } = tileKeyRange(p.z, p.x, p.y)
  const from = sql.bind(first, 'UBIGINT')
  const to = sql.bind(last, 'UBIGINT')
  const single = `${field.column}_key BETWEEN ${from} AND ${to}`
  if (!field.several) return single
  return `(${single} OR len(list_filter(${field.column}_all, lambda p: p.key BETWEEN ${from} AND ${to})) > 0)`
}

export function compileGeo(p: GeoPredicate, field: FieldLayout, sql: SqlBuilder): string {
  const area = prepareArea(p.area)
  if (area.bounds.length === 0) return 'FALSE'
  return field.type === 'GEO_POINT' ? compilePoint(area, field, sql) : compileShape(p.relation, area, field, sql)
}

/** On points intersects equals within. */
function compilePoint(area: PreparedArea, field: FieldLayout, sql: SqlBuilder): string {
  const boxes = area.bounds.map((b) => bindBox(b, sql))
  const matcher = area.isBoxes ? undefined : sql.match({ point: (lon, lat) => area.coversPoint(lon, lat) })
  const inside = (lon: string, lat: string): string => {
    const inBounds = any(
      boxes.map((b) => `${lon} BETWEEN ${b.west} AND ${b.east} AND ${lat} BETWEEN ${b.south} AND ${b.north}`),
    )
    return matcher ? `CASE WHEN ${inBounds} THEN match_point(${matcher}, ${lon}, ${lat}) ELSE FALSE END` : inBounds
  }
  const single = `(${keyRange(area.bounds, field, sql)} AND ${inside(`${field.column}_lon`, `${field.column}_lat`)})`
  if (!field.several) return single
  return `(${single} OR len(list_filter(${field.column}_all, lambda p: ${inside('p.lon', 'p.lat')})) > 0)`
}

/**
 * Keys grow with x and with y, so every point of a box has a key between those of its north-west and south-east corner.
 * It adds nothing to the answer; it lets the scan skip row groups, which are stored in key order.
 */
function keyRange(bounds: readonly Box[], field: FieldLayout, sql: SqlBuilder): string {
  const corners = bounds.map((b) => ({ first: mortonKey(b.west, b.north), last: mortonKey(b.east, b.south) }))
  let [range] = corners
  if (!range) return 'FALSE'
  for (const { first, last } of corners) {
    if (first < range.first) range = { ...range, first }
    if (last > range.last) range = { ...range, last }
  }
  const { first, last } = range
  return `${field.column}_key BETWEEN ${sql.bind(first, 'UBIGINT')} AND ${sql.bind(last, 'UBIGINT')}`
}

function compileShape(
  relation: 'within' | 'intersects',
  area: PreparedArea,
  field: FieldLayout,
  sql: SqlBuilder,
): string {
  const c = field.column
  const boxes = area.bounds.map((b) => bindBox(b, sql))
  const meets = any(
    boxes.map(
      (b) =>
        `(${c}_west <= ${b.east} AND ${c}_east >= ${b.west} AND ${c}_south <= ${b.north} AND ${c}_north >= ${b.south})`,
    ),
  )
  const lies = any(
    boxes.map(
      (b) =>
        `(${c}_west >= ${b.west} AND ${c}_east <= ${b.east} AND ${c}_south >= ${b.south} AND ${c}_north <= ${b.north})`,
    ),
  )
  // For one box the envelope decides `within`; otherwise the envelope only spares the exact test.
  if (relation === 'within' && area.isBoxes && area.bounds.length === 1) return lies
  const matcher = sql.match({
    shape: relation === 'within' ? (s) => area.coversShape(s) : (s) => area.intersectsShape(s),
  })
  const sure = area.isBoxes ? `WHEN ${lies} THEN TRUE ` : ''
  return `CASE ${sure}WHEN ${meets} THEN match_shape(${matcher}, ${c}_wkb) ELSE FALSE END`
}

const any = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`

function bindBox(box: Box, sql: SqlBuilder): Record<keyof Box, string> {
  return {
    west: sql.bind(box.west, 'DOUBLE'),
    south: sql.bind(box.south, 'DOUBLE'),
    east: sql.bind(box.east, 'DOUBLE'),
    north: sql.bind(box.north, 'DOUBLE'),
  }
}
