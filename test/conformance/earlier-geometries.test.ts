import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesInZip } from '../files/zip.ts'
import { describeEach, engines } from '../support/engines.ts'
import { call, must, withQuery } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { toBulk } from './dataset.ts'

interface Bucket {
  readonly key_as_string: string
  readonly geometry?: unknown
  readonly geometries?: readonly { readonly geometry: unknown }[]
}
interface Feature {
  readonly geometry: unknown
  readonly properties: Readonly<Record<string, unknown>>
}

const at = (degrees: number) => ({ type: 'Point', coordinates: [degrees, degrees] })
const box = (low: number, high: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [low, low],
      [high, low],
      [high, high],
      [low, high],
      [low, low],
    ],
  ],
})

/** Placed at their numbers; `d` and `h` nowhere, `e` at no time, half of them without wind. */
const placed = (id: string, kind: string, degrees: number, more: object) => ({
  id,
  kind,
  shape: at(degrees),
  place: `${degrees},${degrees}`,
  ...more,
})
const documents = [
  placed('a', 'x', 1, { seen: 2000, 'wind-speed': 7, note: 'calm' }),
  placed('b', 'x', 2, { seen: 1000, 'wind-speed': 7 }),
  placed('c', 'x', 3, { seen: 1000 }),
  { id: 'd', kind: 'x', seen: 500, 'wind-speed': 1 },
  placed('e', 'x', 5, { 'wind-speed': 2 }),
  placed('f', 'x', 6, { seen: 2000, 'wind-speed': 9 }),
  placed('g', 'y', 7, { seen: 100 }),
  { id: 'h', kind: 'z', seen: 3000 },
]

const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    seen: { type: 'date', format: 'epoch_millis' },
    shape: { type: 'geo_shape' },
    place: { type: 'geo_point' },
    'wind-speed': { type: 'double' },
    note: { type: 'text' },
    secret: { type: 'keyword' },
  },
}

/** What is written behind the prefix, the same in a body, and the geometries of the buckets x, y and z. */
const examples: readonly (readonly [string, object, readonly [unknown, unknown, unknown]])[] = [
  ['fetch_geometry', {}, [at(3.4), at(7), null]],
  ['fetch_geometry-default', { strategy: 'default' }, [at(3.4), at(7), null]],
  ['fetch_geometry-byDefault', { strategy: 'byDefault' }, [at(3.4), at(7), null]],
  ['fetch_geometry-BYDEFAULT', { strategy: 'BYDEFAULT' }, [at(3.4), at(7), null]],
  ['fetch_geometry-centroid', { strategy: 'centroid' }, [at(3.4), at(7), null]],
  ['fetch_geometry-bbox', { strategy: 'BBOX' }, [box(1, 6), box(7, 7), null]],
  ['fetch_geometry-first', { strategy: 'first' }, [at(2), at(7), null]],
  ['fetch_geometry-last', { strategy: 'last' }, [at(1), at(7), null]],
  ['fetch_geometry-Last', { strategy: 'LAST' }, [at(1), at(7), null]],
  ['fetch_geometry-wind-speed-first', { strategy: 'first', field: 'wind-speed' }, [at(5), null, null]],
  ['fetch_geometry-wind-speed-last', { strategy: 'last', field: 'wind-speed' }, [at(6), null, null]],
  ['fetch_geometry-id-first', { strategy: 'first', field: 'id' }, [at(1), at(7), null]],
  ['fetch_geometry-id-last', { strategy: 'last', field: 'id' }, [at(6), at(7), null]],
  ['fetch_geometry-$timestamp-last', { strategy: 'last', field: '$timestamp' }, [at(1), at(7), null]],
]

const grids = ['geohash:place:interval-1', 'geotile:place:interval-5', 'geohex:place:interval-1']
const others = ['geohash:shape:interval-2', 'geotile:shape:interval-6', 'geohex:shape:interval-2']

