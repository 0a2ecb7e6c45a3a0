import type { OpenCollection } from '../../collections/open-collection.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { GEOJSON_MEDIA, HTML_MEDIA, JSON_MEDIA, QUERYABLES_REL, SCHEMA_MEDIA, type WebLink } from '../link.ts'
import type { CollectionExtent } from './collection-extent.ts'
import { crs84, systems } from './crs.ts'
import { FORMATS } from './item-formats.ts'

/** Describes a collection as OGC API does. `base` is the public URL of the server. */
export function collectionDocument(collection: OpenCollection, extent: CollectionExtent, base: string): JsonObject {
  const { collection_name: name, params } = collection.reference
  const description = params.dublin_core_element_name?.description
  const { bbox, interval } = extent
  return {
    id: name,
    title: titleOf(collection),
    ...(description ? { description } : {}),
    itemType: 'feature',
    extent: {
      ...(bbox === undefined ? {} : { spatial: { bbox: [bbox], crs: crs84.uri } }),
      temporal: { interval: [interval], trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian' },
    },
    crs: systems.map(({ uri }) => uri),
    storageCrs: crs84.uri,
    links: linksOf(collection, base).map((link): Json => ({ ...link })),
  }
}

export const titleOf = ({ reference: { collection_name, params } }: OpenCollection): string =>
  params.display_names?.collection || collection_name

export const collectionUrl = (base: string, name: string): string =>
  `${base}/ogc/collections/${encodeURIComponent(name.toWellFormed())}`

function linksOf({ reference }: OpenCollection, base: string): readonly WebLink[] {
  const { collection_name: name, params } = reference
  const url = collectionUrl(base, name)
  const license = params.license_urls?.[0]
  return [
    { href: url, rel: 'self', type: JSON_MEDIA, title: 'This document' },
    { href: `${base}/?collection=${encodeURIComponent(name.toWellFormed())}`, rel: 'alternate', type: HTML_MEDIA },
    { href: `${url}/items`, rel: 'items', type: GEOJSON_MEDIA, title: 'Features' },
    ...FORMATS.filter(({ name: format }) => format !== 'json').map(({ name: format, type, title }) => ({
      href: `${url}/items?f=${format}`,
      rel: 'items',
      type,
      title: `Features as ${title}`,
    })),
    {
      href: `${url}/queryables`,
      rel: QUERYABLES_REL,
      type: SCHEMA_MEDIA,
      title: 'Properties for filters',
    },
    {
      href: `${url}/schema`,
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/schema',
      type: SCHEMA_MEDIA,
      title: 'Properties of features',
    },
    {
      href: `${url}/tiles`,
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector',
      type: JSON_MEDIA,
      title: 'Vector tiles',
    },
    ...(license === undefined ? [] : [{ href: license, rel: 'license' }]),
  ]
}
