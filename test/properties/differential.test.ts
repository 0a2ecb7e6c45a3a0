import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hits, Link } from '../conformance/hits.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import { withQuery } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { seed } from '../support/seed.ts'
import { place } from './oracle/aggregated-documents.ts'
import { type Asked, isGrid, writeBody, writeText } from './oracle/aggregation-request.ts'
import { type AreaClause, apartClause } from './oracle/apart-areas.ts'
import { scalarClause } from './oracle/clauses.ts'
import { documentsForClusters } from './oracle/collected-shapes.ts'
import { collection, idOf, integer } from './oracle/documents.ts'
import { fullText } from './oracle/full-text.ts'
import { cellName, cellOfPoint, type SquareCell } from './oracle/grids.ts'
import { anyTree } from './oracle/random-aggregations.ts'
import { loadRandom, tryWithin } from './random-index.ts'
import { startTwoServers, type TwoServers } from './two-servers.ts'

interface Filter {
  readonly f: readonly (readonly AreaClause[])[]
  readonly q: readonly (readonly string[])[]
}

const clause: fc.Arbitrary<AreaClause> = fc
  .oneof({ weight: 2, arbitrary: scalarClause }, { weight: 1, arbitrary: apartClause })
  .map(({ field, op, value }) => ({ field, op, value }))

