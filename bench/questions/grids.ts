import { aggregated, average, geohashes, inTile, inTimeRange, newestOf, ofKind, tiles } from './opensearch-parts.ts'
import { agg, explore, explorer, f, inGroup, inRange, tilePath } from './question-parts.ts'
import { countsByTile, rowsInTile, rowsInTime, rowsOfKind } from './sql-parts.ts'

/** Map layers of cells. */
export const gridQuestions = inGroup('aggregations', [
  {
    name: 'geotile z6, world',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('geotile:location:interval-6')),
    opensearch: () => aggregated(tiles(6)),
    sql: (_d, dialect) => countsByTile(dialect, 6),
    sqlKeys: [{ tileZoom: 6 }],
  },
  {
    name: 'geotile z6 + avg + max',
    expects: 'buckets',
    periplus: () =>
      explore(
        '_aggregate',
        agg('geotile:location:interval-6:collect_field-speed:collect_fct-avg:collect_field-seen:collect_fct-max'),
      ),
    opensearch: () => aggregated(tiles(6, { m: average('speed'), n: { max: { field: 'seen' } } })),
    sql: (_d, dialect) => countsByTile(dialect, 6, { metrics: ['avg(speed)', 'max(seen)'] }),
    sqlKeys: [{ tileZoom: 6 }],
  },
  {
    name: 'geotile z10 inside a z4 tile',
    tileZoom: 4,
    expects: 'buckets',
    periplus: (d) => explore(`_geoaggregate/${tilePath(d)}`, agg('geotile:location:interval-10')),
    opensearch: (d) => aggregated(tiles(10), inTile(d)),
    sql: (d, dialect) => countsByTile(dialect, 10, { where: [rowsInTile(d)] }),
    sqlKeys: [{ tileZoom: 10 }],
  },
  {
    name: 'the same + time range + term',
    tileZoom: 4,
    expects: 'buckets',
    periplus: (d) =>
      explore(`_geoaggregate/${tilePath(d)}`, agg('geotile:location:interval-10'), inRange(d), f('kind', 'eq', d.kind)),
    opensearch: (d) => aggregated(tiles(10), inTile(d), inTimeRange(d), ofKind(d)),
    sql: (d, dialect) => countsByTile(dialect, 10, { where: [rowsInTile(d), rowsInTime(d), rowsOfKind(d)] }),
    sqlKeys: [{ tileZoom: 10 }],
  },
  {
    name: 'newest geometry of each geotile (z5)',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('geotile:location:interval-5:raw_geometries-location(-seen)')),
    opensearch: () => aggregated(tiles(5, { h: newestOf('location') })),
  },
  {
    name: 'geohash 2, world',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('geohash:location:interval-2')),
    opensearch: () => aggregated(geohashes(2)),
  },
  {
    name: 'H3 resolution 2, world',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('geohex:location:interval-2')),
  },
  {
    name: 'four indices: geotile z6, world',
    dataset: 'quarters',
    expects: 'buckets',
    periplus: () => explorer('quarters')('_aggregate', agg('geotile:location:interval-6')),
    opensearch: () => aggregated(tiles(6)),
  },
  {
    name: 'flights: geotile z6',
    dataset: 'flights',
    expects: 'buckets',
    periplus: () => explorer('flights')('_aggregate', agg('geotile:location:interval-6')),
    opensearch: () => aggregated(tiles(6)),
    sql: (_d, dialect) => countsByTile(dialect, 6),
    sqlKeys: [{ tileZoom: 6 }],
  },
])
