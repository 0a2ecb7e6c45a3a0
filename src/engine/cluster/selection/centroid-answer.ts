import type { Box } from '../../../geo/area.ts'
import { cellName, pointInCell } from '../../../geo/grid/cell.ts'
import { shapeValues } from '../../../geo/shape/document-geometry.ts'
import { planarCentroid } from '../../../geo/shape/planar-centroid.ts'
import { normaliseShape, shapeOfAll } from '../../../geo/shape/shape.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import { and, type CellPredicate, not, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { rawAt } from '../../../query/value/stored-value.ts'
import { cellBox } from '../condition/cell-query.ts'
import { LONGITUDE_QUANTUM } from '../condition/geo-quantum.ts'
import type { Reading } from './document-ids.ts'

/** Degrees. Margin for the rounding of stored coordinates; it only causes more documents to be read. */
const MARGIN = 4 * LONGITUDE_QUANTUM

/** True for a cell predicate on the centroid of shapes, which clusters do not support. */
export const isByCentroid = (p: Predicate): p is CellPredicate =>
  p.kind === 'cell' && p.by === 'point' && p.field.type === 'GEO_SHAPE'

/**
 * Returns a predicate that every shape with its centroid in the cell satisfies. The centroid may lie outside the shape,
 * but not outside its envelope. The envelope misses the cell if the shape lies entirely on one side of it.
 */
export function nearCell({ field, cell }: CellPredicate): Predicate {
  const { west, south, east, north } = cellBox(cell)
  const world = { west: -180, south: -90, east: 180, north: 90 }
  const sides = [
    { ...world, east: west - MARGIN },
    { ...world, west: east + MARGIN },
    { ...world, north: south - MARGIN },
    { ...world, south: north + MARGIN },
  ].filter((side) => side.west < side.east && side.south < side.north)
  return and([{ kind: 'exists', field }, ...sides.map((side) => not(liesIn(field, side)))])
}

const liesIn = (field: Field, box: Box): Predicate => ({
  kind: 'geo',
  field,
  relation: 'within',
  area: { boxes: [box], polygons: [], lines: [], points: [] },
})

export function centroidReading({ field, cell }: CellPredicate): Reading {
  const isInside = pointInCell(cell)
  return {
    primitive: `selecting by the centroid of ${field.path} in cell ${cellName(cell)}`,
    paths: [field.path],
    holds: ({ source }) => {
      const centroid = centroidAt(source, field.path)
      return centroid !== undefined && isInside(centroid[0] ?? 0, centroid[1] ?? 0)
    },
  }
}

function centroidAt(source: JsonObject, path: string): readonly number[] | undefined {
  const raw = rawAt(source, path)
  const shapes = raw === undefined ? [] : shapeValues(raw).flatMap((geometry) => normaliseShape(geometry) ?? [])
  return shapes.length === 0 ? undefined : planarCentroid(shapeOfAll(shapes))
}
