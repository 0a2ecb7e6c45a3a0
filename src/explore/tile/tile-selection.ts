import type { OpenCollection } from '../../collections/open-collection.ts'
import { problem } from '../../errors.ts'
import type { TilePlace } from '../../formats/tile/tile-projection.ts'
import type { Box } from '../../geo/area.ts'
import { tileBounds } from '../../geo/grid/tile.ts'
import { and, not, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { isGeo } from '../../query/schema/field.ts'

/** Selects documents whose geometry, or else centroid, intersects one of the boxes. */
export function elementsIn(collection: OpenCollection, boxes: readonly Box[]): Predicate {
  const { geometry_path, centroid_path } = collection.reference.params
  const geometry = placeField(collection, geometry_path)
  const centroid = placeField(collection, centroid_path)
  const byCentroid = centroid === undefined ? nothing : meets(centroid, boxes)
  if (geometry === undefined) return byCentroid
  return or([meets(geometry, boxes), and([not({ kind: 'exists', field: geometry }), byCentroid])])
}

/** Returns a geo field of the collection by path; undefined if it does not exist. */
export function placeField({ schema }: OpenCollection, path: string): Field | undefined {
  const field = schema.lookup(path)
  if (field === undefined) return undefined
  if (isGeo(field.type) && field.indexed && !field.nested) return field
  const reason = `must be an indexed GEO_POINT or GEO_SHAPE field for tiles, and ${path} is not one`
  throw problem('INVALID_PARAMETER', { parameter: 'geometry_path', reason })
}

export const meets = (field: Field, boxes: readonly Box[]): Predicate => ({
  kind: 'geo',
  field,
  relation: 'intersects',
  area: { boxes, polygons: [], lines: [], points: [] },
})

/** Returns the box of a tile with a margin, given as a fraction of its side; clipped at the antimeridian. */
export function enlargedBox({ z, x, y }: TilePlace, margin: number): Box {
  const { west, north } = tileBounds(z, x - margin, y - margin)
  const { east, south } = tileBounds(z, x + margin, y + margin)
  return { west: Math.max(west, -180), south, east: Math.min(east, 180), north }
}

/** Same, plus the part of the margin beyond the antimeridian. */
export function wrappedBoxes(tile: TilePlace, margin: number): readonly Box[] {
  const n = 2 ** tile.z
  const box = enlargedBox(tile, margin)
  // At zoom 0 the box already covers the whole world.
  if (n === 1) return [box]
  const width = (360 * margin) / n
  if (tile.x === 0) return [box, { ...box, west: 180 - width, east: 180 }]
  if (tile.x === n - 1) return [box, { ...box, west: -180, east: width - 180 }]
  return [box]
}
