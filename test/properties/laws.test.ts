import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { seed } from '../support/seed.ts'
import { plainDocumentsFor } from './documents-for.ts'
import { type Clause, scalarClause } from './oracle/clauses.ts'
import { apartGeoClause, geoClause } from './oracle/geo-clauses.ts'
import { countOf, loadRandom, tryWithin } from './random-index.ts'

const negations: Readonly<Record<string, string>> = {
  eq: 'ne',
  ne: 'eq',
  within: 'notwithin',
  notwithin: 'within',
  intersects: 'notintersects',
  notintersects: 'intersects',
}

const triplet = ({ field, op, value }: Clause) => ({ field, op, value })

/** Points with fractions all over the world, one per document. */
const scatter = fc.sample(
  fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true })),
  { seed, numRuns: 400 },
)

describeEach(engines)('laws of counting on the $name engine', (engine) => {
  let server: RunningServer
  const anyClause = fc.oneof(scalarClause, engine.exactBorders ? geoClause : apartGeoClause)
  let total: number
  beforeAll(async () => {
    server = await engine.start()
    total = (await loadRandom(plainDocumentsFor(engine), server.base, 'laws', 120)).length
    const lines = scatter.map((where, i) => `{"index":{}}\n${JSON.stringify({ id: `p${i}`, where })}\n`)
    const properties = { id: { type: 'keyword' }, where: { type: 'geo_point' }, seen: { type: 'date' } }
    await createIndex(server.base, 'points', { properties }, lines.join(''))
    const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'seen' }
    await putCollection(server.base, 'points', { index_name: 'points', ...paths })
  })
  afterAll(() => server?.stop())

  const count = (...f: readonly (readonly Clause[])[]): Promise<number> =>
    countOf(server.base, 'laws', { f: f.map((group) => group.map(triplet)) })
  const pointsIn = (value: string, righthand = true): Promise<number> =>
    countOf(server.base, 'points', { f: [[{ field: 'where', op: 'within', value }]], righthand })

  test('an operator and its negation divide the documents', async () => {
    const clause = anyClause.filter((c) => c.op in negations)
    await tryWithin(
      clause,
      async (c) => {
        const negated = { ...c, op: negations[c.op] ?? '' }
        expect((await count([c])) + (await count([negated]))).toBe(total)
      },
      80,
      15_000 * engine.share,
    )
  })

  test('or adds what and takes away', async () => {
    await tryWithin(
      fc.tuple(anyClause, anyClause),
      async ([a, b]) => {
        const [either, both] = [await count([a, b]), await count([a], [b])]
        expect(either + both).toBe((await count([a])) + (await count([b])))
        expect(await count([b], [a])).toBe(both)
        expect(await count([b, a, a])).toBe(either)
      },
      50,
      15_000 * engine.share,
    )
  })

  test('a box is the sum of its halves, and of its sides of the antimeridian', async () => {
    const longitude = fc.integer({ min: -179, max: 178 })
    const latitude = fc.integer({ min: -89, max: 88 })
    await tryWithin(
      fc.tuple(longitude, longitude, longitude, latitude, latitude),
      async ([a, b, c, d, e]) => {
        const [west, middle, east] = [a, b, c].map((x) => x + 0.123456789).sort((x, y) => x - y) as [
          number,
          number,
          number,
        ]
        const [south, north] = [Math.min(d, e), Math.max(d, e) + 0.5]
        const box = (w: number, o: number): Promise<number> => pointsIn(`${w},${south},${o},${north}`)
        if (west !== middle && middle !== east) {
          expect((await box(west, middle)) + (await box(middle, east))).toBe(await box(west, east))
        }
        if (west !== east) expect(await box(east, west)).toBe((await box(east, 180)) + (await box(-180, west)))
      },
      50,
      15_000 * engine.share,
    )
  })

  test('a polygon means the same one turn further, and wound the other way with righthand=false', async () => {
    const corner = fc.tuple(fc.integer({ min: -170, max: 170 }), fc.integer({ min: -80, max: 80 }))
    const size = fc.integer({ min: 1, max: 60 })
    await tryWithin(
      fc.tuple(corner, size, size),
      async ([[x, y], w, h]) => {
        const [east, north] = [x + w + 0.5, Math.min(y + h, 90) + (y + h < 90 ? 0.5 : 0)]
        const ring = (shift: number): readonly (readonly [number, number])[] => [
          [x + shift, y],
          [east + shift, y],
          [east + shift, north],
          [x + shift, north],
          [x + shift, y],
        ]
        const polygon = (points: readonly (readonly [number, number])[]): string =>
          `POLYGON((${points.map((p) => p.join(' ')).join(',')}))`
        const here = await pointsIn(polygon(ring(0)))
        expect(await pointsIn(polygon(ring(0).toReversed()), false)).toBe(here)
        const shift = x < 0 ? 360 : -360
        const turned = ring(shift)
        if (turned.every(([lon]) => Math.abs(lon) <= 360)) expect(await pointsIn(polygon(turned))).toBe(here)
        const box = east <= 180 ? `${x},${y},${east},${north}` : `${x},${y},${east - 360},${north}`
        expect(await pointsIn(box)).toBe(here)
      },
      50,
      15_000 * engine.share,
    )
  })

  test('the four children of a tile hold what the tile holds', async () => {
    const features = async (z: number, x: number, y: number): Promise<number> => {
      const path = `/explore/points/_geosearch/${z}/${x}/${y}?size=1000&include=id`
      return ((await must(server.base, { path })) as { readonly features: readonly unknown[] }).features.length
    }
    const tile = fc
      .integer({ min: 0, max: 6 })
      .chain((z) => fc.tuple(fc.constant(z), fc.nat(2 ** z - 1), fc.nat(2 ** z - 1)))
    await tryWithin(
      tile,
      async ([z, x, y]) => {
        const children = [0, 1, 2, 3].map((i) => features(z + 1, 2 * x + (i % 2), 2 * y + Math.floor(i / 2)))
        const sum = (await Promise.all(children)).reduce((s, n) => s + n, 0)
        expect(sum).toBe(await features(z, x, y))
      },
      40,
      15_000 * engine.share,
    )
  })
})
