/** Worked examples of aggregations on the sample data set. */

/** One `agg`, or several joined with `&agg=`, as in the specification, and the buckets as [key, count]. */
interface BucketExample {
  readonly agg: string
  readonly name: string
  /** Keys; for grids as text. */
  readonly buckets: readonly (readonly [string | number, number])[]
  readonly sumotherdoccounts?: number
}

const evenly = (first: number, step: number, counts: readonly number[]): readonly (readonly [number, number])[] =>
  counts.map((count, i) => [first + i * step, count])
const all = (keys: string, count: number): readonly (readonly [string, number])[] =>
  keys.split(' ').map((key) => [key, count])

const jobs = [
  ['Cost Estimator', 64],
  ['Coder', 62],
  ['Dancer', 62],
  ['Actor', 59],
  ['Announcers', 58],
  ['Archeologists', 58],
  ['Architect', 58],
  ['Brain Scientist', 58],
  ['Chemist', 58],
  ['Coach', 58],
] as const

export const bucketExamples: readonly BucketExample[] = [
  {
    agg: 'datehistogram:params.startdate:interval-1minute',
    name: 'DateHistogram',
    buckets: evenly(720000, 60000, [3, 43, 83, 104, 104, 98, 85, 54, 20, 1]),
  },
  {
    agg: 'datehistogram:params.startdate:interval-2minute',
    name: 'DateHistogram',
    buckets: evenly(720000, 120000, [46, 187, 202, 139, 21]),
  },
  { agg: 'datehistogram:params.startdate:interval-7day', name: 'DateHistogram', buckets: [[0, 595]] },
  { agg: 'datehistogram:params.startdate:interval-1week', name: 'DateHistogram', buckets: [[-259200000, 595]] },
  {
    agg: 'histogram:params.weight:interval-5000',
    name: 'Histogram',
    buckets: evenly(-15000, 5000, [6, 26, 59, 117, 44, 17, 2]),
  },
  {
    agg: 'histogram:params.startdate:interval-200000.5',
    name: 'Histogram',
    buckets: evenly(600001.5, 200000.5, [14, 292, 268, 21]),
  },
  {
    agg: 'histogram:params.startdate:interval-100000',
    name: 'Histogram',
    buckets: evenly(700000, 100000, [14, 115, 176, 162, 107, 21]),
  },
  { agg: 'term:params.job', name: 'Sterms', buckets: jobs, sumotherdoccounts: 0 },
  { agg: 'term:params.job:size-5', name: 'Sterms', buckets: jobs.slice(0, 5), sumotherdoccounts: 290 },
  { agg: 'term:params.job:include-A.*', name: 'Sterms', buckets: jobs.slice(3, 7), sumotherdoccounts: 0 },
  {
    agg: 'term:params.job:include-Actor,Coach',
    name: 'Sterms',
    buckets: [
      ['Actor', 59],
      ['Coach', 58],
    ],
    sumotherdoccounts: 0,
  },
  { agg: 'term:params.job:include-Acto', name: 'Sterms', buckets: [], sumotherdoccounts: 0 },
  {
    agg: 'term:params.country',
    name: 'Sterms',
    buckets: [
      ['Argentina', 60],
      ['Armenia', 60],
      ['Aruba', 58],
      ['Barbuda', 58],
      ['Antigua', 54],
      ['Australia', 54],
      ['Afghanistan', 51],
      ['Albania', 50],
      ['Algeria', 50],
      ['Andorra', 50],
    ],
    sumotherdoccounts: 50,
  },
  {
    agg: 'term:params.age:size-3',
    name: 'Lterms',
    buckets: [
      [0, 51],
      [1200, 20],
      [2400, 20],
    ],
    sumotherdoccounts: 504,
  },
  { agg: 'term:params.foo', name: 'Umterms', buckets: [], sumotherdoccounts: 0 },
  {
    agg: 'geohash:geo_params.centroid:interval-1',
    name: 'GeohashGrid',
    buckets: [
      ...all('d s w', 25),
      ...all('4 6 8 9 e f h k n q t u x y', 20),
      ...all('0 1 2 3 5 7 b c g j m p r v z', 16),
    ],
  },
  {
    agg: 'geotile:geo_params.centroid:interval-1',
    name: 'GeotileGrid',
    buckets: [
      ['1/1/1', 162],
      ['1/0/1', 153],
      ['1/1/0', 144],
      ['1/0/0', 136],
    ],
  },
  { agg: 'geotile:geo_params.geometry:interval-1', name: 'GeotileGrid', buckets: all('1/0/0 1/0/1 1/1/0 1/1/1', 162) },
  {
    agg: 'term:params.job:order-asc:on-count',
    name: 'Sterms',
    buckets: [...jobs.slice(4), ...jobs.slice(3, 4), ...jobs.slice(1, 3), ...jobs.slice(0, 1)],
    sumotherdoccounts: 0,
  },
  {
    agg: 'term:params.job:order-desc:on-field:size-1',
    name: 'Sterms',
    buckets: [['Dancer', 62]],
    sumotherdoccounts: 533,
  },
  {
    agg: 'term:params.job:collect_field-params.age:collect_fct-avg:order-desc:on-result:size-3',
    name: 'Sterms',
    buckets: [
      ['Announcers', 58],
      ['Archeologists', 58],
      ['Actor', 59],
    ],
    sumotherdoccounts: 420,
  },
]

