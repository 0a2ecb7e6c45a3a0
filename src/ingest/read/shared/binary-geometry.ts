import { GeometryFault } from '../../../geo/geometry-fault.ts'
import { parseWkb } from '../../../geo/wkb.ts'
import type { Geometry } from '../../../model/geometry.ts'

/** Returns the geometry of well-known binary; undefined if it is none. */
export function readWkb(bytes: Uint8Array): Geometry | undefined {
  try {
    const { geometry } = parseWkb(bytes)
    return isEmpty(geometry) ? undefined : geometry
  } catch (error) {
    if (error instanceof GeometryFault) return undefined
    throw error
  }
}

/** An empty point has NaN coordinates. */
function isEmpty(geometry: Geometry): boolean {
  if (geometry.type === 'Point') return !geometry.coordinates.every(Number.isFinite)
  return geometry.type === 'GeometryCollection' ? geometry.geometries.length === 0 : geometry.coordinates.length === 0
}
