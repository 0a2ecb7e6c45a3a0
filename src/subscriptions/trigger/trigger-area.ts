import { areaBounds } from '../../geo/area/area-bounds.ts'
import { prepareArea } from '../../geo/area/prepared-area.ts'
import type { Area, Box } from '../../geo/area.ts'
import { polygonFault } from '../../geo/polygon/polygon-fault.ts'
import type { Shape } from '../../geo/shape/shape.ts'

/** The area of a trigger, prepared for tests with the geometries of events. */
export interface TriggerArea {
  /** Planar test. A common boundary point suffices. */
  readonly intersects: (shape: Shape) => boolean
}

export function triggerArea(shape: Shape): TriggerArea {
  const areas = partsOf(shape).map((area) => prepareArea(area))
  return { intersects: (other) => areas.some((area) => area.intersectsShape(other)) }
}

/** Returns at most four boxes that cover a shape. */
export const shapeBoxes = (shape: Shape): readonly Box[] => areaBounds(areaOf(shape))

const areaOf = ({ polygons, lines, points }: Shape): Area => ({ boxes: [], polygons, lines, points })

/** Polygons of one area must not overlap. If they do, each becomes a separate area. */
function partsOf(shape: Shape): readonly Area[] {
  if (shape.polygons.length < 2 || polygonFault(shape.polygons) === undefined) return [areaOf(shape)]
  const rest = shape.lines.length + shape.points.length === 0 ? [] : [areaOf({ ...shape, polygons: [] })]
  return [...shape.polygons.map((polygon) => areaOf({ polygons: [polygon], lines: [], points: [] })), ...rest]
}
