import { cellToBoundary, cellToLatLng, latLngToCell } from 'h3-js'
import type { Position } from '../../model/geometry.ts'

/** Returns the H3 cell of a point as 15 hexadecimal digits, computed directly, not as the parent of a finer cell. */
export function h3CellOf(lon: number, lat: number, resolution: number): string {
  return latLngToCell(lat, lon, resolution)
}

export function h3Centre(index: string): Position {
  const [lat, lon] = cellToLatLng(index)
  return [lon, lat]
}

/**
 * Returns the closed ring of a cell, counter-clockwise. Every vertex lies within 180 degrees of the longitude of the
 * centre, so a cell across the antimeridian has longitudes beyond 180 and no jump (spec 2.7 of aggregations).
 */
export function h3Boundary(index: string): readonly Position[] {
  const [centre = 0] = h3Centre(index)
  return cellToBoundary(index, true).map(([lon, lat]) => {
    const turn = lon - centre > 180 ? -360 : lon - centre < -180 ? 360 : 0
    return [lon + turn, lat]
  })
}
