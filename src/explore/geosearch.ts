import type { OpenCollection } from '../collections/open-collection.ts'
import type { SearchResult } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import type { FeatureCollection } from '../model/answer/responses.ts'
import { PrintedJson } from '../model/json/printed-json.ts'
import type { Search } from '../model/search.ts'
import type { Predicate } from '../query/plan/predicate.ts'
import { ownerOf } from '../query/schema/collection-view.ts'
import { isGeo } from '../query/schema/field.ts'
import { mapInTurns } from '../turn.ts'
import { featuresOf } from './feature-stream.ts'
import { findDocuments, type PlannedSearch } from './find-documents.ts'
import type { Operation } from './operation.ts'
import { featureTexts } from './printed-documents.ts'

/** A web-mercator tile. */
export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

interface GeosearchOptions {
  readonly flat: boolean
  readonly tile?: Tile | undefined
}

/** Returns a page of the matching documents as GeoJSON features (spec 5.7). */
export async function searchFeatures(
  request: Search,
  operation: Operation,
  { flat, tile }: GeosearchOptions,
): Promise<FeatureCollection> {
  const found = await findPlaced(request, operation, tile)
  const features = featuresOf(operation.collection, found, { flat })
  return { type: 'FeatureCollection', features: (await mapInTurns(found.result.hits, features)).flat() }
}

/** Prints what `searchFeatures` returns, in nested form. */
export async function printFoundFeatures(
  request: Search,
  operation: Operation,
  tile?: Tile | undefined,
): Promise<PrintedJson> {
  const found = await findPlaced(request, operation, tile)
  const texts = await mapInTurns(found.result.hits, featureTexts(operation.collection, found, ','))
  return new PrintedJson(`"type":"FeatureCollection","features":[${texts.filter((text) => text !== '').join(',')}]`)
}

/** `tile`: restricts the search to documents with their centroid in the tile. */
function findPlaced(
  request: Search,
  operation: Operation,
  tile: Tile | undefined,
): Promise<PlannedSearch & { readonly result: SearchResult }> {
  return findDocuments(request, operation, {
    wantsTotal: false,
    ...(tile === undefined ? {} : { also: () => tilePredicate(tile, operation.collection) }),
  })
}

function tilePredicate(tile: Tile, collection: OpenCollection): Predicate {
  const path = collection.reference.params.centroid_path
  const field = collection.schema.lookup(path)
  if (field === undefined) throw problem('FIELD_NOT_FOUND', { name: path, owner: ownerOf(collection) })
  if (!isGeo(field.type) || !field.indexed || field.nested) {
    const reason = `must be an indexed GEO_POINT or GEO_SHAPE field for tiles, and ${path} is not one`
    throw problem('INVALID_PARAMETER', { parameter: 'centroid_path', reason })
  }
  return { kind: 'cell', field, cell: { kind: 'tile', ...tile }, by: 'point' }
}