const filter: fc.Arbitrary<Filter> = fc.record({
  f: fc.array(fc.array(clause, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  q: fc.array(
    fc.array(
      fullText.map(({ text }) => text),
      { minLength: 1, maxLength: 2 },
    ),
    { maxLength: 1 },
  ),
})
const fewFilters = fc.oneof({ weight: 1, arbitrary: fc.constant({ f: [], q: [] }) }, { weight: 1, arbitrary: filter })

const sortItem = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('kw', 'deep.kw', 'n', 'x', 'big', 'half', 'flag', 'ip', 'seen', 'day', 'at'),
  )
  .map((parts) => parts.join(''))
const sort = fc
  .tuple(fc.uniqueArray(sortItem, { maxLength: 3, selector: (i) => i.replace('-', '') }), fc.constantFrom('id', '-id'))
  .map(([items, id]) => [...items, id].join(','))

/** A point nearer than the cluster's rounding to a row of tiles may be counted in the next one: small tiles are full of such. */
const MOST_ZOOM = 14

/** What touches a side of a cell may be counted in it by a cluster, and the boxes of the documents often do. */
const isComparable = ({ type, field }: Asked): boolean => field !== 'area' || type === 'geohex'

const coarser = (asked: Asked): Asked =>
  asked.type === 'geotile' && asked.interval !== undefined
    ? { ...asked, interval: { value: Math.min(asked.interval.value, MOST_ZOOM) } }
    : asked

const trees = anyTree.filter((levels) => levels.every(isComparable)).map((levels) => levels.map(coarser))

const isGeographic = ([main]: readonly Asked[]): boolean =>
  main !== undefined && (isGrid(main.type) || main.aggregated.length + main.raw.length > 0)

const layouts = [
  {
    layout: 'one index',
    load: ({ base }: RunningServer, name: string) => loadRandom(documentsForClusters, base, name, 250),
  },
  { layout: 'two indices, one of which lacks a field', load: loadHalves },
]

/** The mapping of the second index lacks `half`, though its documents have it. */
async function loadHalves({ base }: RunningServer, name: string): Promise<void> {
  const { make, mapping } = documentsForClusters
  const [made = []] = fc.sample(make(250), { seed, numRuns: 1 })
  const lines = made.map((d) => `${JSON.stringify({ index: { _id: d.id } })}\n${JSON.stringify(d.wire)}\n`)
  const { half: _, ...properties } = mapping.properties
  await createIndex(base, `${name}_1`, mapping, lines.slice(0, 150).join(''))
  await createIndex(base, `${name}_2`, { ...mapping, properties }, lines.slice(150).join(''))
  await putCollection(base, name, { ...collection, index_name: `${name}_*` })
}

describe.each(layouts)('a cluster answers as the embedded engine does: $layout', ({ load }) => {
  let servers: TwoServers
  let explore: string
  beforeAll(async () => {
    servers = await startTwoServers(clusterUrl, load)
    explore = `/explore/${servers.name}`
  })
  afterAll(() => servers?.stop())

  const post = (operation: string, body: unknown) =>
    servers.ask({ method: 'POST', path: `${explore}/${operation}`, body })

  test('counts', async () => {
    await tryWithin(filter, async (asked) => void (await post('_count', { filter: asked })), 250, 6_000)
  })

  test('pages, forwards and backwards', async () => {
    const question = fc.record({ asked: fewFilters, order: sort, size: fc.integer({ min: 1, max: 40 }) })
    await tryWithin(
      question,
      async ({ asked, order, size }) => {
        let { embedded } = await post('_search', { filter: asked, page: { sort: order, size } })
        for (const direction of ['next', 'next', 'previous', 'previous'] as const) {
          const link: Link | undefined = (embedded.json() as Hits).links[direction]
          if (link === undefined) break
          const path = new URL(link.href)
          const next = await servers.ask({ method: link.method, path: path.pathname + path.search, body: link.body })
          embedded = next.embedded
        }
      },
      100,
      6_000,
    )
  })

  test('features of tiles and documents by their id', async () => {
    const tile = fc.tuple(place, fc.integer({ min: 0, max: 10 }), fc.constantFrom('_geosearch', '_search'))
    await tryWithin(
      tile,
      async ([where, zoom, operation]) => {
        const name = cellName(cellOfPoint('geotile', zoom, where))
        await servers.ask({ path: `${explore}/_geosearch/${name}?size=50` })
        await servers.ask({ path: `${explore}/${operation}?size=30&from=${zoom}&flat=true` })
        await servers.ask({ path: `${explore}/${encodeURIComponent(idOf(zoom * 40))}` })
      },
      30,
      3_000,
    )
  })

  test('aggregations', async () => {
    const question = fc.record({ levels: trees, asked: fewFilters, flat: fc.boolean() })
    await tryWithin(
      question,
      async ({ levels, asked, flat }) => {
        const body = { aggregations: levels.map(writeBody), filter: asked, form: { flat } }
        await post('_aggregate', body)
        if (isGeographic(levels)) await post('_geoaggregate', body)
      },
      150,
      12_000,
    )
  })

  test('aggregations of tiles and geohashes', async () => {
    const question = fc
      .record({
        levels: trees.filter(isGeographic),
        where: place,
        grid: fc.constantFrom('geotile' as const, 'geohash' as const),
        level: fc.integer({ min: 0, max: 8 }),
        turn: fc.nat(7),
      })
      .map(({ levels, where, grid, level, turn }) => {
        const cell = cellOfPoint(grid, grid === 'geohash' ? (level % 4) + 1 : level, where) as SquareCell
        const located = levels.map((l) => {
          const value = l.interval?.value ?? 0
          return l.type === 'geotile' && grid === 'geotile' ? { ...l, interval: { value: level + (value % 7) } } : l
        })
        return { cell, aggs: located.map((l) => ['agg', writeText(l, turn)] as const) }
      })
    await tryWithin(
      question,
      async ({ cell, aggs }) => {
        await servers.ask({ path: withQuery(`${explore}/_geoaggregate/${cellName(cell)}`, aggs) })
      },
      100,
      6_000,
    )
  })

  test('figures', async () => {
    const computation = fc.oneof(
      fc.record({
        field: fc.constantFrom('n', 'big', 'x', 'half', 'seen', 'day', 'at', 'nowhere'),
        metric: fc.constantFrom('AVG', 'MAX', 'MIN', 'SUM', 'SPANNING'),
      }),
      fc.record({
        field: fc.constantFrom('kw', 'deep.kw', 'ip', 'flag', 'n', 'big', 'x', 'half', 'seen', 'day', 'id', 'nowhere'),
        metric: fc.constant('CARDINALITY'),
      }),
      fc.record({
        field: fc.constantFrom('where', 'spot', 'area'),
        metric: fc.constantFrom('GEOBBOX', 'GEOCENTROID'),
      }),
    )
    const law = async ([computed, asked]: readonly [object, Filter]): Promise<void> => {
      await post('_compute', { ...computed, filter: asked })
    }
    await tryWithin(fc.tuple(computation, fewFilters), law, 120, 3_000)
  })

  test('suggestions', async () => {
    const question = fc.record({
      field: fc.constantFrom('kw', 'deep.kw', 'text', 'id', '_all', 'nowhere'),
      q: fc.constantFrom(
        '',
        'a',
        'A',
        'ab',
        'al',
        'ALP',
        'é',
        'b',
        '1',
        '東',
        'x_',
        'd',
        ',',
        '\\',
        '"',
        '*',
        '.',
        ' a',
      ),
      size: fc.integer({ min: 1, max: 50 }),
      from: fc.nat(5),
      n: fc.option(integer, { nil: undefined }),
    })
    await tryWithin(
      question,
      async ({ field, q, size, from, n }) => {
        const parameters: [string, string | number][] = [
          ['field', field],
          ['size', size],
          ['from', from],
          ...(q === '' ? [] : [['q', q] as [string, string]]),
          ...(n === undefined ? [] : [['f', `n:gte:${n}`] as [string, string]]),
        ]
        await servers.ask({ path: withQuery(`${explore}/_suggest`, parameters) })
      },
      120,
      3_000,
    )
  })

  test('what a collection is', async () => {
    const fieldsOf = (answer: unknown): unknown => (answer as { readonly properties: unknown }).properties
    const { embedded } = await servers.ask({ path: `${explore}/_describe` }, fieldsOf)
    expect(fieldsOf(embedded.json())).toHaveProperty('deep')
  })
})
