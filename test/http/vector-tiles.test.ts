import { VectorTile, type VectorTileLayer } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    at: { type: 'date' },
    shape: { type: 'geo_shape' },
    point: { type: 'geo_point' },
    kind: { type: 'keyword' },
    size: { type: 'double' },
    deep: { properties: { flag: { type: 'boolean' }, secret: { type: 'keyword' } } },
  },
}

const square = (west: number, south: number, side: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
})

const documents = [
  {
    id: 'a',
    at: 1000,
    shape: square(10, 10, 20),
    point: '20,20',
    kind: 'x',
    size: 1.5,
    deep: { flag: true, secret: 's' },
  },
  { id: 'b', at: 2000, point: '21,21', kind: 'y', size: 3 },
  {
    id: 'c',
    at: 3000,
    shape: {
      type: 'LineString',
      coordinates: [
        [-100, 40],
        [-60, 50],
      ],
    },
    point: '45,-80',
    kind: 'x',
  },
  { id: 'far', at: 4000, point: '0,179.9', kind: 'z' },
]

const params = {
  index_name: 'map',
  id_path: 'id',
  geometry_path: 'shape',
  centroid_path: 'point',
  timestamp_path: 'at',
  exclude_fields: 'deep.secret',
  open_search: { attribution: 'Maps & more' },
}

let server: RunningServer

