import { documentReaderOf } from '../../collections/open-collection.ts'
import type { FoundDocument } from '../../engine/engine.ts'
import { tileOf } from '../../geo/grid/tile.ts'
import { mapPositions } from '../../geo/map-positions.ts'
import type { Geometry } from '../../model/geometry.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { projectDocument, resolveProjection } from '../../query/page/projection.ts'
import { GEOJSON_MEDIA, JSON_MEDIA, linksJson, PNG_MEDIA, type WebLink } from '../link.ts'
import { printTime, propertiesOf, visibleFields } from '../properties.ts'
import { nameOfCollection, type SearchedCollection } from './item-search.ts'

export const STAC_VERSION = '1.0.0'

export const stacCollectionUrl = (base: string, name: string): string =>
  `${base}/stac/collections/${encodeURIComponent(name.toWellFormed())}`

/** Returns a function from a document to its item. `base` is the public URL of the server. */
export function itemMaker(collection: SearchedCollection, base: string): (document: FoundDocument) => JsonObject {
  const { operation, names } = collection
  const { params } = operation.collection.reference
  const name = nameOfCollection(collection)
  const reader = documentReaderOf(operation.collection)
  const projection = resolveProjection(undefined, undefined, operation)
  const fields = visibleFields(operation.collection).filter(
    ({ path }) => path !== params.id_path && path !== params.geometry_path,
  )
  const read = propertiesOf(fields)
  return (document) => {
    const source = projectDocument(document.source, projection)
    const id = reader.id(document) ?? ''
    const geometry = reader.geometry(document.source)
    const ms = reader.timestamp(document.source)
    const place = {
      geometry: geometry ?? null,
      ...(geometry === undefined ? {} : { bbox: boundsOf(geometry) }),
    }
    const own = { collection: name, links: linksJson(linksOf(base, name, id)) }
    const time = ms === undefined ? null : (printTime(ms) ?? null)
    if (isItem(source)) {
      const { properties } = source
      const timed = properties.datetime === undefined ? { datetime: time, ...properties } : properties
      return { ...place, ...source, ...place, type: 'Feature', id, properties: timed, ...own }
    }
    const properties = Object.entries(read(source)).map(([path, value]) => [names.nameOf(path), value] as const)
    return {
      type: 'Feature',
      stac_version: STAC_VERSION,
      stac_extensions: [],
      id,
      ...place,
      properties: { ...Object.fromEntries(properties), datetime: time },
      assets: assetsOf(base, collection, id, geometry),
      ...own,
    }
  }
}

/** A document that is an item already, with members the caller may see. */
function isItem(source: JsonObject): source is JsonObject & { readonly properties: JsonObject } {
  const isObject = (value: Json | undefined): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof source.stac_version === 'string' && isObject(source.properties) && isObject(source.assets)
}

function linksOf(base: string, name: string, id: string): readonly WebLink[] {
  const collection = stacCollectionUrl(base, name)
  return [
    { href: itemUrl(base, name, id), rel: 'self', type: GEOJSON_MEDIA },
    { href: `${base}/stac`, rel: 'root', type: JSON_MEDIA },
    { href: collection, rel: 'parent', type: JSON_MEDIA },
    { href: collection, rel: 'collection', type: JSON_MEDIA },
  ]
}

export const itemUrl = (base: string, name: string, id: string): string =>
  `${stacCollectionUrl(base, name)}/items/${encodeURIComponent(id.toWellFormed())}`

function assetsOf(base: string, { operation }: SearchedCollection, id: string, geometry: Geometry | undefined): Json {
  const { collection_name, params } = operation.collection.reference
  const { raster_tile_url: imagery } = params
  const explored = `${base}/explore/${encodeURIComponent(collection_name.toWellFormed())}`
  const data = {
    href: `${explored}/${encodeURIComponent(id.toWellFormed())}`,
    type: JSON_MEDIA,
    title: 'Document',
    roles: ['data'],
  }
  // These characters have a meaning in filters.
  if (geometry === undefined || !imagery?.url || /[,;\\]/.test(id)) return { data }
  const { z, x, y } = tileAround(boundsOf(geometry), imagery.min_z ?? 0, imagery.max_z ?? MOST_ZOOM)
  const filter = encodeURIComponent(`${params.id_path}:eq:${id}`.toWellFormed())
  const href = `${explored}/_tile/${z}/${x}/${y}.png?f=${filter}`
  return { data, preview: { href, type: PNG_MEDIA, title: 'Preview', roles: ['overview'] } }
}

const MOST_ZOOM = 18

/** The deepest tile that contains a box; at the least zoom one that meets it. */
function tileAround([west = 0, south = 0, east = 0, north = 0]: readonly number[], least: number, most: number) {
  for (let z = most; z > least; z--) {
    const [a, b] = [tileOf(west, north, z), tileOf(east, south, z)]
    if (a.x === b.x && a.y === b.y) return { z, ...a }
  }
  return { z: least, ...tileOf((west + east) / 2, (south + north) / 2, least) }
}

/** West, south, east and north of a geometry. */
function boundsOf(geometry: Geometry): readonly number[] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  mapPositions(geometry, (position) => {
    const [x = 0, y = 0] = position
    west = Math.min(west, x)
    south = Math.min(south, y)
    east = Math.max(east, x)
    north = Math.max(north, y)
    return position
  })
  return [west, south, east, north]
}
