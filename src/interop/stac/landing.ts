import type { CollectionReference } from '../../model/collection.ts'
import type { JsonObject } from '../../model/json/document.ts'
import {
  GEOJSON_MEDIA,
  HTML_MEDIA,
  JSON_MEDIA,
  linksJson,
  OPENAPI_MEDIA,
  QUERYABLES_REL,
  SCHEMA_MEDIA,
  type WebLink,
} from '../link.ts'
import { linkPage } from '../link-page.ts'
import { stacConformance } from './conformance.ts'
import { STAC_VERSION, stacCollectionUrl } from './item.ts'

const DESCRIPTION = 'Documents with a location and a time, as items.'

/** The landing page of STAC API: a catalog with one child per collection. `base` is the public URL of the server. */
export function stacLanding(base: string, collections: readonly CollectionReference[]): JsonObject {
  return {
    type: 'Catalog',
    id: 'periplus',
    stac_version: STAC_VERSION,
    title: 'Periplus',
    description: DESCRIPTION,
    conformsTo: stacConformance,
    links: linksJson([...landingLinks(base), ...collections.map((reference) => childLink(base, reference))]),
  }
}

export function landingLinks(base: string): readonly WebLink[] {
  const at = (path: string): string => `${base}/stac${path}`
  return [
    { href: at(''), rel: 'self', type: JSON_MEDIA, title: 'This document' },
    { href: at(''), rel: 'root', type: JSON_MEDIA, title: 'Catalog' },
    { href: at('?f=html'), rel: 'alternate', type: HTML_MEDIA, title: 'This document as a page' },
    { href: at('/api'), rel: 'service-desc', type: OPENAPI_MEDIA, title: 'Definition of the API' },
    { href: `${base}/docs`, rel: 'service-doc', type: HTML_MEDIA, title: 'Documentation of the API' },
    { href: at('/conformance'), rel: 'conformance', type: JSON_MEDIA, title: 'Conformance classes' },
    { href: at('/collections'), rel: 'data', type: JSON_MEDIA, title: 'Collections' },
    { href: at('/search'), rel: 'search', type: GEOJSON_MEDIA, title: 'Search by parameters', method: 'GET' },
    { href: at('/search'), rel: 'search', type: GEOJSON_MEDIA, title: 'Search by a body', method: 'POST' },
    { href: at('/queryables'), rel: QUERYABLES_REL, type: SCHEMA_MEDIA, title: 'Properties for filters' },
    ...aggregationLinks(at('')),
  ]
}

/** Links to the aggregations of all collections, or of one. */
export const aggregationLinks = (url: string): readonly WebLink[] => [
  { href: `${url}/aggregate`, rel: 'aggregate', type: JSON_MEDIA, title: 'Aggregate by parameters', method: 'GET' },
  { href: `${url}/aggregate`, rel: 'aggregate', type: JSON_MEDIA, title: 'Aggregate by a body', method: 'POST' },
  { href: `${url}/aggregations`, rel: 'aggregations', type: JSON_MEDIA, title: 'Aggregations' },
]

const childLink = (base: string, { collection_name, params }: CollectionReference): WebLink => ({
  href: stacCollectionUrl(base, collection_name),
  rel: 'child',
  type: JSON_MEDIA,
  title: params.display_names?.collection || collection_name,
})

/** The landing page for people. */
export const stacLandingHtml = (base: string, collections: readonly CollectionReference[]): string =>
  linkPage('Periplus: STAC API', DESCRIPTION, [
    ...landingLinks(base).filter(({ method }) => method !== 'POST'),
    ...collections.map((reference) => childLink(base, reference)),
  ])
