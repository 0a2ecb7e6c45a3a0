import type { JsonObject } from '../../model/json/document.ts'
import { HTML_MEDIA, JSON_MEDIA, linksJson, OPENAPI_MEDIA, type WebLink } from '../link.ts'
import { linkPage } from '../link-page.ts'

const TITLE = 'Periplus'
const DESCRIPTION = 'Documents with a location and a time, as features, tiles and files.'

/** The landing page of OGC API. `base` is the public URL of the server. */
export function landingPage(base: string): JsonObject {
  return { title: TITLE, description: DESCRIPTION, links: linksJson(landingLinks(base)) }
}

function landingLinks(base: string): readonly WebLink[] {
  const at = (path: string): string => `${base}/ogc${path}`
  return [
    { href: at(''), rel: 'self', type: JSON_MEDIA, title: 'This document' },
    { href: at('?f=html'), rel: 'alternate', type: HTML_MEDIA, title: 'This document as a page' },
    { href: at('/api'), rel: 'service-desc', type: OPENAPI_MEDIA, title: 'Definition of the API' },
    { href: `${base}/docs`, rel: 'service-doc', type: HTML_MEDIA, title: 'Documentation of the API' },
    { href: at('/conformance'), rel: 'conformance', type: JSON_MEDIA, title: 'Conformance classes' },
    { href: at('/collections'), rel: 'data', type: JSON_MEDIA, title: 'Collections' },
    {
      href: at('/collections'),
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector',
      type: JSON_MEDIA,
      title: 'Collections, with their vector tiles',
    },
    {
      href: at('/tileMatrixSets'),
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes',
      type: JSON_MEDIA,
      title: 'Tile matrix sets',
    },
  ]
}

/** The landing page for people. */
export const landingHtml = (base: string): string => linkPage(`${TITLE}: OGC API`, DESCRIPTION, landingLinks(base))
