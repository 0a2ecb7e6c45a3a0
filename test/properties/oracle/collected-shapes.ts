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
