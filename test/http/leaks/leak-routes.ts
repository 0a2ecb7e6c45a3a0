/**
 * What a route returns to a caller who sees only some documents, columns and collections. Must list all routes of the
 * server: the suite fails if a route is not classified.
 */
export type RouteClass =
  /** Returns documents, values or fields, but nothing of those that are hidden from the caller. */
  | 'narrowed'
  /** Ignores columns, partitions and organisations: forbidden for narrowed callers. */
  | 'closed'
  /** Changes collections or replays requests: forbidden for callers with a narrowed view of the collection. */
  | 'whole view'
  /** Returns the tags, subscriptions and deliveries of the caller, but nothing of others. */
  | 'own'
  /** Does not depend on the documents. */
  | 'same'

const EXPLORE = [
  'GET /explore/:collection/:identifier',
  'GET /explore/:collection/_aggregate',
  'GET /explore/:collection/_compute',
  'GET /explore/:collection/_count',
  'GET /explore/:collection/_describe',
  'GET /explore/:collection/_geoaggregate',
  'GET /explore/:collection/_geoaggregate/:geohash',
  'GET /explore/:collection/_geoaggregate/:z/:x/:y',
  'GET /explore/:collection/_geosearch',
  'GET /explore/:collection/_geosearch/:z/:x/:y',
  'GET /explore/:collection/_live',
  'GET /explore/:collection/_mvt',
  'GET /explore/:collection/_mvt/:z/:x/:y.mvt',
  'GET /explore/:collection/_search',
  'GET /explore/:collection/_shapeaggregate',
  'GET /explore/:collection/_shapesearch',
  'GET /explore/:collection/_tile/:z/:x/:y.png',
  'GET /explore/:collections/_suggest',
  'GET /explore/_list',
  'GET /explore/ogc/opensearch/:collection',
  'POST /explore/:collection/_aggregate',
  'POST /explore/:collection/_compute',
  'POST /explore/:collection/_count',
  'POST /explore/:collection/_geoaggregate',
  'POST /explore/:collection/_geosearch',
  'POST /explore/:collection/_search',
  'POST /explore/:collection/_shapeaggregate',
  'POST /explore/:collection/_shapesearch',
] as const

const OGC = [
  'GET /ogc/collections',
  'GET /ogc/collections/:collection',
  'GET /ogc/collections/:collection/items',
  'GET /ogc/collections/:collection/items/:identifier',
  'GET /ogc/collections/:collection/queryables',
  'GET /ogc/collections/:collection/schema',
  'GET /ogc/collections/:collection/tiles',
  'GET /ogc/collections/:collection/tiles/WebMercatorQuad',
  'GET /ogc/collections/:collection/tiles/WebMercatorQuad/:tileMatrix/:tileRow/:tileCol',
] as const

const STAC = [
  'GET /stac',
  'GET /stac/aggregate',
  'GET /stac/aggregations',
  'GET /stac/collections',
  'GET /stac/collections/:collection',
  'GET /stac/collections/:collection/aggregate',
  'GET /stac/collections/:collection/aggregations',
  'GET /stac/collections/:collection/items',
  'GET /stac/collections/:collection/items/:identifier',
  'GET /stac/collections/:collection/queryables',
  'GET /stac/queryables',
  'GET /stac/search',
  'POST /stac/aggregate',
  'POST /stac/collections/:collection/aggregate',
  'POST /stac/search',
] as const

const INDEX = [
  'DELETE /index/:index',
  'DELETE /index/:index/_doc/:id',
  'GET /index',
  'GET /index/:index',
  'GET /index/:index/_count',
  'GET /index/:index/_doc/:id',
  'GET /index/:index/_mapping',
  'GET /index/:index/_refresh',
  'GET /index/:index/_search',
  'GET /index/:index/_settings',
  'GET /index/:index/_stats',
  'GET /index/_cat/health',
  'GET /index/_cat/indices',
  'GET /index/_cat/indices/:index',
  'GET /index/_cluster/health',
  'GET /index/_cluster/health/:index',
  'GET /index/_license',
  'GET /index/_mapping',
  'GET /index/_refresh',
  'GET /index/_stats',
  'POST /index/:index/_bulk',
  'POST /index/:index/_count',
  'POST /index/:index/_delete_by_query',
  'POST /index/:index/_doc',
  'POST /index/:index/_doc/:id',
  'POST /index/:index/_forcemerge',
  'POST /index/:index/_mapping',
  'POST /index/:index/_mget',
  'POST /index/:index/_refresh',
  'POST /index/:index/_replace',
  'POST /index/:index/_search',
  'POST /index/:index/_update/:id',
  'POST /index/:index/_update_by_query',
  'POST /index/_bulk',
  'POST /index/_mget',
  'POST /index/_refresh',
  'PUT /index/:index',
  'PUT /index/:index/_block/write',
  'PUT /index/:index/_bulk',
  'PUT /index/:index/_doc/:id',
  'PUT /index/:index/_mapping',
  'PUT /index/:index/_settings',
  'PUT /index/_bulk',
] as const

/** Routes under `/subscriptions` and under `/admin/subscriptions`. */
const SUBSCRIPTIONS = [
  'DELETE /:id',
  'GET ',
  'GET /:id',
  'GET /:id/deliveries',
  'GET /:id/deliveries/:deliveryId',
  'GET /:id/secret',
  'POST ',
  'POST /:id/_test',
  'POST /:id/deliveries/:deliveryId/_redeliver',
  'POST /:id/deliveries/_redeliver',
  'POST /:id/secret',
  'PUT /:id',
].flatMap((route) => [route.replace(' ', ' /subscriptions'), route.replace(' ', ' /admin/subscriptions')])

const byClass: Readonly<Record<RouteClass, readonly string[]>> = {
  narrowed: [
    ...EXPLORE,
    'GET /collections',
    'GET /collections/:collection',
    ...OGC,
    ...STAC,
    'GET /collections/_export',
    'GET /status-page',
  ],
  closed: [...INDEX, 'POST /load', 'PUT /load/:file', 'GET /metrics', 'GET /events/:id'],
  'whole view': [
    'DELETE /collections/:collection',
    'PATCH /collections/:collection/display_names/collection',
    'PATCH /collections/:collection/display_names/fields',
    'PATCH /collections/:collection/display_names/shape_columns',
    'PATCH /collections/:collection/organisations',
    'POST /collections/_import',
    'POST /write/:collection/_tagreplay',
    'PUT /collections/:collection',
  ],
  own: [
    ...SUBSCRIPTIONS,
    'GET /status/:collection/_tag/:id',
    'GET /status/:collection/_taglist',
    'POST /events',
    'POST /write/:collection/_tag',
    'POST /write/:collection/_untag',
  ],
  same: [
    ...['GET /', 'GET /docs', 'GET /explorer/:file', 'GET /livez', 'GET /openapi.json', 'GET /readyz'],
    ...['GET /ogc', 'GET /ogc/api', 'GET /ogc/conformance', 'GET /stac/api', 'GET /stac/conformance'],
    ...['GET /ogc/tileMatrixSets', 'GET /ogc/tileMatrixSets/WebMercatorQuad'],
  ],
}

export const leakRoutes: ReadonlyMap<string, RouteClass> = new Map(
  Object.entries(byClass).flatMap(([kind, routes]) => routes.map((route) => [route, kind as RouteClass] as const)),
)
