import { boxPolygon } from '../../geo/box.ts'
import type { Bbox, DublinCoreElementName } from '../../model/collection.ts'

const WORLD: Bbox = { north: 90, south: -90, east: 180, west: -180 }

/** Fills in the defaults of Dublin Core (spec 4.2). The coverage is always derived from the bbox. */
export function completeDublinCore(
  given: DublinCoreElementName,
  fresh: { readonly identifier: string; readonly now: number },
) {
  const { north, south, east, west } = given.bbox ?? WORLD
  const bbox = { north, south, east, west }
  return {
    title: given.title ?? '',
    creator: given.creator ?? '',
    subject: given.subject ?? '',
    description: given.description ?? '',
    publisher: given.publisher ?? '',
    contributor: given.contributor ?? '',
    type: given.type ?? '',
    format: given.format ?? '',
    identifier: given.identifier ?? fresh.identifier,
    source: given.source ?? '',
    language: given.language ?? '',
    date: given.date ?? new Date(fresh.now).toISOString().slice(0, 19),
    bbox,
    coverage_centroid: bboxCentre(bbox),
    coverage: { ...boxPolygon(bbox) },
  }
}

/** Returns the centre as `lat,lon`. A box with west > east crosses the antimeridian. */
function bboxCentre({ north, south, east, west }: Bbox): string {
  const middle = (west + east + (west > east ? 360 : 0)) / 2
  return `${(south + north) / 2},${middle > 180 ? middle - 360 : middle}`
}
