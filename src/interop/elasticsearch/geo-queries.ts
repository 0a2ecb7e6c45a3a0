import { boxArea } from '../../geo/area/box-area.ts'
import { areaOf } from '../../geo/area/filter-area.ts'
import type { Area } from '../../geo/area.ts'
import { circleAround } from '../../geo/circle.ts'
import { readGeoJson } from '../../geo/geojson.ts'
import { GeometryFault } from '../../geo/geometry-fault.ts'
import { mapPositions } from '../../geo/map-positions.ts'
import { readPoint } from '../../geo/shape/document-geometry.ts'
import { hasOneDimension } from '../../geo/shape/shape-relation.ts'
import { parseWkt } from '../../geo/wkt.ts'
import type { Geometry, Position } from '../../model/geometry.ts'
import type { Json } from '../../model/json/document.ts'
import { isRecord } from '../../model/json/json-object.ts'
import { not, nothing, type Predicate } from '../../query/plan/predicate.ts'
import { type Field, isGeo } from '../../query/schema/field.ts'
import { checkNames, fault, type Members, placeOf, readMembers, readNumber, readOnly } from './members.ts'
import { findField, type QueryContext } from './query-context.ts'

/** Conditions on places. Areas are planar in longitude and latitude, as elsewhere here; distances are on the sphere. */

const IGNORED = ['boost', '_name', 'ignore_unmapped', 'validation_method', 'type', 'distance_type', 'optimize_bbox']

export function boundingBoxQuery(value: unknown, place: string, context: QueryContext): Predicate {
  const only = readOnly(value, place, IGNORED)
  const corners = readMembers(only.value, only.place)
  const field = geoField(only.name, only.place, context)
  return field === undefined
    ? nothing
    : inArea(
        field,
        guarded(only.place, () => boxArea(boundsOf(corners, only.place))),
      )
}

function boundsOf(corners: Members, place: string): readonly number[] {
  checkNames(corners, place, BOX_MEMBERS)
  if (typeof corners.wkt === 'string') {
    const bbox = /^\s*BBOX\s*\(([^()]*)\)\s*$/i.exec(corners.wkt)?.[1]?.split(',').map(Number)
    if (bbox?.length !== 4) throw fault(placeOf(place, 'wkt'), 'must be BBOX(west, east, north, south)', corners.wkt)
    const [west = 0, east = 0, north = 0, south = 0] = bbox
    return [west, south, east, north]
  }
  const corner = (name: string) =>
    corners[name] === undefined ? undefined : pointOf(corners[name], placeOf(place, name))
  const [topLeft, bottomRight, topRight, bottomLeft] = [
    corner('top_left'),
    corner('bottom_right'),
    corner('top_right'),
    corner('bottom_left'),
  ]
  const side = (name: string, position: Position | undefined, axis: 0 | 1): number =>
    position?.[axis] ?? readNumber(corners[name], placeOf(place, name))
  return [
    side('left', topLeft ?? bottomLeft, 0),
    side('bottom', bottomRight ?? bottomLeft, 1),
    side('right', bottomRight ?? topRight, 0),
    side('top', topLeft ?? topRight, 1),
  ]
}

const BOX_MEMBERS = ['top_left', 'bottom_right', 'top_right', 'bottom_left', 'top', 'left', 'bottom', 'right', 'wkt']

export function distanceQuery(value: unknown, place: string, context: QueryContext): Predicate {
  const { name, value: centre, place: at, members } = readOnly(value, place, ['distance', 'unit', ...IGNORED])
  const metres = readDistance(members.distance, members.unit, placeOf(place, 'distance'))
  const [lon = 0, lat = 0] = pointOf(centre, at)
  const field = geoField(name, at, context)
  return field === undefined
    ? nothing
    : inArea(
        field,
        guarded(at, () => areaOf(circleAround(lon, lat, metres), {})),
      )
}

export function polygonQuery(value: unknown, place: string, context: QueryContext): Predicate {
  const only = readOnly(value, place, IGNORED)
  const { points } = readMembers(only.value, only.place)
  if (!Array.isArray(points)) throw fault(placeOf(only.place, 'points'), 'must be an array', points)
  context.budget.spendPositions(points.length, only.place)
  const ring = points.map((point, i) => pointOf(point, `${only.place}.points[${i}]`))
  const [first] = ring
  if (first === undefined) throw fault(placeOf(only.place, 'points'), 'must not be empty')
  const last = ring.at(-1)
  const closed = last?.[0] === first[0] && last?.[1] === first[1] ? ring : [...ring, first]
  const field = geoField(only.name, only.place, context)
  const geometry: Geometry = { type: 'Polygon', coordinates: [closed] }
  return field === undefined ? nothing : inArea(field, areaIn(geometry, only.place, context))
}

const RELATIONS = ['intersects', 'disjoint', 'within', 'contains'] as const

