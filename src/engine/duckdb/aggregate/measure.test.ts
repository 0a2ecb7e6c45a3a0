import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { type LoadedEngine, listOf, loadEngine, storageStates } from '../storage-states.fixture.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    job: { type: 'keyword' },
    tags: { type: 'keyword' },
    long: { type: 'long' },
    longs: { type: 'long' },
    small: { type: 'byte' },
    floats: { type: 'float' },
    double: { type: 'double' },
    doubles: { type: 'double' },
    seen: { type: 'date' },
    yes: { type: 'boolean' },
    address: { type: 'ip' },
    addresses: { type: 'ip' },
    point: { type: 'geo_point' },
    points: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
    never: { type: 'long' },
  },
}

const HUGE = 9_007_199_254_740_993n

/**
 * Every field is missing in some documents. Fields with a plural name have several values in some documents, `longs`
 * only in the second half.
 */
const documents: readonly JsonObject[] = Array.from({ length: 200 }, (_, i): JsonObject => {
  const x = ((i * 37) % 360) - 180 + (i % 4) / 4
  const y = ((i * 29) % 160) - 80 + 0.5
  return {
    id: `id-${i}`,
    job: i % 5 === 0 ? null : `job ${i % 7}`,
    tags: i % 3 === 0 ? [`t${i % 11}`, `t${i % 4}`, `t${i % 11}`] : [`t${i % 11}`],
    // Beyond 2^53 as text, because JSON numbers would lose precision.
    long: i % 4 === 0 ? null : String(i % 2 === 0 ? HUGE + BigInt(i) : -HUGE * 3n + BigInt(i)),
    longs: i > 150 && i % 10 === 0 ? [i, -i, i * 1000] : i,
    small: (i % 256) - 128,
    floats: i % 6 === 0 ? [0.1, i / 3] : i % 6 === 1 ? [] : 0.1,
    double: i === 0 ? -0 : Math.sin(i) * 1e6,
    doubles: i % 2 === 0 ? [i / 7, null, -i / 7] : null,
    seen: i % 8 === 0 ? null : 1_600_000_000_000 + i * 86_400_001,
    yes: i % 9 === 0 ? null : i % 2 === 0,
    address: i % 2 === 0 ? `10.0.${i % 3}.1` : `::ffff:10.0.${i % 3}.1`,
    addresses: i % 20 === 0 ? ['::1', `10.0.0.${i}`] : '::1',
    point: i % 7 === 0 ? null : { lon: x, lat: y },
    points:
      i % 10 === 0
        ? [
            { lon: x, lat: y },
            { lon: -x, lat: -y },
          ]
        : { lon: x / 2, lat: y / 2 },
    shape:
      i % 3 === 0
        ? null
        : {
            type: 'LineString',
            coordinates: [
              [x / 2, y],
              [x / 2 + 4, y - 2],
            ],
          },
  }
})

/** Lacks most fields, and has one with another type. */
const other: readonly JsonObject[] = Array.from({ length: 20 }, (_, i) => ({
  job: `job ${i}`,
  longs: [i, 5000],
  id: i,
}))
const otherMapping: Mapping = {
  dynamic: false,
  properties: { job: { type: 'keyword' }, longs: { type: 'long' }, id: { type: 'long' } },
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const mean = (values: readonly number[]): number | null => (values.length > 0 ? sum(values) / values.length : null)

/** Computes the expected result. Integers are summed as bigints. */
function figure(kind: MetricPlan['kind'], values: readonly (number | bigint)[]): MetricValue {
  const numbers = values.map(Number)
  const total = values.every((v) => typeof v === 'bigint') ? Number(values.reduce((a, b) => a + b, 0n)) : sum(numbers)
  switch (kind) {
    case 'sum':
      return total
    case 'avg':
      return numbers.length > 0 ? total / numbers.length : null
    case 'min':
      return numbers.length > 0 ? Math.min(...numbers) : null
    case 'max':
      return numbers.length > 0 ? Math.max(...numbers) : null
    default:
      throw new Error(kind)
  }
}

function box(points: readonly (readonly [number, number])[]): MetricValue {
  if (points.length === 0) return null
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) }
}

