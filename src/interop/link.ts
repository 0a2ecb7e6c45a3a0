/** A link of a document of OGC API or STAC. */
export interface WebLink {
  readonly href: string
  readonly rel: string
  readonly type?: string
  readonly title?: string
  readonly templated?: boolean
}

export const JSON_MEDIA = 'application/json'
export const GEOJSON_MEDIA = 'application/geo+json'
export const SCHEMA_MEDIA = 'application/schema+json'
export const HTML_MEDIA = 'text/html'
export const OPENAPI_MEDIA = 'application/vnd.oai.openapi+json;version=3.0'
export const MVT_MEDIA = 'application/vnd.mapbox-vector-tile'
export const PNG_MEDIA = 'image/png'

/** Returns a URL with query parameters, without those that are undefined. */
export function withParameters(href: string, parameters: readonly (readonly [string, string | undefined])[]): string {
  const given = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`],
  )
  return given.length === 0 ? href : `${href}?${given.join('&')}`
}