/** Grids as [aggregation, number of cells, sum of the counts]. */
export const gridExamples: readonly (readonly [string, number, number])[] = [
  ['geohash:geo_params.centroid:interval-3', 595, 595],
  ...[1, 4, 16, 64, 192, 512, 595].map((n, z) => [`geotile:geo_params.centroid:interval-${z}`, n, 595] as const),
  ['geohex:geo_params.centroid:interval-0', 122, 595],
  ['geohex:geo_params.geometry:interval-0', 122, 595],
  ['geotile:geo_params.geometry:interval-2', 16, 684],
  ['geotile:geo_params.geometry:interval-3', 64, 836],
  ['geohash:geo_params.geometry:interval-1', 32, 684],
]

/** Tile operations as [path and query, cells or keys with their counts]. */
export const tileExamples: readonly (readonly [string, readonly (readonly [string, number])[]])[] = [
  ['/yn?agg=geohash:geo_params.centroid:interval-2', [['yn', 2]]],
  ['/YN?agg=geohash:geo_params.centroid:interval-2', [['yn', 2]]],
  [
    '/yn?agg=geohash:geo_params.centroid:interval-3',
    [
      ['yn0', 1],
      ['ynp', 1],
    ],
  ],
  ['/ynp?agg=geohash:geo_params.centroid:interval-1', [['y', 1]]],
  ['/s', [['s', 25]]],
  ['/yn?agg=geohash:geo_params.centroid:interval-3&f=geo_params.centroid:within:-5,0,0,5', []],
  [
    '/2/2/1?agg=geotile:geo_params.centroid:interval-3',
    [
      ['3/4/3', 20],
      ['3/5/3', 16],
      ['3/4/2', 10],
      ['3/5/2', 8],
    ],
  ],
  ['/2/2/1?agg=geotile:geo_params.centroid:interval-2', [['2/2/1', 54]]],
  [
    '/4/3/3?agg=geotile:geo_params.centroid:interval-6',
    [
      ['6/12/14', 1],
      ['6/14/14', 1],
    ],
  ],
  ['/5/4/3?agg=geotile:geo_params.centroid:interval-5', [['5/4/3', 1]]],
]

/** Invalid `_geoaggregate` requests with their error codes. */
export const refusedExamples: readonly (readonly [string, string])[] = [
  ['?agg=term:params.job', 'INVALID_AGGREGATION'],
  ['/a1', 'INVALID_PARAMETER'],
  ['/4/3/3?agg=geotile:geo_params.centroid:interval-11', 'INVALID_AGGREGATION'],
  ['/4/3/3?agg=geotile:geo_params.centroid:interval-3', 'INVALID_AGGREGATION'],
  ['/0/1/0', 'INVALID_PARAMETER'],
  ['/29/1/0', 'INVALID_PARAMETER'],
  ['/2/2/x', 'INVALID_PARAMETER'],
]

const spot = { type: 'Point', coordinates: [5, 5] }
const ring = [
  [-10, -10],
  [20, -10],
  [20, 20],
  [-10, 20],
  [-10, -10],
]
const around = 'f=geo_params.geometry:within:-20,-20,30,30'

/** Queries of `_compute` with the response without its times, or the error code. */
export const computeExamples: readonly (readonly [string, object | string])[] = [
  ['field=params.age&metric=avg', { totalnb: 595, field: 'params.age', metric: 'AVG', value: 3702.8571428571427 }],
  ['field=params.weight&metric=sum', { totalnb: 271, field: 'params.weight', metric: 'SUM', value: 374900 }],
  [
    'field=params.startdate&metric=spanning',
    { totalnb: 595, field: 'params.startdate', metric: 'SPANNING', value: 500000 },
  ],
  [
    'field=params.startdate&metric=cardinality',
    { totalnb: 595, field: 'params.startdate', metric: 'CARDINALITY', value: 454 },
  ],
  [
    'field=params.startdate&metric=max&f=params.startdate:range:[0<775000]',
    { totalnb: 3, field: 'params.startdate', metric: 'MAX', value: 772800 },
  ],
  [
    `field=geo_params.centroid&metric=geocentroid&${around}`,
    { totalnb: 16, field: 'geo_params.centroid', metric: 'GEOCENTROID', geometry: spot },
  ],
  [
    `field=geo_params.centroid&metric=geobbox&${around}`,
    {
      totalnb: 16,
      field: 'geo_params.centroid',
      metric: 'GEOBBOX',
      geometry: { type: 'Polygon', coordinates: [ring] },
    },
  ],
  ['field=params.foo&metric=avg', { totalnb: 0, field: 'params.foo', metric: 'AVG' }],
  ['field=params.foo&metric=geobbox', { totalnb: 0, field: 'params.foo', metric: 'GEOBBOX' }],
  ['field=params.weight&metric=min', { totalnb: 271, field: 'params.weight', metric: 'MIN', value: -12600 }],
  ['field=params.weight&metric=max', { totalnb: 271, field: 'params.weight', metric: 'MAX', value: 16200 }],
  ['field=params.age&metric=cardinality', { totalnb: 595, field: 'params.age', metric: 'CARDINALITY', value: 73 }],
  ['field=params.age&metric=sum', { totalnb: 595, field: 'params.age', metric: 'SUM', value: 2203200 }],
  ['field=params.job&metric=avg', 'INVALID_PARAMETER'],
  ['field=geo_params.centroid&metric=max', 'INVALID_PARAMETER'],
  ['field=params.job&metric=geobbox', 'INVALID_PARAMETER'],
  ['field=params.age&metric=foo', 'INVALID_PARAMETER'],
  ['metric=avg', 'INVALID_PARAMETER'],
]
