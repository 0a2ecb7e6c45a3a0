import { type ClipBox, clipLine, clipPoint, clipRing } from '../../geo/clip.ts'
import type { Shape } from '../../geo/shape/shape.ts'
import type { Position } from '../../model/geometry.ts'

/** A shape in tile units, clipped to a box around the tile. */
export interface ProjectedShape {
  readonly points: readonly Position[]
  readonly lines: readonly (readonly Position[])[]
  /** Rings of each polygon, the exterior first. */
  readonly polygons: readonly (readonly (readonly Position[])[])[]
}

export function projectShape(shape: Shape, project: (position: Position) => Position, box: ClipBox): ProjectedShape {
  const path = (positions: readonly Position[]): readonly Position[] => positions.map(project)
  return {
    points: path(shape.points).filter((point) => clipPoint(point, box)),
    lines: shape.lines.flatMap((line) => clipLine(path(line), box)),
    polygons: shape.polygons.flatMap((rings) => {
      const [exterior = [], ...holes] = rings.map((ring) => clipRing(path(ring), box))
      return exterior.length === 0 ? [] : [[exterior, ...holes.filter((hole) => hole.length > 0)]]
    }),
  }
}