const readers: Readonly<Record<string, (value: unknown) => number | bigint>> = {
  long: (v) => BigInt(v as string),
  longs: (v) => BigInt(v as number),
  never: (v) => BigInt(v as number),
  small: (v) => BigInt(v as number),
  seen: (v) => BigInt(v as number),
  floats: (v) => Math.fround(v as number),
  double: (v) => (v as number) + 0,
  doubles: (v) => v as number,
}

const positionOf = (point: unknown): readonly [number, number] => {
  const { lon, lat } = point as { lon: number; lat: number }
  // Stored values have no negative zero.
  return [lon + 0, lat + 0]
}

describe.each(storageStates)('measuring documents %s', (state) => {
  let loaded: LoadedEngine

  beforeAll(async () => {
    loaded = await loadEngine(state, [
      { name: 'a', mapping, documents },
      { name: 'b', mapping: otherMapping, documents: other },
    ])
  })
  afterAll(() => loaded.close())

  const measure = async (
    kind: MetricPlan['kind'],
    path: string,
    predicate: Predicate = everything,
    indices: readonly string[] = ['a'],
  ): Promise<{ total: number; value: MetricValue }> => {
    const { total, values } = await loaded.engine.measure({
      indices,
      predicate,
      metrics: [{ kind, field: loaded.field(path) }],
    })
    return { total, value: values[0] ?? null }
  }

  const selections: readonly [string, () => Predicate, (document: JsonObject) => boolean][] = [
    ['everything', () => everything, () => true],
    [
      'a term',
      () => ({ kind: 'equals', field: loaded.field('job'), values: ['job 3', 'job 4'] }),
      ({ job }) => job === 'job 3' || job === 'job 4',
    ],
    [
      'an identifier',
      () => ({ kind: 'equals', field: loaded.field('id'), values: ['id-180'] }),
      (d) => d.id === 'id-180',
    ],
    [
      'a box over several ranges of keys',
      () => ({
        kind: 'geo',
        field: loaded.field('point'),
        relation: 'within',
        area: { boxes: [{ west: -30, south: -40, east: 60, north: 50 }], polygons: [], lines: [], points: [] },
      }),
      ({ point }) =>
        listOf(point)
          .map(positionOf)
          .some(([x, y]) => x >= -30 && x <= 60 && y >= -40 && y <= 50),
    ],
    ['nothing', () => ({ kind: 'nothing' }), () => false],
  ]

  describe.each(selections)('of %s', (_name, predicate, selects) => {
    const chosen = documents.filter(selects)

    it.each(Object.keys(readers))('adds up %s', async (path) => {
      const read = readers[path] ?? Number
      const values = chosen.flatMap((d) => listOf(d[path]).map(read))
      for (const kind of ['sum', 'avg', 'min', 'max'] as const) {
        const { total, value } = await measure(kind, path, predicate())
        const expected = figure(kind, values)
        expect(total).toBe(chosen.length)
        if (kind === 'min' || kind === 'max' || typeof values[0] === 'bigint') expect(value).toBe(expected)
        else if (expected === null) expect(value).toBeNull()
        else
          expect(Math.abs((value as number) - (expected as number))).toBeLessThanOrEqual(
            1e-9 * Math.abs(expected as number) + 1e-9,
          )
      }
    })

    it.each(['job', 'tags', 'id', 'long', 'longs', 'small', 'floats', 'double', 'doubles', 'seen', 'yes', 'never'])(
      'counts the values of %s',
      async (path) => {
        const values = new Set(chosen.flatMap((d) => listOf(d[path]).map((v) => (v === 0 ? 0 : v))))
        expect(await measure('cardinality', path, predicate())).toEqual({ total: chosen.length, value: values.size })
      },
    )

    it('counts addresses however they are written', async () => {
      const values = new Set(chosen.map((d) => String(d.address).replace('::ffff:', '')))
      expect((await measure('cardinality', 'address', predicate())).value).toBe(values.size)
      const several = new Set(chosen.flatMap((d) => listOf(d.addresses)))
      expect((await measure('cardinality', 'addresses', predicate())).value).toBe(several.size)
    })

    it.each(['point', 'points'])('frames and centres %s', async (path) => {
      const points = chosen.flatMap((d) => listOf(d[path]).map(positionOf))
      expect((await measure('bounds', path, predicate())).value).toEqual(box(points))
      const [lon, lat] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
      const centroid = (await measure('centroid', path, predicate())).value
      if (lon === null || lat === null) expect(centroid).toBeNull()
      else expect(centroid).toEqual([expect.closeTo(lon, 9), expect.closeTo(lat, 9)])
    })

    it('frames shapes by their envelopes, and centres their centroids', async () => {
      const lines = chosen.flatMap((d) => listOf(d.shape) as { coordinates: [number, number][] }[])
      expect((await measure('bounds', 'shape', predicate())).value).toEqual(box(lines.flatMap((l) => l.coordinates)))
      const centre = (axis: 0 | 1): number | null =>
        mean(lines.map(({ coordinates: [from, to] }) => ((from?.[axis] ?? 0) + (to?.[axis] ?? 0)) / 2))
      const [lon, lat] = [centre(0), centre(1)]
      const centroid = (await measure('centroid', 'shape', predicate())).value
      if (lon === null || lat === null) expect(centroid).toBeNull()
      else expect(centroid).toEqual([expect.closeTo(lon, 9), expect.closeTo(lat, 9)])
    })
  })

  it('adds up indices, one of which lacks the field', async () => {
    const both = ['a', 'b']
    const longs = [...documents, ...other].flatMap((d) => listOf(d.longs).map(Number))
    expect(await measure('sum', 'longs', everything, both)).toEqual({ total: 220, value: sum(longs) })
    expect((await measure('max', 'longs', everything, both)).value).toBe(Math.max(...longs))
    expect((await measure('cardinality', 'longs', everything, both)).value).toBe(new Set(longs).size)
    const jobs = new Set([...documents, ...other].flatMap((d) => listOf(d.job)))
    expect((await measure('cardinality', 'job', everything, both)).value).toBe(jobs.size)
    for (const kind of ['sum', 'avg', 'min', 'max', 'cardinality'] as const) {
      for (const path of ['seen', 'floats', 'small']) {
        expect((await measure(kind, path, everything, both)).value).toEqual((await measure(kind, path)).value)
        expect((await measure(kind, path, everything, ['b'])).value).toBe(
          kind === 'sum' || kind === 'cardinality' ? 0 : null,
        )
      }
    }
    for (const kind of ['bounds', 'centroid'] as const) {
      for (const path of ['points', 'shape']) {
        expect((await measure(kind, path, everything, both)).value).toEqual((await measure(kind, path)).value)
        expect((await measure(kind, path, everything, ['b'])).value).toBeNull()
      }
    }
  })

  it('takes a field of another type for a missing one', async () => {
    expect((await measure('cardinality', 'id', everything, ['a', 'b'])).value).toBe(200)
  })

  it('answers metrics in their order, and none', async () => {
    const metric = (kind: MetricPlan['kind'], path: string): MetricPlan => ({ kind, field: loaded.field(path) })
    const { total, values } = await loaded.engine.measure({
      indices: ['a'],
      predicate: everything,
      metrics: [
        metric('cardinality', 'job'),
        metric('max', 'small'),
        metric('cardinality', 'tags'),
        metric('avg', 'longs'),
        metric('min', 'small'),
      ],
    })
    const longs = documents.flatMap((d) => listOf(d.longs).map(Number))
    expect({ total, values }).toEqual({ total: 200, values: [7, 71, 11, mean(longs), -128] })
    expect(await loaded.engine.measure({ indices: ['a', 'b'], predicate: everything, metrics: [] })).toEqual({
      total: 220,
      values: [],
    })
  })
})
