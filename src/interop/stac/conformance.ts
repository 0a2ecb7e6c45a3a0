import { cql2Conformance } from '../ogc/conformance.ts'

const stac = (name: string): string => `https://api.stacspec.org/v1.0.0/${name}`
const candidate = (name: string): string => `https://api.stacspec.org/v1.0.0-rc.1/${name}`
const aggregation = 'https://api.stacspec.org/v0.3.0/aggregation'
const features3 = (name: string): string => `http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/${name}`

/** Classes of STAC API and its extensions. */
export const stacConformance: readonly string[] = [
  ...['core', 'collections', 'ogcapi-features', 'item-search'].map(stac),
  ...['item-search', 'ogcapi-features'].flatMap((name) =>
    ['filter', 'sort', 'fields', 'query'].map((extension) => stac(`${name}#${extension}`)),
  ),
  ...['item-search', 'ogcapi-features'].map((name) => candidate(`${name}#free-text`)),
  candidate('collection-search'),
  ...['', '#query', '#filter'].map((part) => `${aggregation}${part}`),
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/simple-query',
  ...['core', 'geojson', 'oas30'].map((name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`),
  ...['queryables', 'filter', 'features-filter'].map(features3),
  ...cql2Conformance,
]
