import type { Position } from '../model/geometry.ts'

/**
 * The normalised area of a geo filter: the union of all members, every coordinate inside [-180,180] x [-90,90].
 * Polygons are already united: they do not overlap and share no edge. Ring 0 is the exterior, counter-clockwise, the
 * others are holes, clockwise; rings are closed. A bbox, or a WKT value that is one or two upright rectangles, is one
 * or two `boxes` without polygons. Boxes do not touch each other; one with west = east is a vertical segment.
 */
export interface Area {
  readonly boxes: readonly Box[]
  readonly polygons: readonly (readonly (readonly Position[])[])[]
  readonly lines: readonly (readonly Position[])[]
  readonly points: readonly Position[]
  /**
   * Original edges and lines, shifted by multiples of 360, whose cut at the antimeridian had to be rounded. They belong
   * to the area, so that points on them are found exactly. Only these may extend beyond [-180,180].
   */
  readonly uncut?: readonly (readonly Position[])[]
}

/** west <= east, south <= north; all four edges are inclusive. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}
