import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import type { RunningServer } from '../support/running-server.ts'
import { asker, type Bucket, type Feature, sumOfCounts } from './buckets.ts'
import { documentsToAggregateFor } from './documents-for.ts'
import { featuresOf, flatLevel } from './oracle/bucket-forms.ts'
import type { EdgeDocument } from './oracle/edge-places.ts'
import type { Position } from './oracle/geometry.ts'
import { cellName, cellOfPoint } from './oracle/grids.ts'
import { differences, roughly } from './oracle/matchers.ts'
import { loadEdgePlaces, loadRandom, tryWithin } from './random-index.ts'

const metricParts = ['avg', 'sum', 'min', 'max', 'cardinality'].map((f) => `collect_field-weight:collect_fct-${f}`)
const metrics = metricParts.join(':')

const counts = (list: readonly Bucket[]): Map<string, number> => new Map(list.map((b) => [b.key_as_string, b.count]))
/** Counts of several lists of features added up by one of their properties. */
function added(lists: readonly (readonly Feature[])[], property: string): Map<unknown, number> {
  const out = new Map<unknown, number>()
  for (const { properties } of lists.flat()) {
    const key = properties[property]
    out.set(key, (out.get(key) ?? 0) + properties.count)
  }
  return new Map([...out].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

/** A whole term as an include pattern: everything that could mean something escaped. */
const asPattern = (term: string): string => term.replace(/[!-/:-@[-`{-~]/g, '\\$&')

describeEach(engines)('laws of aggregations on the $name engine', (engine) => {
  let server: RunningServer
  let places: readonly EdgeDocument[]
  beforeAll(async () => {
    server = await engine.start()
    await loadRandom(documentsToAggregateFor(engine), server.base, 'several', 200)
    places = await loadEdgePlaces(server.base, 'edges', 300)
  })
  afterAll(() => server?.stop())

  const edges = asker(() => server.base, 'edges')
  const several = asker(() => server.base, 'several')
  const having = (field: keyof EdgeDocument): number => places.filter((d) => d[field] !== undefined).length
  const located = () => fc.constantFrom(...places.flatMap((d) => (d.where === undefined ? [] : [d.where])))

  test.each([
    ['term:label:size-3', 'label'],
    ['term:rank', 'rank'],
    ['term:weight:size-1', 'weight'],
    ['term:seen:size-7:order-asc:on-field', 'seen'],
    ['histogram:rank:interval-7', 'rank'],
    ['histogram:weight:interval-0.3', 'weight'],
    ['datehistogram:seen:interval-1week', 'seen'],
    ['datehistogram:seen:interval-5hour', 'seen'],
    ['geohash:where:interval-3', 'where'],
    ['geotile:where:interval-9', 'where'],
    ['geohex:where:interval-2', 'where'],
  ] as const)('%s: buckets and what was cut make up the documents with a value', async (agg, field) => {
    const answer = await edges.aggregate([agg])
    expect(answer.totalnb).toBe(places.length)
    expect(sumOfCounts(answer.elements) + (answer.sumotherdoccounts ?? 0)).toBe(having(field))
  })

  test('a smaller size keeps the beginning and adds up the rest', async () => {
    const field = fc.constantFrom('kw', 'deep.kw', 'n', 'x', 'seen', 'ip', 'flag')
    const order = fc.constantFrom('', ':order-asc:on-count', ':order-desc:on-field', ':order-asc:on-field')
    const asked = fc.tuple(field, order, fc.integer({ min: 1, max: 30 }))
    const law = async ([f, o, size]: readonly [string, string, number]): Promise<void> => {
      const whole = await several.aggregate([`term:${f}:size-1000${o}`])
      const part = await several.aggregate([`term:${f}:size-${size}${o}`])
      expect(part.elements).toEqual(whole.elements.slice(0, size))
      expect(part.sumotherdoccounts).toBe(sumOfCounts(whole.elements.slice(size)))
    }
    await tryWithin(asked, law, 25, 5_000)
  })

  test('the children of a cell add up to it, for tiles and geohashes', async () => {
    const tileParent = (name: string): string => {
      const [z = 0, x = 0, y = 0] = name.split('/').map(Number)
      return `${z - 1}/${Math.floor(x / 2)}/${Math.floor(y / 2)}`
    }
    const grids = [
      ['geotile', tileParent, [0, 1, 2, 5, 11, 20, 28]],
      ['geohash', (name: string) => name.slice(0, -1), [1, 2, 3, 7, 11]],
    ] as const
    for (const [grid, parentOf, levels] of grids) {
      for (const level of levels) {
        const parents = await edges.aggregate([`${grid}:where:interval-${level}`])
        const children = await edges.aggregate([`${grid}:where:interval-${level + 1}`])
        const sums = new Map<string, number>()
        for (const b of children.elements) {
          const name = parentOf(b.key_as_string)
          sums.set(name, (sums.get(name) ?? 0) + b.count)
        }
        const sorted = (m: Map<string, number>) => [...m].sort(([a], [b]) => (a < b ? -1 : 1))
        expect(sorted(sums), `${grid} ${level}`).toEqual(sorted(counts(parents.elements)))
      }
    }
  })

  test('the four child tiles answer together what the tile answers', async () => {
    const asked = fc.tuple(located(), fc.integer({ min: 0, max: 27 }), fc.nat(5))
    const law = async ([where, z, deeper]: readonly [Position, number, number]): Promise<void> => {
      const { x, y } = cellOfPoint('geotile', z, where) as { readonly x: number; readonly y: number }
      const level = Math.min(z + 1 + deeper, 29)
      const children = [0, 1, 2, 3].map((i) => `/${z + 1}/${2 * x + (i % 2)}/${2 * y + Math.floor(i / 2)}`)
      const asks = [
        [`geotile:where:interval-${level}`, 'tile'],
        ['geohash:where:interval-4', 'geohash'],
        ['geohex:where:interval-3', 'geohex'],
        ['term:label:size-100:aggregated_geometries-centroid', 'key'],
      ] as const
      for (const [agg, property] of asks) {
        const whole = await edges.features(`/${z}/${x}/${y}`, [agg])
        const parts = await Promise.all(children.map((c) => edges.features(c, [agg])))
        expect(added(parts, property), `${agg} in ${z}/${x}/${y}`).toEqual(added([whole], property))
        // a place nearer than a cluster's rounding to a side may be in the next tile
        if (property !== 'key' && engine.exactBorders)
          expect(sumOfCounts(whole.map((f) => f.properties))).toBeGreaterThan(0)
      }
    }
    await tryWithin(asked, law, 25, 8_000)
  })

  test('the tiles of one zoom hold every place once, the poles and the antimeridian too', async () => {
    const tiles = Array.from({ length: 16 }, (_, i) => `/2/${i % 4}/${Math.floor(i / 4)}`)
    const answers = await Promise.all(tiles.map((t) => edges.features(t, ['geotile:where:interval-2'])))
    expect(sumOfCounts(answers.flat().map((f) => f.properties))).toBe(having('where'))
    const hashes = [...'0123456789bcdefghjkmnpqrstuvwxyz'].map((c) => `/${c}`)
    const cells = await Promise.all(hashes.map((h) => edges.features(h, [])))
    expect(sumOfCounts(cells.flat().map((f) => f.properties))).toBe(having('where'))
  })

  test('the 32 children of a geohash answer together what it answers', async () => {
    const asked = fc.tuple(located(), fc.integer({ min: 1, max: 11 }))
    const law = async ([where, length]: readonly [Position, number]): Promise<void> => {
      const hash = cellName(cellOfPoint('geohash', length, where))
      const children = [...'0123456789bcdefghjkmnpqrstuvwxyz'].map((c) => `/${hash}${c}`)
      const agg = `geohash:where:interval-${Math.min(length + 1, 12)}`
      const parts = await Promise.all(children.map((c) => edges.features(c, [agg])))
      expect(added(parts, 'geohash')).toEqual(added([await edges.features(`/${hash}`, [agg])], 'geohash'))
    }
    await tryWithin(asked, law, 6, 5_000)
  })

  test.each([
    ['term:label', (b: Bucket) => `label:eq:${String(b.key).replaceAll(',', '\\,')}`],
    ['term:rank', (b: Bucket) => `rank:eq:${b.key}`],
    ['term:seen', (b: Bucket) => `seen:range:[${b.key}<${b.key}]`],
    ['histogram:rank:interval-7', (b: Bucket) => `rank:range:[${b.key}<${Number(b.key) + 7}[`],
    ['datehistogram:seen:interval-3day', (b: Bucket) => `seen:range:[${b.key}<${Number(b.key) + 3 * 86_400_000}[`],
    ['datehistogram:seen:interval-1month', (b: Bucket) => `seen:range:[${b.key}<${b.key}||/M]`],
  ])('%s: a filter equal to the key of a bucket leaves that bucket alone', async (agg, filter) => {
    const asked = [`${agg}:${metrics}:aggregated_geometries-bbox,centroid`, 'term:all']
    const { elements } = await edges.aggregate(asked)
    for (const bucket of elements.filter((b) => b.count > 0).slice(0, 8)) {
      const alone = await edges.aggregate(asked, [['f', filter(bucket)]])
      expect(alone.totalnb).toBe(bucket.count)
      expect(differences(roughly([bucket]), alone.elements)).toEqual([])
    }
  })

  test('the tile or geohash of a bucket leaves that bucket alone', async () => {
    for (const [agg, property] of [
      [`geotile:where:interval-4:${metrics}`, 'tile'],
      [`geohash:where:interval-2:${metrics}`, 'geohash'],
    ] as const) {
      const all = await edges.features('', [agg])
      for (const feature of all.slice(0, 12)) {
        const name = String(feature.properties[property])
        const alone = await edges.features(`/${name}`, [agg])
        const properties = { ...feature.properties, [`parent_${property}`]: name }
        expect(differences(roughly([{ ...feature, properties }]), alone)).toEqual([])
      }
    }
  })

  test.each([
    [['geohash:where:interval-2:collect_field-x:collect_fct-avg:fetch_hits-2(-n,kw)', 'term:kw:size-2']],
    [['term:n:collect_fct-geobbox:aggregated_geometries-bbox', 'geotile:where:interval-2', 'histogram:n:interval-2']],
    [['datehistogram:interval-1year:collect_fct-geocentroid:raw_geometries-area(-n);where', 'term:deep.kw']],
  ])('%j: flat and features hold what the buckets hold', async (aggs) => {
    const { query_time, total_time, ...nested } = (await several.aggregate(aggs)) as never as Readonly<
      Record<'query_time' | 'total_time', number>
    > &
      Parameters<typeof flatLevel>[0]
    const flat = await several.aggregate(aggs, [['flat', true]])
    const expected = { query_time, total_time, ...(flatLevel(nested) as object) }
    expect(differences(expected, { ...flat, query_time, total_time })).toEqual([])
    const rawPaths = [['area', 'where']]
    for (const isFlat of [false, true]) {
      const features = await several.features('', aggs, [['flat', isFlat]])
      const wanted = featuresOf(nested, { flat: isFlat, rawPaths })
      expect(differences(wanted, { type: 'FeatureCollection', features }).slice(0, 5)).toEqual([])
    }
  })

  test('_compute agrees with the one bucket that holds everything', async () => {
    const world = [['f', 'where:within:-180,-90,180,90']] as const
    const functions = ['avg', 'sum', 'min', 'max', 'cardinality'] as const
    for (const field of ['n', 'x', 'big', 'half', 'seen', 'day', 'at']) {
      const parts = functions.map((f) => `collect_field-${field}:collect_fct-${f}`)
      const { elements } = await several.aggregate([`geotile:where:interval-0:${parts.join(':')}`])
      const values = (elements[0]?.metrics ?? []).map((m) => Number(m.value))
      for (const [i, metric] of functions.entries()) {
        const { value } = await several.compute(field, metric, world)
        expect(differences(roughly(values[i]), value), `${metric} of ${field}`).toEqual([])
      }
      const [, , min = 0, max = 0] = values
      expect((await several.compute(field, 'spanning', world)).value).toBe(max - min)
    }
    for (const field of ['where', 'spot', 'area']) {
      for (const metric of ['geobbox', 'geocentroid']) {
        const agg = `geotile:where:interval-0:collect_field-${field}:collect_fct-${metric}`
        const [bucket] = (await several.aggregate([agg])).elements
        const { geometry } = await several.compute(field, metric, world)
        const features = [{ type: 'Feature', properties: {}, geometry: roughly(geometry) }]
        expect(differences({ type: 'FeatureCollection', features }, bucket?.metrics?.[0]?.value)).toEqual([])
      }
    }
  })

  test('an include of one term gives the bucket it has among all', async () => {
    const parts = 'collect_field-n:collect_fct-sum:aggregated_geometries-bbox:fetch_hits-1(-seen)'
    const { elements } = await several.aggregate([`term:kw:size-1000:${parts}`])
    for (const bucket of elements.filter((b) => String(b.key).trim() === b.key)) {
      const one = await several.aggregate([`term:kw:${parts}:include-${asPattern(String(bucket.key))}`])
      expect(one.elements, String(bucket.key)).toEqual([bucket])
      expect(one.sumotherdoccounts).toBe(0)
    }
    const { elements: numbers } = await several.aggregate(['term:n:size-1000'])
    for (const bucket of numbers) {
      expect((await several.aggregate([`term:n:include-${bucket.key}`])).elements).toEqual([bucket])
    }
  })

  test('nested buckets hold what the same filter counts', async () => {
    const { elements } = await several.aggregate(['term:n:size-3', 'term:flag', 'histogram:n:interval-2'])
    for (const outer of elements) {
      for (const inner of outer.elements?.[0].elements ?? []) {
        const f = [`n:eq:${outer.key}`, `flag:eq:${inner.key_as_string}`]
        const alone = await several.aggregate(
          ['histogram:n:interval-2'],
          f.map((v) => ['f', v] as const),
        )
        expect(alone.totalnb).toBe(inner.count)
        expect(inner.elements?.[0].elements).toEqual(alone.elements)
      }
    }
  })
})