beforeAll(async () => {
  server = await startEmbeddedServer()
  const bulk = documents.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`).join('')
  await createIndex(server.base, 'map', mapping, bulk)
  await putCollection(server.base, 'map', params)
})

afterAll(() => server.stop())

const fetchTile = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.base}/explore/map/_mvt/${path}`, { headers })

async function readTile(path: string): Promise<Record<string, VectorTileLayer>> {
  const response = await fetchTile(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile')
  return new VectorTile(new PbfReader(await response.arrayBuffer())).layers
}

/** Features of a layer as GeoJSON, with coordinates rounded to what a unit of the tile is. */
function featuresOf(layer: VectorTileLayer | undefined, z: number, x: number, y: number) {
  const count = layer?.length ?? 0
  return Array.from({ length: count }, (_, i) => layer?.feature(i).toGeoJSON(x, y, z))
}

const propertiesOf = (layer: VectorTileLayer | undefined) =>
  Array.from({ length: layer?.length ?? 0 }, (_, i) => layer?.feature(i).properties)

describe('a vector tile', () => {
  it('has documents, cells and a description of itself', async () => {
    const { hits, cells, meta } = await readTile('0/0/0.mvt')
    expect(propertiesOf(hits)).toEqual([
      { id: 'a', timestamp: 1000 },
      { id: 'b', timestamp: 2000 },
      { id: 'c', timestamp: 3000 },
      { id: 'far', timestamp: 4000 },
    ])
    expect([0, 1, 2, 3].map((i) => hits?.feature(i).type)).toEqual([3, 1, 2, 1])
    expect(hits).toMatchObject({ version: 2, extent: 4096 })
    // a and b share the cell of five zooms below
    expect(propertiesOf(cells)).toContainEqual({ tile: '5/17/14', count: 2 })
    expect(propertiesOf(cells)).toHaveLength(3)
    expect(propertiesOf(meta)).toEqual([
      { collection: 'map', total: 4, hits: 4, truncated: false, cells: 3, interval: 5 },
    ])
  })

  it('places what it shows', async () => {
    const { hits, cells } = await readTile('2/2/1.mvt')
    const [a, b] = featuresOf(hits, 2, 2, 1)
    // the north-west corner lies in the next tile and is cut off beyond the buffer
    expect(a?.geometry.type).toBe('Polygon')
    expect(b?.geometry).toMatchObject({ type: 'Point' })
    const [lon, lat] = b?.geometry.type === 'Point' ? b.geometry.coordinates : []
    expect(lon).toBeCloseTo(21, 1)
    expect(lat).toBeCloseTo(21, 1)
    const [cell] = featuresOf(cells, 2, 2, 1)
    const ring = cell?.geometry.type === 'Polygon' ? cell.geometry.coordinates[0] : []
    const longitudes = (ring ?? []).map(([x = 0]) => x)
    expect(Math.min(...longitudes)).toBeLessThanOrEqual(20)
    expect(Math.max(...longitudes)).toBeGreaterThanOrEqual(20)
    // 128 cells on each side of the world at zoom 7
    expect(Math.max(...longitudes) - Math.min(...longitudes)).toBeCloseTo(360 / 128, 3)
  })

  it('shows the fields asked for, and none that is excluded', async () => {
    const { hits } = await readTile('0/0/0.mvt?include=kind,size,deep,shape&f=id:eq:a&layers=hits')
    expect(propertiesOf(hits)).toEqual([{ id: 'a', timestamp: 1000, kind: 'x', size: 1.5, deep_flag: true }])
    const all = await readTile('0/0/0.mvt?include=*&f=id:eq:b')
    expect(propertiesOf(all.hits)).toEqual([{ id: 'b', timestamp: 2000, at: 2000, point: '21,21', kind: 'y', size: 3 }])
  })

  it('says that it is cut', async () => {
    const { hits, meta } = await readTile('0/0/0.mvt?size=2&sort=-at&layers=hits,meta')
    expect(propertiesOf(hits).map((each) => each?.id)).toEqual(['far', 'c'])
    expect(propertiesOf(meta)).toEqual([{ collection: 'map', total: 4, hits: 2, truncated: true }])
  })

  it('counts without showing documents', async () => {
    const layers = await readTile('0/0/0.mvt?layers=cells,meta&interval=0&f=kind:eq:x')
    expect(Object.keys(layers)).toEqual(['cells', 'meta'])
    expect(propertiesOf(layers.cells)).toEqual([{ tile: '0/0/0', count: 2 }])
    expect(propertiesOf(layers.meta)).toEqual([{ collection: 'map', total: 2, cells: 1, interval: 0 }])
  })

  it('has figures of the cells, and their middle', async () => {
    const agg = 'geotile:point:collect_field-size:collect_fct-sum'
    const { cells } = await readTile(`0/0/0.mvt?layers=cells&interval=1&cells=centers&agg=${agg}&f=size:gte:0`)
    expect(propertiesOf(cells)).toEqual([{ tile: '1/1/0', count: 2, size_sum_: 4.5 }])
    expect(cells?.feature(0).loadGeometry()).toMatchObject([[{ x: 3072, y: 1024 }]])
  })

  it('reaches across the antimeridian with its buffer', async () => {
    const { hits, cells } = await readTile('1/0/0.mvt?f=id:eq:far')
    expect(hits?.feature(0).loadGeometry()).toMatchObject([[{ x: -2, y: 4096 }]])
    expect(cells).toBeUndefined()
  })

  it('is no answer when it is empty, unless it describes itself', async () => {
    const empty = await fetchTile('3/0/7.mvt?layers=hits,cells')
    expect([empty.status, await empty.text()]).toEqual([204, ''])
    const { meta } = await readTile('3/0/7.mvt')
    expect(propertiesOf(meta)).toEqual([
      { collection: 'map', total: 0, hits: 0, truncated: false, cells: 0, interval: 5 },
    ])
  })

  it('is not sent twice', async () => {
    const first = await fetchTile('0/0/0.mvt?max-age-cache=60')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"/)
    expect(first.headers.get('cache-control')).toContain('max-age=60')
    const second = await fetchTile('0/0/0.mvt', { 'if-none-match': tag })
    expect(second.status).toBe(304)
    const head = await fetch(`${server.base}/explore/map/_mvt/0/0/0.mvt`, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, tag])
    const other = await fetchTile('0/0/0.mvt', { accept: 'application/x-protobuf' })
    expect(other.headers.get('content-type')).toBe('application/x-protobuf')
  })

  it.each([
    ['29/0/0.mvt', 'INVALID_PARAMETER', 'z '],
    ['a/0/0.mvt', 'INVALID_PARAMETER', 'z '],
    ['1/2/0.mvt', 'INVALID_PARAMETER', 'x '],
    ['1/0/-1.mvt', 'INVALID_PARAMETER', 'y '],
    ['0/0/0.mvt?layers=hits,roads', 'INVALID_PARAMETER', 'hits, cells, meta'],
    ['0/0/0.mvt?cells=hexagons', 'INVALID_PARAMETER', 'polygons or centers'],
    ['0/0/0.mvt?interval=-1', 'INVALID_PARAMETER', 'interval'],
    ['0/0/0.mvt?interval=7', 'LIMIT_EXCEEDED', 'limits.geotileDepth'],
    ['0/0/0.mvt?size=10001', 'LIMIT_EXCEEDED', 'tiles.maxElements'],
    ['0/0/0.mvt?agg=geohash:point', 'INVALID_AGGREGATION', 'geotile'],
    ['0/0/0.mvt?agg=geotile:point:interval-3', 'INVALID_AGGREGATION', 'interval'],
    ['0/0/0.mvt?f=kind:nope:x', 'INVALID_FILTER', 'f'],
    ['0/0/0.mvt?layers=meta&sort=nowhere', 'FIELD_NOT_FOUND', 'nowhere'],
  ])('refuses %s', async (path, error, word) => {
    const answer = await fetchTile(path)
    expect(await answer.json()).toMatchObject({ error, message: expect.stringContaining(word) })
  })

  it('needs a collection', async () => {
    const { status, json } = await call(server.base, { path: '/explore/nowhere/_mvt/0/0/0.mvt' })
    expect([status, json()]).toMatchObject([404, { error: 'COLLECTION_NOT_FOUND' }])
  })
})

describe('the TileJSON document', () => {
  const describeTiles = (query = ''): Promise<unknown> => must(server.base, { path: `/explore/map/_mvt${query}` })

  it('says where the tiles are and what is in them', async () => {
    expect(await describeTiles()).toEqual({
      tilejson: '3.0.0',
      name: 'map',
      attribution: 'Maps &amp; more',
      scheme: 'xyz',
      tiles: [`${server.base}/explore/map/_mvt/{z}/{x}/{y}.mvt`],
      minzoom: 0,
      maxzoom: 22,
      bounds: [expect.closeTo(-100, 5), expect.closeTo(0, 5), expect.closeTo(179.9, 5), expect.closeTo(50, 5)],
      vector_layers: [
        { id: 'hits', description: expect.any(String), fields: { id: 'String', timestamp: 'Number' } },
        { id: 'cells', description: expect.any(String), fields: { tile: 'String', count: 'Number' } },
        { id: 'meta', description: expect.any(String), fields: expect.objectContaining({ truncated: 'Boolean' }) },
      ],
    })
  })

  it('keeps the parameters of tiles', async () => {
    const agg = 'agg=geotile:point:collect_field-size:collect_fct-avg'
    const query = `?pretty=true&F=kind%3Aeq%3Ax&include=kind,size,deep.*&${agg}&layers=cells,hits`
    const { tiles, vector_layers } = (await describeTiles(query)) as { tiles: string[]; vector_layers: unknown }
    expect(tiles).toEqual([
      `${server.base}/explore/map/_mvt/{z}/{x}/{y}.mvt?F=kind%3Aeq%3Ax&include=kind,size,deep.*&${agg}&layers=cells,hits`,
    ])
    expect(vector_layers).toMatchObject([
      { fields: { id: 'String', timestamp: 'Number', kind: 'String', size: 'Number', deep_flag: 'Boolean' } },
      { fields: { tile: 'String', count: 'Number', size_avg_: 'Number' } },
    ])
    const [template = ''] = tiles
    const tile = await fetch(template.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0'))
    const { hits } = new VectorTile(new PbfReader(await tile.arrayBuffer())).layers
    expect(propertiesOf(hits).map((each) => each?.id)).toEqual(['a', 'c'])
  })

  it('is about the world when nothing matches', async () => {
    expect(await describeTiles('?f=id:eq:nobody')).toMatchObject({ bounds: [-180, -90, 180, 90] })
  })

  it('finds what tiles would refuse', async () => {
    const { status } = await call(server.base, { path: '/explore/map/_mvt?agg=term:kind' })
    expect(status).toBe(400)
  })
})
