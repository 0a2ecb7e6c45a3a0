import { collapse, type Ring, windPolygon } from '../../geo/ring.ts'
import type { Shape } from '../../geo/shape/shape.ts'
import type { Geometry, Position } from '../../model/geometry.ts'

/**
 * Returns the shape of a validated geometry (spec 3.4). It lies in [-180,180] and is taken as drawn, in either ring
 * direction.
 */
export function drawnShape(geometry: Geometry): Shape {
  const polygons: (readonly Ring[])[] = []
  const lines: (readonly Position[])[] = []
  const points: Position[] = []
  const add = (part: Geometry): void => {
    switch (part.type) {
      case 'Point':
        points.push(plain(part.coordinates))
        break
      case 'MultiPoint':
        points.push(...part.coordinates.map(plain))
        break
      case 'LineString':
        addLine(part.coordinates)
        break
      case 'MultiLineString':
        part.coordinates.forEach(addLine)
        break
      case 'Polygon':
        polygons.push(windPolygon(part.coordinates.map(path)))
        break
      case 'MultiPolygon':
        polygons.push(...part.coordinates.map((rings) => windPolygon(rings.map(path))))
        break
      case 'GeometryCollection':
        part.geometries.forEach(add)
    }
  }
  const addLine = (line: readonly Position[]): void => {
    const drawn = path(line)
    if (drawn.length > 1) lines.push(drawn)
    else points.push(...drawn)
  }
  add(geometry)
  return { polygons, lines, points }
}

const path = (positions: readonly Position[]): readonly Position[] => collapse(positions.map(plain))

/** Keeps two ordinates. Adding zero turns -0 into 0. */
const plain = ([x = 0, y = 0]: Position): Position => [x + 0, y + 0]
