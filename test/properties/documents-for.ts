import type { EngineUnderTest } from '../support/engines.ts'
import { documentsForClusters } from './oracle/collected-shapes.ts'
import { documents, mapping, type RandomDocument } from './oracle/documents.ts'
import { type Region, union } from './oracle/geometry.ts'
import { documentsToAggregate, type RandomDocuments } from './random-index.ts'

/** Random documents that the engine accepts. */
export const plainDocumentsFor = ({ name }: EngineUnderTest): RandomDocuments<RandomDocument> => ({
  make: (count) => (name === 'embedded' ? documents(count) : documents(count).map((list) => list.map(collected))),
  mapping,
})

/** Same, with a field of every type. */
export const documentsToAggregateFor = ({ name }: EngineUnderTest): typeof documentsToAggregate =>
  name === 'embedded' ? documentsToAggregate : documentsForClusters

/** Converts several shapes to one collection: OpenSearch rejects more than one value of a geo_shape. */
function collected(document: RandomDocument): RandomDocument {
  if (document.area.length < 2) return document
  return { ...document, wire: { ...document.wire, area: asCollection(union(document.area)) } }
}

const asCollection = ({ polygons, lines, points }: Region): unknown => ({
  type: 'GeometryCollection',
  geometries: [
    ...polygons.map((coordinates) => ({ type: 'Polygon', coordinates })),
    ...lines.map((coordinates) => ({ type: 'LineString', coordinates })),
    ...points.map((coordinates) => ({ type: 'Point', coordinates })),
  ],
})
