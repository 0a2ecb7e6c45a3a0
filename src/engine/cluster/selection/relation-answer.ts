import { areaBounds } from '../../../geo/area/area-bounds.ts'
import type { Box } from '../../../geo/area.ts'
import { pointValues, shapeValues } from '../../../geo/shape/document-geometry.ts'
import { normaliseShape, shapeOfAll } from '../../../geo/shape/shape.ts'
import { pointShape, shapeRelation } from '../../../geo/shape/shape-relation.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { GeoPredicate, RelatePredicate } from '../../../query/plan/predicate.ts'
import { rawAt } from '../../../query/value/stored-value.ts'
import { LONGITUDE_QUANTUM } from '../condition/geo-quantum.ts'
import type { Reading } from './document-ids.ts'

/** Degrees. Margin for the rounding of stored coordinates; it only causes more documents to be read. */
const MARGIN = 4 * LONGITUDE_QUANTUM

/** Clusters know `contains` only, and that with rounded coordinates. What meets the bounds of the area is read. */
export const nearArea = ({ field, area }: RelatePredicate): GeoPredicate => ({
  kind: 'geo',
  field,
  relation: 'intersects',
  area: { boxes: areaBounds(area).map(widened), polygons: [], lines: [], points: [] },
})

const widened = ({ west, south, east, north }: Box): Box => ({
  west: Math.max(west - MARGIN, -180),
  south: Math.max(south - MARGIN, -90),
  east: Math.min(east + MARGIN, 180),
  north: Math.min(north + MARGIN, 90),
})

export function relationReading({ field, relation, area }: RelatePredicate): Reading {
  const holds = shapeRelation(relation, area)
  const isRelated = field.type === 'GEO_POINT' ? anyPoint(field.path, holds) : wholeShape(field.path, holds)
  return {
    primitive: `selecting by the relation ${relation} of ${field.path}`,
    paths: [field.path],
    holds: ({ source }) => isRelated(source),
  }
}

type ShapeTest = ReturnType<typeof shapeRelation>

const anyPoint = (path: string, holds: ShapeTest) => (source: JsonObject) => {
  const raw = rawAt(source, path)
  return raw !== undefined && pointValues(raw).some(([lon = 0, lat = 0]) => holds(pointShape(lon, lat)))
}

const wholeShape = (path: string, holds: ShapeTest) => (source: JsonObject) => {
  const raw = rawAt(source, path)
  const shapes = raw === undefined ? [] : shapeValues(raw).flatMap((geometry) => normaliseShape(geometry) ?? [])
  return shapes.length > 0 && holds(shapeOfAll(shapes))
}
