import type { OpenCollection } from '../../collections/open-collection.ts'
import type { JsonObject } from '../../model/json/document.ts'
import {
  GEOJSON_MEDIA,
  HTML_MEDIA,
  JSON_MEDIA,
  linksJson,
  QUERYABLES_REL,
  SCHEMA_MEDIA,
  type WebLink,
} from '../link.ts'
import { titleOf } from '../ogc/collection-document.ts'
import type { CollectionExtent } from '../ogc/collection-extent.ts'
import { STAC_VERSION, stacCollectionUrl } from './item.ts'
import { aggregationLinks } from './landing.ts'

/** Describes a collection as STAC does. `base` is the public URL of the server. */
export function stacCollection(
  collection: OpenCollection,
  { bbox = [-180, -90, 180, 90], interval }: CollectionExtent,
  summaries: JsonObject,
  base: string,
): JsonObject {
  const { collection_name: name, params } = collection.reference
  const keywords = keywordsOf(collection)
  return {
    type: 'Collection',
    id: name,
    stac_version: STAC_VERSION,
    stac_extensions: [],
    title: titleOf(collection),
    description: params.dublin_core_element_name?.description || titleOf(collection),
    ...(keywords.length === 0 ? {} : { keywords }),
    license: licenseOf(params.license_name),
    extent: { spatial: { bbox: [bbox] }, temporal: { interval: [interval] } },
    ...(Object.keys(summaries).length === 0 ? {} : { summaries }),
    links: linksJson(linksOf(collection, base)),
  }
}

export function keywordsOf({ reference: { params } }: OpenCollection): readonly string[] {
  const words = (params.inspire?.keywords ?? []).flatMap(({ value }) => value || [])
  return [...new Set(words)]
}

/** Names of licences in STAC have no blanks; other names are in the link. */
const licenseOf = (name: string | undefined): string => (name && /^[\w\-.+]+$/.test(name) ? name : 'other')

function linksOf({ reference }: OpenCollection, base: string): readonly WebLink[] {
  const { collection_name: name, params } = reference
  const url = stacCollectionUrl(base, name)
  return [
    { href: url, rel: 'self', type: JSON_MEDIA, title: 'This document' },
    { href: `${base}/stac`, rel: 'root', type: JSON_MEDIA, title: 'Catalog' },
    { href: `${base}/stac`, rel: 'parent', type: JSON_MEDIA, title: 'Catalog' },
    { href: `${url}/items`, rel: 'items', type: GEOJSON_MEDIA, title: 'Items' },
    { href: `${url}/queryables`, rel: QUERYABLES_REL, type: SCHEMA_MEDIA, title: 'Properties for filters' },
    ...aggregationLinks(url),
    {
      href: `${base}/?collection=${encodeURIComponent(name.toWellFormed())}`,
      rel: 'alternate',
      type: HTML_MEDIA,
      title: 'Explorer',
    },
    ...(params.license_urls ?? []).slice(0, 1).map((href) => ({
      ...{ href, rel: 'license', title: params.license_name || 'Licence' },
    })),
  ]
}
