import { filtered, inTile, newest, ofOwner } from './opensearch-parts.ts'
import type { Question } from './question.ts'
import { explore, explorer, f, inGroup, NEWEST, tilePath } from './question-parts.ts'
import { newestRows, rowsById, rowsInTile, rowsOfOwner } from './sql-parts.ts'

const byId = [{ id: 'asc' }]

const pages = inGroup('documents', [
  {
    name: '10 newest hits',
    expects: 'ids',
    periplus: () => explore('_search', 'size=10', NEWEST),
    opensearch: () => newest(10),
    sql: () => newestRows(10),
  },
  {
    name: '10 newest of one owner',
    expects: 'ids',
    periplus: (d) => explore('_search', 'size=10', NEWEST, f('owner', 'eq', d.owner)),
    opensearch: (d) => ({ ...newest(10), ...filtered(ofOwner(d)) }),
    sql: (d) => newestRows(10, [rowsOfOwner(d)]),
  },
  {
    name: '60 newest in a tile (z8)',
    tileZoom: 8,
    expects: 'ids',
    periplus: (d) => explore(`_geosearch/${tilePath(d)}`, 'size=60', NEWEST),
    opensearch: (d) => ({ ...newest(60, false), ...filtered(inTile(d)) }),
    sql: (d) => newestRows(60, [rowsInTile(d)]),
  },
  {
    name: 'page of 50 by id, no filter',
    expects: 'ids',
    periplus: (d) => explore('_search', 'size=50', 'sort=id', `after=${d.id}`),
    opensearch: (d) => ({ size: 50, track_total_hits: true, sort: byId, search_after: [d.id] }),
    sql: (d) => rowsById(50, [`id > '${d.id}'`]),
  },
  {
    name: 'page of 100 after a date, newest first',
    expects: 'ids',
    periplus: (d) => explore('_search', 'size=100', NEWEST, `after=${d.range.from},${d.id}`),
    opensearch: (d) => ({ ...newest(100), search_after: [d.range.from, d.id] }),
    sql: (d) => newestRows(100, [`seen < ${d.range.from} OR (seen = ${d.range.from} AND id > '${d.id}')`]),
  },
  {
    name: 'one document by id',
    expects: 'ids',
    ignoresTime: true,
    periplus: (d) => explore(d.id),
    opensearch: (d) => ({ size: 1, track_total_hits: false, ...filtered({ term: { id: d.id } }) }),
    sql: (d) => rowsById(1, [`id = '${d.id}'`]),
  },
  {
    name: '1000 newest features',
    expects: 'ids',
    periplus: () => explore('_geosearch', 'size=1000', NEWEST),
    opensearch: () => newest(1000, false),
    sql: () => newestRows(1000),
  },
])

const tileFeatures = inGroup(
  'documents',
  [2, 5, 8, 11].map((zoom) => ({
    name: `1000 features of a tile (z${zoom})`,
    tileZoom: zoom,
    expects: 'ids' as const,
    periplus: (d) => explore(`_geosearch/${tilePath(d)}`, 'size=1000'),
    opensearch: (d) => ({ size: 1000, track_total_hits: false, sort: byId, ...filtered(inTile(d)) }),
    sql: (d) => rowsById(1000, [rowsInTile(d)]),
  })),
)

const otherDatasets = inGroup('documents', [
  {
    name: 'four indices: 10 newest hits',
    dataset: 'quarters',
    expects: 'ids',
    periplus: () => explorer('quarters')('_search', 'size=10', NEWEST),
    opensearch: () => newest(10),
  },
  {
    name: 'flights: 10 newest hits',
    dataset: 'flights',
    expects: 'ids',
    periplus: () => explorer('flights')('_search', 'size=10', NEWEST),
    opensearch: () => newest(10),
    sql: () => newestRows(10, [], 'id, seen, delay, distance, origin, destination, lon, lat'),
  },
])

/** Lists and map layers of single documents. */
export const documentQuestions: readonly Question[] = [...pages, ...tileFeatures, ...otherDatasets]
