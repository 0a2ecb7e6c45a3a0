import { type ClipBox, clipPoint } from '../../geo/clip.ts'
import { collapse, doubleArea, type Ring, windPolygon } from '../../geo/ring.ts'
import { type Shape, shapeBounds } from '../../geo/shape/shape.ts'
import type { Position } from '../../model/geometry.ts'
import { projectShape } from '../tile/projected-shape.ts'
import { type TilePlace, tileProjection } from '../tile/tile-projection.ts'
import { simplifyPath, simplifyRing } from './simplify.ts'

/** Side of a tile. Units. */
export const EXTENT = 4096
/** Buffer beyond each side, so that elements that cross it are drawn without a seam. Units. */
export const BUFFER = 64

/** A geometry in integer tile units, y downwards, of one of the three kinds of features. */
export type TileGeometry =
  | { readonly kind: 'points'; readonly points: readonly Position[] }
  | { readonly kind: 'lines'; readonly lines: readonly (readonly Position[])[] }
  /** Closed rings. The exterior of each polygon comes first and has a positive area, holes have a negative one. */
  | { readonly kind: 'polygons'; readonly polygons: readonly (readonly Ring[])[] }

/** A quarter of a pixel, if tiles are 512 pixels wide. Units. */
const TOLERANCE = 2
/** Twice the area of one square unit. */
const SMALLEST = 2
/** Half a pixel: an element up to this size that vanishes is shown as a point. Units. */
const POINT_LIKE = 4

const BOX: ClipBox = { minX: -BUFFER, minY: -BUFFER, maxX: EXTENT + BUFFER, maxY: EXTENT + BUFFER }

type Project = (position: Position) => Position

/**
 * Returns a function from a shape to its geometries in the tile, one per kind: clipped to the tile with its buffer,
 * rounded and simplified.
 */
export function tileGeometries(tile: TilePlace): (shape: Shape) => readonly TileGeometry[] {
  const projections = projectionsOf(tile)
  return (shape) => {
    const parts = projections.map((project) => projectShape(shape, project, BOX))
    const points = parts.flatMap((part) => part.points.map(round))
    const lines = parts.flatMap((part) => part.lines.flatMap(drawLine))
    const polygons = parts.flatMap((part) => part.polygons.flatMap(drawPolygon))
    if (points.length + lines.length + polygons.length === 0) return smallElement(shape, projections)
    return [
      ...(points.length === 0 ? [] : [{ kind: 'points', points } as const]),
      ...(lines.length === 0 ? [] : [{ kind: 'lines', lines } as const]),
      ...(polygons.length === 0 ? [] : [{ kind: 'polygons', polygons } as const]),
    ]
  }
}

/** At the edge of the world the buffer includes the other side of the antimeridian. */
function projectionsOf(tile: TilePlace): readonly Project[] {
  const n = 2 ** tile.z
  const project = tileProjection(tile, EXTENT)
  const moved =
    (worlds: number): Project =>
    (position) => {
      const [x = 0, y = 0] = project(position)
      return [x + worlds * n * EXTENT, y]
    }
  return [project, ...(tile.x === 0 ? [moved(-1)] : []), ...(tile.x === n - 1 ? [moved(1)] : [])]
}

/** Adding zero converts -0 to 0. */
const round = ([x = 0, y = 0]: Position): Position => [Math.round(x) + 0, Math.round(y) + 0]

function drawLine(line: readonly Position[]): readonly (readonly Position[])[] {
  const path = simplifyPath(collapse(line.map(round)), TOLERANCE)
  return path.length < 2 ? [] : [path]
}

/** Drops rings without area, which renderers draw in unexpected ways, and polygons without exterior. */
function drawPolygon(rings: readonly Ring[]): readonly (readonly Ring[])[] {
  const [exterior, ...holes] = rings.map(drawRing)
  if (exterior === undefined || isTooSmall(exterior)) return []
  const drawn = windPolygon([exterior, ...holes.filter((hole) => !isTooSmall(hole))])
  const area = drawn.reduce((sum, ring) => sum + doubleArea(ring), 0)
  return area < SMALLEST ? [] : [drawn]
}

function drawRing(ring: Ring): Ring {
  const whole = collapse(ring.map(round))
  const simple = simplifyRing(whole, TOLERANCE)
  // Keep the original if simplification collapses a thin ring or flips its orientation.
  const isKept = Math.abs(doubleArea(simple)) >= SMALLEST && doubleArea(simple) > 0 === doubleArea(whole) > 0
  return isKept ? simple : whole
}

const isTooSmall = (ring: Ring): boolean => ring.length < 4 || Math.abs(doubleArea(ring)) < SMALLEST

function smallElement(shape: Shape, projections: readonly Project[]): readonly TileGeometry[] {
  const { west, south, east, north } = shapeBounds(shape)
  const points = projections.flatMap((project) => {
    const [left = 0, top = 0] = project([west, north])
    const [right = 0, bottom = 0] = project([east, south])
    if (right - left > POINT_LIKE || bottom - top > POINT_LIKE) return []
    const middle = round([(left + right) / 2, (top + bottom) / 2])
    return clipPoint(middle, BOX) ? [middle] : []
  })
  return points.length === 0 ? [] : [{ kind: 'points', points }]
}