const refusals: readonly (readonly [string, unknown, string, RegExp])[] = [
  ['term:kind:fetch_geometry-', { strategy: '' }, '400 INVALID_AGGREGATION', /fetch_geometry of aggregation 1/],
  ['term:kind:fetch_geometry-middle', { strategy: 'middle' }, '400 INVALID_AGGREGATION', /\{field\}-first/],
  ['term:kind:fetch_geometry-geohash', { strategy: 'geohash' }, '400 INVALID_AGGREGATION', /only for type geohash/],
  ['term:kind:fetch_geometry--first', { strategy: 'first', field: ' ' }, '400 INVALID_AGGREGATION', /empty/],
  ['term:kind:fetch_geometry-id-bbox', { strategy: 'bbox', field: 'id' }, '400 INVALID_AGGREGATION', /field/],
  ['term:kind:fetch_geometry-note-first', { strategy: 'first', field: 'note' }, '400 INVALID_AGGREGATION', /TEXT/],
  ['term:kind:fetch_geometry-place-last', { strategy: 'last', field: 'place' }, '400 INVALID_AGGREGATION', /GEO_POINT/],
  ['term:kind:fetch_geometry-nope-last', { strategy: 'last', field: 'nope' }, '404 FIELD_NOT_FOUND', /nope/],
  ['term:kind:fetch_geometry-secret-last', { strategy: 'last', field: 'secret' }, '404 FIELD_NOT_FOUND', /secret/],
]

