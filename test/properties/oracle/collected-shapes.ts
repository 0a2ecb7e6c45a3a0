import type fc from 'fast-check'
import {
  type AggregatedDocument,
  aggregatedDocuments,
  boxGeometry,
  mapping,
  type UprightBox,
} from './aggregated-documents.ts'

/** OpenSearch takes a line along the antimeridian for one on its other side. */
const isElsewhere = ({ west, east, south, north }: UprightBox): boolean => west === 180 && east === 180 && south < north

/** Several shapes as one collection: OpenSearch refuses documents with more than one value of a geo_shape. */
function collected(document: AggregatedDocument): AggregatedDocument {
  const { boxes, wire } = document
  if (boxes.some(isElsewhere)) return { ...document, boxes: [], area: [], wire: { ...wire, area: null } }
  if (boxes.length < 2) return document
  return { ...document, wire: { ...wire, area: { type: 'GeometryCollection', geometries: boxes.map(boxGeometry) } } }
}

/** Random documents that every cluster takes. */
export const documentsForClusters = {
  make: (count: number): fc.Arbitrary<readonly AggregatedDocument[]> =>
    aggregatedDocuments(count).map((list) => list.map(collected)),
  mapping,
}

/** Moves a box a little, into the world where it would leave it. */
function moved({ west, south, east, north }: UprightBox): UprightBox {
  const dx = east > 179 ? -0.123457 : 0.123457
  return { west: west + dx, south: south + 0.076543, east: east + dx, north: north + 0.076543 }
}

/** Clusters count shapes in no tile where those lie beyond the latitudes of mercator. */
const isOnTiles = ({ south, north }: UprightBox): boolean => south > -85 && north < 85

function apart(document: AggregatedDocument): AggregatedDocument {
  const boxes = document.boxes.map(moved).filter(isOnTiles)
  const geometries = boxes.map(boxGeometry)
  const area = geometries.length < 2 ? (geometries[0] ?? null) : { type: 'GeometryCollection', geometries }
  return { ...document, boxes, wire: { ...document.wire, area } }
}

/** The same, but no side of a shape lies on that of a cell. */
export const documentsApartFromCells = {
  make: (count: number): fc.Arbitrary<readonly AggregatedDocument[]> =>
    aggregatedDocuments(count).map((list) => list.map(apart)),
  mapping,
}
