import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { clipPoint } from '../../geo/clip.ts'
import { normaliseShape, type Shape, shapeBounds } from '../../geo/shape/shape.ts'
import type { Geometry, Position } from '../../model/geometry.ts'
import { type ProjectedShape, projectShape } from './projected-shape.ts'
import { type TilePlace, tileProjection } from './tile-projection.ts'

export const TILE_PIXELS = 256
/** Maximum distance at which an element outside the tile reaches into it. */
export const MARGIN_PIXELS = 4

const POINT = { radius: 3, alpha: 0.5 }
const LINE = { width: 2, alpha: 0.7 }
const FILL_ALPHA = 0.35
const OUTLINE = { width: 1, alpha: 0.7 }
/** Elements smaller than this on both sides are drawn as a point. Pixels. */
const SMALLEST = 2

/** Clip box; larger than any stroke reaches, so that the cut is never visible. */
const CUT = { minX: -16, minY: -16, maxX: TILE_PIXELS + 16, maxY: TILE_PIXELS + 16 }

/** Draws geometries on a transparent tile, each over the previous ones, so that density shows as opacity. */
export class TileDrawing {
  readonly #canvas: Canvas
  readonly #context: SKRSContext2D
  readonly #project: (position: Position) => Position

  constructor(tile: TilePlace, color: string) {
    this.#canvas = createCanvas(TILE_PIXELS, TILE_PIXELS)
    this.#context = this.#canvas.getContext('2d')
    this.#context.fillStyle = color
    this.#context.strokeStyle = color
    this.#context.lineJoin = 'round'
    this.#context.lineCap = 'round'
    this.#project = tileProjection(tile, TILE_PIXELS)
  }

  add(geometry: Geometry): void {
    const shape = normaliseShape(geometry)
    if (shape === undefined) return
    const small = this.#centreOfSmall(shape)
    if (small === undefined) this.#draw(projectShape(shape, this.#project, CUT))
    else if (clipPoint(small, CUT)) this.#drawPoints([small])
  }

  toPng(): Promise<Buffer> {
    return this.#canvas.encode('png')
  }

  /** Returns the centre of an element too small to show its form; undefined for larger ones. */
  #centreOfSmall(shape: Shape): Position | undefined {
    const { west, south, east, north } = shapeBounds(shape)
    const [left = 0, top = 0] = this.#project([west, north])
    const [right = 0, bottom = 0] = this.#project([east, south])
    return right - left < SMALLEST && bottom - top < SMALLEST ? [(left + right) / 2, (top + bottom) / 2] : undefined
  }

  /** Draws all parts of one kind as one path, so that overlapping parts of an element are painted once. */
  #draw({ points, lines, polygons }: ProjectedShape): void {
    const context = this.#context
    if (polygons.length > 0) {
      context.beginPath()
      for (const ring of polygons.flat()) this.#trace(ring, true)
      context.globalAlpha = FILL_ALPHA
      // Rings are oriented, so holes stay open and overlapping parts do not become holes.
      context.fill('nonzero')
      this.#stroke(OUTLINE)
    }
    if (lines.length > 0) {
      context.beginPath()
      for (const line of lines) this.#trace(line, false)
      this.#stroke(LINE)
    }
    if (points.length > 0) this.#drawPoints(points)
  }

  #drawPoints(points: readonly Position[]): void {
    const context = this.#context
    context.beginPath()
    for (const [x = 0, y = 0] of points) {
      context.moveTo(x + POINT.radius, y)
      context.arc(x, y, POINT.radius, 0, 2 * Math.PI)
    }
    context.globalAlpha = POINT.alpha
    context.fill()
  }

  #stroke({ width, alpha }: { readonly width: number; readonly alpha: number }): void {
    this.#context.lineWidth = width
    this.#context.globalAlpha = alpha
    this.#context.stroke()
  }

  #trace(path: readonly Position[], closed: boolean): void {
    for (const [i, [x = 0, y = 0]] of path.entries()) {
      if (i === 0) this.#context.moveTo(x, y)
      else this.#context.lineTo(x, y)
    }
    if (closed) this.#context.closePath()
  }
}