describeEach(engines)('fetch_geometry on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await createIndex(server.base, 'winds', mapping, toBulk(documents))
    const paths = { id_path: 'id', geometry_path: 'shape', centroid_path: 'place', timestamp_path: 'seen' }
    await putCollection(server.base, 'winds', { index_name: 'winds', ...paths, exclude_fields: 'secret' })
  })
  afterAll(() => server?.stop())

  const path = (operation: string, aggs: readonly string[], more: Readonly<Record<string, string>> = {}): string =>
    withQuery(`/explore/winds/${operation}`, [...aggs.map((agg) => ['agg', agg] as const), ...Object.entries(more)])
  const buckets = async (...aggs: readonly string[]): Promise<readonly Bucket[]> =>
    ((await must(server.base, { path: path('_aggregate', aggs) })) as { elements: readonly Bucket[] }).elements
  const features = async (...aggs: readonly string[]): Promise<readonly Feature[]> =>
    ((await must(server.base, { path: path('_geoaggregate', aggs) })) as { features: readonly Feature[] }).features
  const post = (operation: string, aggregation: object): Promise<unknown> =>
    must(server.base, {
      method: 'POST',
      path: `/explore/winds/${operation}`,
      body: { aggregations: [aggregation] },
    })
  const rounded = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null), (_, v) => (typeof v === 'number' ? Math.round(v * 1e6) / 1e6 : v))
  const geometriesOf = (list: readonly { readonly geometry?: unknown }[]): unknown =>
    rounded(list.map(({ geometry }) => geometry))

  describe.each(['as it was loaded', 'arranged'])('%s', (state) => {
    beforeAll(async () => {
      if (state === 'arranged') await server.arrange()
    })

    test.each(examples)('term:kind:%s', async (part, body, expected) => {
      const agg = `term:kind:order-asc:on-field:${part}`
      expect(geometriesOf(await buckets(agg))).toEqual(expected)
      expect(geometriesOf(await features(agg))).toEqual(expected)
      const aggregation = { type: 'term', field: 'kind', order: 'asc', on: 'field', fetch_geometry: body }
      const answer = (await post('_aggregate', aggregation)) as { elements: readonly Bucket[] }
      expect(geometriesOf(answer.elements)).toEqual(expected)
      expect(geometriesOf(((await post('_geoaggregate', aggregation)) as { features: Feature[] }).features)).toEqual(
        expected,
      )
    })

    test.each(
      [...grids, ...others].flatMap((grid): (readonly [string, string])[] => [
        [`${grid}:fetch_geometry`, `${grid}:aggregated_geometries-cell_center`],
        [`${grid}:fetch_geometry-centroid`, `${grid}:aggregated_geometries-centroid`],
        [`${grid}:fetch_geometry-bbox`, `${grid}:aggregated_geometries-bbox`],
        [`${grid}:fetch_geometry-id-last`, `${grid}:raw_geometries-shape(-id)`],
        ...(grid.startsWith('geohash')
          ? [[`${grid}:fetch_geometry-geohash`, `${grid}:aggregated_geometries-cell`] as const]
          : []),
      ]),
    )('%s is the geometry of %s', async (earlier, current) => {
      const found = await buckets(earlier)
      const expected = (await buckets(current)).map(({ geometries, ...bucket }) => {
        return { ...bucket, geometry: geometries?.[0]?.geometry ?? null }
      })
      expect(found.length).toBeGreaterThan(0)
      expect(rounded(found)).toEqual(rounded(expected))
      expect(geometriesOf(await features(earlier))).toEqual(geometriesOf(expected))
    })

    test.each([...grids, ...others])(
      '%s:fetch_geometry-wind-speed-first is about documents with wind',
      async (grid) => {
        const windy = { f: 'wind-speed:gte:0' }
        const raw = await must(server.base, {
          path: path('_aggregate', [`${grid}:raw_geometries-shape(wind-speed)`], windy),
        })
        const first = new Map(
          (raw as { elements: readonly Bucket[] }).elements.map((b) => [b.key_as_string, b.geometries?.[0]?.geometry]),
        )
        const found = await buckets(`${grid}:fetch_geometry-wind-speed-first`)
        expect(first.size).toBeGreaterThan(0)
        expect(geometriesOf(found)).toEqual(found.map((bucket) => first.get(bucket.key_as_string) ?? null))
      },
    )

    test('every level has its own', async () => {
      const [x] = await buckets(
        'term:kind:size-1:fetch_geometry-bbox',
        'histogram:wind-speed:interval-5:fetch_geometry-last',
        'term:id:order-desc:on-field:fetch_geometry-first',
      )
      expect(rounded(x)).toMatchObject({
        geometry: box(1, 6),
        elements: [
          {
            elements: [
              // d has no place and e no time.
              { key: 0, geometry: null, elements: [{ elements: [{ geometry: null }, { geometry: null }] }] },
              {
                key: 5,
                geometry: at(1),
                elements: [{ elements: [{ geometry: at(6) }, { geometry: at(2) }, { geometry: at(1) }] }],
              },
            ],
          },
        ],
      })
    })
  })

  test('empty buckets of a histogram have none, and are features all the same', async () => {
    const agg = 'datehistogram:interval-1second:fetch_geometry-first'
    // Seconds 0 to 3; the third document of x has no time.
    expect(geometriesOf(await buckets(agg))).toEqual([at(7), at(2), at(1), null])
    expect(geometriesOf(await features(agg))).toEqual([at(7), at(2), at(1), null])
    const apart = await buckets('histogram:seen:interval-400:fetch_geometry')
    expect(apart.map((bucket) => bucket.geometry === null)).toEqual([false, true, false, true, true, false, true, true])
  })

  test('there are no other geometries, and a feature is as without but for its geometry', async () => {
    const [bucket] = await buckets('geohash:place:interval-1:fetch_geometry-bbox')
    expect(bucket).not.toHaveProperty('geometries')
    const extra = 'collect_field-wind-speed:collect_fct-max:fetch_hits-1(+id)'
    const [plain] = await features(`geohash:place:interval-1:${extra}`)
    const [fetched] = await features(`geohash:place:interval-1:${extra}:fetch_geometry-bbox`)
    const { geometry_type: _, ...others } = plain?.properties ?? {}
    expect(fetched?.properties).toEqual({ ...others, geometry_ref: 'bbox' })
    const [document] = await features(`geohash:place:interval-1:${extra}:fetch_geometry-first`)
    expect(document?.properties).toEqual({ ...others, geometry_ref: 'shape' })
    const [inTile] = await features('geotile:place:interval-1:fetch_geometry')
    expect(inTile?.properties).toEqual({
      count: 6,
      tile: '1/1/0',
      feature_type: 'aggregation',
      geometry_ref: 'cell_center',
    })
  })

  test('flat answers keep the geometry beside the map', async () => {
    const flat = { flat: 'true' }
    const aggs = ['term:kind:size-1:fetch_geometry-first', 'term:id:size-1:fetch_geometry']
    const { elements } = (await must(server.base, { path: path('_aggregate', aggs, flat) })) as { elements: Bucket[] }
    expect(elements[0]).toMatchObject({ geometry: at(2), flattened_elements: { count: 6 } })
    expect(JSON.stringify(elements[0])).toContain('"0_0_key":"a"')
    const answer = await must(server.base, { path: path('_geoaggregate', aggs, flat) })
    expect(answer).toMatchObject({ features: [{ geometry: at(2), properties: { '0_0_key': 'a' } }] })
  })

  test('shapefiles hold the buckets with a geometry', async () => {
    const files = async (agg: string): Promise<readonly string[]> => [
      ...filesInZip((await call(server.base, { path: path('_shapeaggregate', [agg]) })).bytes).keys(),
    ]
    expect(await files('term:kind:include-z:fetch_geometry-first')).toEqual(['README.txt'])
    const bytes = (await call(server.base, { path: path('_shapeaggregate', ['term:kind:fetch_geometry-first']) })).bytes
    const table = filesInZip(bytes).get('winds_points.dbf')
    expect(table?.readUInt32LE(4)).toBe(2)
  })

  test('vector tiles draw their cells all the same', async () => {
    const tile = async (agg: string): Promise<string> =>
      (await call(server.base, { path: path('_mvt/1/1/0.mvt', [agg], { layers: 'cells' }) })).bytes.toString('hex')
    expect(await tile('geotile:place:fetch_geometry-last')).toBe(await tile('geotile:place'))
  })

  test.each(refusals)('%s is refused', async (agg, fetch_geometry, outcome, message) => {
    for (const operation of ['_aggregate', '_geoaggregate']) {
      const refused = await call(server.base, { path: path(operation, [agg]) })
      const { status, error, message: told } = refused.json() as { status: number; error: string; message: string }
      expect([`${status} ${error}`, told]).toEqual([outcome, expect.stringMatching(message)])
      const body = { aggregations: [{ type: 'term', field: 'kind', fetch_geometry }] }
      const posted = await call(server.base, { method: 'POST', path: `/explore/winds/${operation}`, body })
      expect(posted.json()).toMatchObject({ status, error, message: expect.stringMatching(message) })
    }
  })

  test.each([
    'term:kind:fetch_geometry:raw_geometries-shape',
    'term:kind:aggregated_geometries-bbox:fetch_geometry-bbox',
    'term:kind:fetch_geometry:fetch_geometry-first',
    'term:kind:fetch_geometry:first',
    'geotile:place:interval-3:fetch_geometry-geohash',
  ])('%s is refused too', async (agg) => {
    const answer = await call(server.base, { path: path('_aggregate', [agg]) })
    expect(answer.json()).toMatchObject({ status: 400, error: 'INVALID_AGGREGATION' })
  })

  test.each([{ aggregated_geometries: ['bbox'] }, { raw_geometries: [{ geometry: 'shape' }] }])(
    'a body with %j beside fetch_geometry is refused',
    async (beside) => {
      const body = { aggregations: [{ type: 'term', field: 'kind', fetch_geometry: { strategy: 'first' }, ...beside }] }
      const answer = await call(server.base, { method: 'POST', path: '/explore/winds/_aggregate', body })
      const [other = ''] = Object.keys(beside)
      expect(answer.json()).toMatchObject({ status: 400, message: expect.stringContaining(`together with ${other}`) })
    },
  )

  test('a field that the caller may not see is not sorted by', async () => {
    const ask = async (columns: string): Promise<unknown> => {
      const headers = { 'column-filter': columns }
      return (
        await call(server.base, { path: path('_aggregate', ['term:kind:fetch_geometry-wind-speed-first']), headers })
      ).json()
    }
    expect(await ask('kind')).toMatchObject({ status: 403, error: 'COLUMN_NOT_AVAILABLE' })
    expect(await ask('kind,wind-speed')).toMatchObject({ totalnb: 8 })
  })
})
