import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { greatCircle } from '../../src/geo/distance.ts'
import { type Hits, idsOf } from '../conformance/hits.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import type { Answer } from '../support/http-client.ts'
import { withQuery } from '../support/http-client.ts'
import { type AggregatedDocument, place } from './oracle/aggregated-documents.ts'
import { type Asked, type GridType, writeBody, writeText } from './oracle/aggregation-request.ts'
import { documentsApartFromCells } from './oracle/collected-shapes.ts'
import { cellName, cellOfPoint } from './oracle/grids.ts'
import { anyTree } from './oracle/random-aggregations.ts'
import { loadRandom, tryWithin } from './random-index.ts'
import { startTwoServers, type TwoServers } from './two-servers.ts'

const step: fc.Arbitrary<readonly [GridType, number]> = fc.oneof(
  fc.tuple(fc.constant('geohash' as const), fc.integer({ min: 1, max: 3 })),
  fc.tuple(fc.constant('geotile' as const), fc.integer({ min: 0, max: 7 })),
)

/** A grid of shapes, with or without what makes a cluster read the documents. */
const shapeGrid: fc.Arbitrary<Asked> = fc
  .record({
    grid: step,
    centroid: fc.boolean(),
    aggregated: fc.uniqueArray(fc.constantFrom('bbox', 'cell', 'cell_center'), { maxLength: 2 }),
    size: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    hits: fc.option(fc.constant({ size: 2, include: ['-n', 'area'] }), { nil: undefined }),
  })
  .map(({ grid: [type, value], centroid, aggregated, size, hits }) => ({
    type,
    field: 'area',
    interval: { value },
    couples: [{ fct: 'geobbox' }, { fct: 'max', field: 'n' }, ...(centroid ? [{ fct: 'geocentroid' } as const] : [])],
    aggregated,
    raw: [],
    ...(size === undefined ? {} : { size }),
    ...(hits === undefined ? {} : { hits }),
  }))

const inner = anyTree.map((levels) => levels.slice(0, 1).filter(({ type }) => type !== 'geotile' && type !== 'geohash'))

describe('a cluster places documents as the embedded engine does', () => {
  let servers: TwoServers
  let explore: string
  let documents: ReadonlyMap<string, AggregatedDocument>
  beforeAll(async () => {
    servers = await startTwoServers(clusterUrl, async ({ base }, name) => {
      const made = await loadRandom(documentsApartFromCells, base, name, 200)
      documents = new Map(made.map((document) => [document.id, document]))
    })
    explore = `/explore/${servers.name}`
  })
  afterAll(() => servers?.stop())

  test('shapes in cells', async () => {
    await tryWithin(
      fc.tuple(shapeGrid, inner),
      async ([grid, levels]) => {
        const body = { aggregations: [grid, ...levels].map(writeBody) }
        await servers.ask({ method: 'POST', path: `${explore}/_aggregate`, body })
      },
      100,
      8_000,
    )
  })

  test('shapes in the cells of a tile or a geohash', async () => {
    await tryWithin(
      fc.tuple(shapeGrid, place, step),
      async ([grid, where, [type, level]]) => {
        const cell = cellName(cellOfPoint(type, level, where))
        const zoom = level + ((grid.interval?.value ?? 0) % 4)
        const located = grid.type === 'geotile' && type === 'geotile' ? { ...grid, interval: { value: zoom } } : grid
        await servers.ask({ path: withQuery(`${explore}/_geoaggregate/${cell}`, [['agg', writeText(located)]]) })
      },
      100,
      6_000,
    )
  })

  /** The distance that sorts a document: of several points the nearest ascending, the farthest descending. */
  function distancesOf(answer: Answer, lon: number, lat: number, descending: boolean): readonly number[] {
    return idsOf(answer.json() as Hits).map((id) => {
      const distances = documents.get(id ?? '')?.where.map(([x, y]) => greatCircle(x, y, lon, lat)) ?? []
      if (distances.length === 0) return Number.POSITIVE_INFINITY
      return descending ? Math.max(...distances) : Math.min(...distances)
    })
  }

  test('documents by distance, nearer than 0.1 m in any order', async () => {
    const question = fc.tuple(place, fc.constantFrom('', '-'), fc.nat(50), fc.integer({ min: 1, max: 200 }))
    await tryWithin(
      question,
      async ([[lon, lat], sign, from, size]) => {
        const path = withQuery(`${explore}/_search`, [
          ['sort', `${sign}geodistance:${lat} ${lon}`],
          ['from', from],
          ['size', size],
        ])
        const answers = await servers.ask({ path }, (answer) => (answer as Hits).totalnb)
        const wanted = distancesOf(answers.embedded, lon, lat, sign === '-')
        const given = distancesOf(answers.cluster, lon, lat, sign === '-')
        expect(given.length).toBe(wanted.length)
        const apart = wanted.filter((distance, i) => Math.abs((given[i] ?? 0) - distance) > 0.1)
        expect(apart, path).toEqual([])
      },
      60,
      5_000,
    )
  })
})
