import type { Box } from '../../geo/area.ts'
import { type PreparedArea, prepareArea } from '../../geo/prepared-area.ts'
import type { GeoPredicate } from '../../query/predicate.ts'
import { listOf } from './several-values.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { FieldLayout } from './table-layout.ts'

export function compileGeo(p: GeoPredicate, field: FieldLayout, sql: SqlBuilder): string {
  const area = prepareArea(p.area, 'many')
  if (area.bounds.length === 0) return 'FALSE'
  return field.type === 'GEO_POINT' ? compilePoint(area, field, sql) : compileShape(p.relation, area, field, sql)
}

/** On points intersects equals within. */
function compilePoint(area: PreparedArea, field: FieldLayout, sql: SqlBuilder): string {
  const boxes = area.bounds.map((b) => bindBox(b, sql))
  const matcher = area.isBoxes ? undefined : sql.match({ point: (lon, lat) => area.coversPoint(lon, lat) })
  const inner = area.inner().map((b) => bindBox(b, sql))
  const inside = (lon: string, lat: string): string => {
    const among = (some: readonly BoundBox[]): string =>
      any(some.map((b) => `(${lon} BETWEEN ${b.west} AND ${b.east} AND ${lat} BETWEEN ${b.south} AND ${b.north})`))
    if (!matcher) return among(boxes)
    const exact = `match_point(${matcher}, ${lon}, ${lat})`
    return `(${among(boxes)} AND ${inner.length > 0 ? `CASE WHEN ${among(inner)} THEN TRUE ELSE ${exact} END` : exact})`
  }
  const single = inside(`${field.column}_lon`, `${field.column}_lat`)
  if (!field.several) return single
  return `(${single} OR len(list_filter(${listOf(field)}, lambda p: ${inside('p.lon', 'p.lat')})) > 0)`
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
  const exact = `match_shape(${matcher}, ${c}_wkb)`
  // The envelope test stands alone, so that the scan can skip row groups by it.
  return `(${meets} AND ${area.isBoxes ? `CASE WHEN ${lies} THEN TRUE ELSE ${exact} END` : exact})`
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
