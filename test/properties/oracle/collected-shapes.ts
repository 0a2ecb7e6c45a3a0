import type fc from 'fast-check'
import {
  type AggregatedDocument,
  aggregatedDocuments,
  boxGeometry,
  mapping,
  type UprightBox,
} from './aggregated-documents.ts'

/** OpenSearch places a line along the antimeridian on the other side. */
const isElsewhere = ({ west, east, south, north }: UprightBox): boolean => west === 180 && east === 180 && south < north

/** Converts several shapes to one collection: OpenSearch rejects documents with more than one value of a geo_shape. */
function collected(document: AggregatedDocument): AggregatedDocument {
  const { boxes, wire } = document
  if (boxes.some(isElsewhere)) return { ...document, boxes: [], area: [], wire: { ...wire, area: null } }
  if (boxes.length < 2) return document
  return { ...document, wire: { ...wire, area: { type: 'GeometryCollection', geometries: boxes.map(boxGeometry) } } }
}

/** Random documents that every cluster accepts. */
export const documentsForClusters = {
  make: (count: number): fc.Arbitrary<readonly AggregatedDocument[]> =>
    aggregatedDocuments(count).map((list) => list.map(collected)),
  mapping,
}

/** Moves a box slightly, and keeps it inside the world. */
function moved({ west, south, east, north }: UprightBox): UprightBox {
  const dx = east > 179 ? -0.123457 : 0.123457
  return { west: west + dx, south: south + 0.076543, east: east + dx, north: north + 0.076543 }
}

/** Clusters count shapes beyond the latitudes of Web Mercator in no tile. */
const isOnTiles = ({ south, north }: UprightBox): boolean => south > -85 && north < 85

function apart(document: AggregatedDocument): AggregatedDocument {
  const boxes = document.boxes.map(moved).filter(isOnTiles)
  const geometries = boxes.map(boxGeometry)
  const area = geometries.length < 2 ? (geometries[0] ?? null) : { type: 'GeometryCollection', geometries }
  return { ...document, boxes, wire: { ...document.wire, area } }
}

/** Same, but no side of a shape is on the side of a cell. */
export const documentsApartFromCells = {
  make: (count: number): fc.Arbitrary<readonly AggregatedDocument[]> =>
    aggregatedDocuments(count).map((list) => list.map(apart)),
  mapping,
}
