import type { Query, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Area, Box } from '../../../geo/area.ts'
import type { Ring } from '../../../geo/ring.ts'
import type { CellPredicate, GeoPredicate } from '../../../query/plan/predicate.ts'
import { type Field, isGeo } from '../../../query/schema/field.ts'
import type { Dialect } from '../request/dialect.ts'
import { polygonsOf } from './area-pieces.ts'
import { cellBox } from './cell-query.ts'
import { storedBox } from './geo-quantum.ts'
import { anyOf, noDocument } from './query-clauses.ts'

type Relation = GeoPredicate['relation']

/**
 * For points, `within` is compiled as `intersects`: one of several points inside is enough, but `within` of the cluster
 * requires all.
 */
export function compileGeo({ field, relation, area }: GeoPredicate, dialect: Dialect): Query {
  if (!isGeo(field.type)) return noDocument
  if (field.type === 'GEO_POINT') return compilePoints(field, area, dialect)
  const geometries = relation === 'within' ? coveringGeometries(area) : meetingGeometries(area)
  return geometries.length === 0 ? noDocument : shapeQuery(field, relation, oneGeometry(geometries))
}

/** A cell by point is only supported on GEO_POINT: clusters do not know the centroid of a shape. */
export function compileCell({ field, cell }: CellPredicate): Query {
  const box = cellBox(cell)
  return field.type === 'GEO_POINT' ? boxQuery(field, box) : shapeQuery(field, 'intersects', envelope(box))
}

function compilePoints(field: Field, area: Area, dialect: Dialect): Query {
  if (area.boxes.length > 0 && area.polygons.length + area.lines.length + area.points.length === 0) {
    return anyOf(area.boxes.map((box) => boxQuery(field, storedBox(box))))
  }
  const polygons = polygonsOf(area)
  if (polygons.length === 0) return noDocument
  if (dialect.shapes) return shapeQuery(field, 'intersects', multiPolygon(polygons))
  return anyOf(polygons.map((polygon) => ringsQuery(field, polygon)))
}

/**
 * Returns one geometry of all members that can cover a shape, since a shape may be covered by several members together.
 */
function coveringGeometries(area: Area): readonly WireObject[] {
  const [box] = area.boxes
  const polygons = polygonsOf(area)
  if (box !== undefined && polygons.length === 1) return [envelope(storedBox(box))]
  return polygons.length === 0 ? [] : [multiPolygon(polygons)]
}

function meetingGeometries({ boxes, polygons, lines, points }: Area): readonly WireObject[] {
  return [
    ...boxes.map((box) => envelope(storedBox(box))),
    ...(polygons.length > 0 ? [multiPolygon(polygons)] : []),
    ...(lines.length > 0 ? [{ type: 'MultiLineString', coordinates: lines }] : []),
    ...(points.length > 0 ? [{ type: 'MultiPoint', coordinates: points }] : []),
  ]
}

function oneGeometry(geometries: readonly WireObject[]): WireObject {
  const [only] = geometries
  return only !== undefined && geometries.length === 1 ? only : { type: 'GeometryCollection', geometries }
}

const envelope = ({ west, south, east, north }: Box): WireObject => ({
  type: 'envelope',
  coordinates: [
    [west, north],
    [east, south],
  ],
})

/** Exterior rings must be counter-clockwise, else a wide ring is read as its complement. */
const multiPolygon = (polygons: readonly (readonly Ring[])[]): WireObject =>
  polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] ?? [], orientation: 'right' }
    : { type: 'MultiPolygon', coordinates: polygons, orientation: 'right' }

// One of several indices may not have the field.
const shapeQuery = (field: Field, relation: Relation, shape: WireObject): Query => ({
  geo_shape: { [field.path]: { shape, relation }, ignore_unmapped: true },
})

const boxQuery = (field: Field, { west, south, east, north }: Box): Query => ({
  geo_bounding_box: { [field.path]: { left: west, bottom: south, right: east, top: north }, ignore_unmapped: true },
})

function ringsQuery(field: Field, [exterior = [], ...holes]: readonly Ring[]): Query {
  const inside = (points: Ring): Query => ({ geo_polygon: { [field.path]: { points }, ignore_unmapped: true } })
  if (holes.length === 0) return inside(exterior)
  return { bool: { filter: [inside(exterior)], must_not: holes.map(inside) } }
}
