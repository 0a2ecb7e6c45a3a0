const features1 = (name: string): string => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`
const features3 = (name: string): string => `http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/${name}`
const cql2 = (name: string): string => `http://www.opengis.net/spec/cql2/1.0/conf/${name}`
const tiles = (name: string): string => `http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/${name}`

/** Classes of CQL2, with the names of drafts that clients still look for. */
export const cql2Conformance: readonly string[] = [
  ...['cql2-text', 'cql2-json', 'basic-cql2', 'advanced-comparison-operators', 'case-insensitive-comparison'],
  ...[
    'basic-spatial-functions',
    'basic-spatial-functions-plus',
    'temporal-functions',
    'array-functions',
    'property-property',
  ],
  ...['basic-spatial-operators', 'temporal-operators'],
].map(cql2)

export const ogcConformance: readonly string[] = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  ...['core', 'geojson', 'oas30'].map(features1),
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
  ...['queryables', 'queryables-query-parameters', 'filter', 'features-filter'].map(features3),
  ...['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'mvt', 'png'].map(tiles),
  ...cql2Conformance,
]