export function shapeQuery(value: unknown, place: string, context: QueryContext): Predicate {
  const only = readOnly(value, place, IGNORED)
  const members = readMembers(only.value, only.place)
  checkNames(members, only.place, ['shape', 'relation', 'strategy'])
  const given = String(members.relation ?? 'intersects').toLowerCase()
  const relation = RELATIONS.find((known) => known === given)
  if (relation === undefined)
    throw fault(placeOf(only.place, 'relation'), `must be one of ${RELATIONS.join(', ')}`, given)
  const area = shapeArea(members.shape, placeOf(only.place, 'shape'), context)
  const field = geoField(only.name, only.place, context)
  if (field === undefined) return nothing
  switch (relation) {
    case 'intersects':
    case 'within':
      return { kind: 'geo', field, relation, area }
    case 'disjoint':
      return not({ kind: 'geo', field, relation: 'intersects', area })
    case 'contains':
      if (!hasOneDimension(area)) throw fault(only.place, 'must not contain a shape with parts of several dimensions')
      return { kind: 'relates', field, relation, area }
  }
}

/** WKT, GeoJSON, and the forms `envelope` and `circle`. */
function shapeArea(value: unknown, place: string, context: QueryContext): Area {
  if (typeof value === 'string') {
    return areaIn(
      guarded(place, () => parseWkt(value, { lenient: true, maxVertices: context.limits.vertices })),
      place,
      context,
    )
  }
  const shape = readMembers(value, place)
  const type = String(shape.type).toLowerCase()
  if (type === 'envelope') {
    const [topLeft, bottomRight] = Array.isArray(shape.coordinates) ? shape.coordinates : []
    const [west = 0, north = 0] = pointOf(topLeft, `${place}.coordinates[0]`)
    const [east = 0, south = 0] = pointOf(bottomRight, `${place}.coordinates[1]`)
    return guarded(place, () => boxArea([west, south, east, north]))
  }
  if (type === 'circle') {
    const [lon = 0, lat = 0] = pointOf(shape.coordinates, placeOf(place, 'coordinates'))
    const metres = readDistance(shape.radius, undefined, placeOf(place, 'radius'))
    return guarded(place, () => areaOf(circleAround(lon, lat, metres), {}))
  }
  const geometry = readGeoJson(shape as Readonly<Record<string, Json>>)
  if (geometry === undefined) throw fault(place, 'must be a shape in GeoJSON or WKT')
  return areaIn(geometry, place, context)
}

function areaIn(geometry: Geometry, place: string, { budget }: QueryContext): Area {
  let positions = 0
  const flat = mapPositions(geometry, ([x = 0, y = 0]) => {
    positions++
    return [x, y]
  })
  budget.spendPositions(positions, place)
  return guarded(place, () => areaOf(flat, { union: budget.union }))
}

function guarded<T>(place: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error
    throw fault(place, error.reason)
  }
}

/** Points are within an area; shapes intersect it. */
const inArea = (field: Field, area: Area): Predicate => ({ kind: 'geo', field, relation: 'intersects', area })

export function geoField(path: string, place: string, context: QueryContext): Field | undefined {
  const field = findField(path, place, context)
  if (field === undefined || isGeo(field.type)) return field
  throw fault(place, `must use a field with places, not ${path} of type ${field.type}`)
}

/** A point in any form of documents. */
export function pointOf(value: unknown, place: string): Position {
  const isPoint = typeof value === 'string' || Array.isArray(value) || isRecord(value)
  const point = isPoint ? readPoint(value as Json) : undefined
  if (point === undefined) throw fault(place, 'must be a point', isPoint ? undefined : value)
  return point
}

const METRES: Readonly<Record<string, number>> = {
  mm: 0.001,
  millimeters: 0.001,
  cm: 0.01,
  centimeters: 0.01,
  m: 1,
  meters: 1,
  km: 1000,
  kilometers: 1000,
  in: 0.0254,
  inch: 0.0254,
  ft: 0.3048,
  feet: 0.3048,
  yd: 0.9144,
  yards: 0.9144,
  mi: 1609.344,
  miles: 1609.344,
  NM: 1852,
  nmi: 1852,
  nauticalmiles: 1852,
}

export function readUnit(unit: unknown, place: string): number {
  const metres = Object.hasOwn(METRES, String(unit)) ? METRES[String(unit)] : undefined
  if (metres === undefined) throw fault(place, `must be one of ${Object.keys(METRES).join(', ')}`, unit)
  return metres
}

/** Metres of `12km` or of a number in metres. */
function readDistance(value: unknown, unit: unknown, place: string): number {
  const match = /^\s*(\d+\.?\d*(?:e[+-]?\d{1,3})?|\.\d+)\s*([a-z]*)\s*$/i.exec(String(value))
  if (match === null) throw fault(place, 'must be a number with a unit, such as 12km', value)
  const metres = Number(match[1]) * readUnit(match[2] === '' ? (unit ?? 'm') : match[2], place)
  if (!Number.isFinite(metres)) throw fault(place, 'must be a finite distance', value)
  return metres
}
