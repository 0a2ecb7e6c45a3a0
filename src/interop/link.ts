import type { Json, JsonObject } from '../model/json/document.ts'

/** A link of a document of OGC API or STAC. */
export interface WebLink {
  readonly href: string
  readonly rel: string
  readonly type?: string
  readonly title?: string
  readonly templated?: boolean
  /** Of a STAC link: GET if absent. */
  readonly method?: 'GET' | 'POST'
  /** Of a STAC link to a further page: members of the request to change. */
  readonly body?: JsonObject
  readonly merge?: boolean
}

export const JSON_MEDIA = 'application/json'
export const GEOJSON_MEDIA = 'application/geo+json'
export const SCHEMA_MEDIA = 'application/schema+json'
export const HTML_MEDIA = 'text/html'
export const OPENAPI_MEDIA = 'application/vnd.oai.openapi+json;version=3.0'
export const MVT_MEDIA = 'application/vnd.mapbox-vector-tile'
export const PNG_MEDIA = 'image/png'
export const QUERYABLES_REL = 'http://www.opengis.net/def/rel/ogc/1.0/queryables'

/** Returns a URL with query parameters, without those that are undefined. */
export function withParameters(href: string, parameters: readonly (readonly [string, string | undefined])[]): string {
  const given = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`],
  )
  return given.length === 0 ? href : `${href}?${given.join('&')}`
}

export const linksJson = (links: readonly WebLink[]): readonly Json[] => links.map((link): Json => ({ ...link }))
