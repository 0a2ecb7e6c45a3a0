/** What requests of STAC API name, in addition to those of the other routes. */
interface Names {
  readonly fields: readonly string[]
  readonly expressions: readonly string[]
  readonly words: readonly string[]
}

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [-179, -89],
      [179, -89],
      [179, 89],
      [-179, 89],
      [-179, -89],
    ],
  ],
}

const queriesOf = (fields: readonly string[]): readonly object[] => [
  ...fields.map((field) => ({ [field]: { neq: 'leaked0' } })),
  ...fields.map((field) => ({ [`properties.${field}`]: { startsWith: 'leaked' } })),
  { leak_num: { gt: 0 } },
  { seen: { in: ['av0', 'bv0'] } },
]

const aggregationsOf = (fields: readonly string[]): readonly string[] => [
  'total_count,datetime_min,datetime_max,collection_frequency',
  ...['datetime_frequency', 'geometry_geohash_grid_frequency', 'geometry_geotile_grid_frequency'],
  ...fields.flatMap((field) => [`${field}_frequency`, `${field}_stats`]),
]

/** Values of the parameters of the routes under `/stac`. */
export const stacValues = ({ fields, words }: Names): Readonly<Record<string, readonly string[]>> => ({
  f: ['json', 'html'],
  q: [...words, 'leaked0', 'bv0,leaked0'],
  collections: ['shared', 'private', 'shared,private,nowhere'],
  ids: ['A1', 'A1,B1,zz'],
  intersects: [JSON.stringify(square)],
  datetime: ['1970-01-01T00:00:00Z/..', '../2100-01-01T00:00:00Z'],
  query: queriesOf(fields).map((query) => JSON.stringify(query)),
  sortby: [...fields, ...fields.map((field) => `-properties.${field}`), 'collection'],
  fields: ['', ...fields.map((field) => `properties.${field}`), '-properties.seen', 'id,bbox'],
  aggregations: aggregationsOf(fields),
  datetime_frequency_interval: ['day'],
  geometry_geohash_grid_frequency_precision: ['2'],
  geometry_geotile_grid_frequency_precision: ['3'],
})

/** Bodies of searches and aggregations. */
export function stacBodies(path: string, { fields, expressions, words }: Names): readonly unknown[] {
  const aggregated = path.endsWith('aggregate')
  const base = aggregated ? { aggregations: ['total_count', 'seen_frequency'] } : { limit: 9 }
  return [
    base,
    ...expressions.map((filter) => ({ ...base, filter, 'filter-lang': 'cql2-text' })),
    ...fields.map((property) => ({ ...base, filter: { op: 'isNull', args: [{ property }] } })),
    ...queriesOf(fields).map((query) => ({ ...base, query })),
    ...words.map((word) => ({ ...base, q: [word] })),
    { ...base, intersects: square },
    { ...base, ids: ['A1', 'B1'] },
    ...(aggregated
      ? aggregationsOf(fields).map((names) => ({ aggregations: names.split(',') }))
      : fields.map((field) => ({ ...base, sortby: [{ field, direction: 'desc' }], fields: { include: [field] } }))),
    ...(path.includes('{collection}') ? [] : [{ ...base, collections: ['private', 'shared'] }]),
  ]
}
