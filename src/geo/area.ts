import type { Position } from '../model/geometry.ts'

/**
 * The normalised area of a geo filter: the union of all members, every coordinate inside [-180,180] x [-90,90].
 * Polygons do not overlap and share no edge (they were united); ring 0 is the exterior, counter-clockwise, the others
 * are holes, clockwise; rings are closed. A bbox is one or two `boxes` and has no polygon; so is a WKT value that is one
 * or two upright rectangles. Boxes do not touch each other; one with west = east is a vertical segment.
 */
export interface Area {
  readonly boxes: readonly Box[]
  readonly polygons: readonly (readonly (readonly Position[])[])[]
  readonly lines: readonly (readonly Position[])[]
  readonly points: readonly Position[]
  /**
   * Edges and lines that were cut at the antimeridian in a rounded place, as they were before, turned. They belong to
   * the area, say exactly which places lie on them, and alone reach beyond [-180,180].
   */
  readonly uncut?: readonly (readonly Position[])[]
}

/** west <= east, south <= north; all four edges belong to the box. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}
