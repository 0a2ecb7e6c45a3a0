import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { isGeo, isNumber } from '../../../query/schema/field.ts'
import { type LoadedEngine, loadEngine } from '../../duckdb/storage-states.fixture.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, makeTestIndex } from '../test-index.fixture.ts'
import { measure } from './measure.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    job: { type: 'keyword' },
    tags: { type: 'keyword' },
    id: { type: 'keyword' },
    long: { type: 'long' },
    longs: { type: 'long' },
    small: { type: 'byte' },
    floats: { type: 'float' },
    doubles: { type: 'double' },
    seen: { type: 'date' },
    yes: { type: 'boolean' },
    address: { type: 'ip' },
    points: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
    never: { type: 'long' },
  },
}

const pointOf = (lon: number, lat: number): JsonObject => ({ lon, lat })
const lineOf = (x: number, y: number): JsonObject => ({
  type: 'LineString',
  coordinates: [
    [x, y],
    [x + 4, y - 2],
  ],
})

/** Every field is missing in some documents; fields with plural names have several values in some. */
const documents: readonly JsonObject[] = Array.from({ length: 1500 }, (_, i): JsonObject => {
  const x = ((i * 37) % 360) - 180 + (i % 4) / 4
  const y = ((i * 29) % 160) - 80 + 0.5
  return {
    job: i % 5 === 0 ? null : `job ${i % 7}`,
    tags: i % 3 === 0 ? [`t${i % 11}`, `t${i % 4}`, `t${i % 11}`] : [`t${i % 11}`],
    id: i % 50 === 0 ? [] : [`id-${i}`, `other-${i}`],
    long: i % 4 === 0 ? null : String(9_007_199_254_740_993n + BigInt(i)),
    longs: i % 10 === 0 ? [i, -i, i * 1000] : i,
    small: (i % 256) - 128,
    floats: i % 6 === 0 ? [0.1, i / 3] : i % 6 === 1 ? [] : 0.1,
    doubles: i % 2 === 0 ? [i / 7, null, -i / 7] : null,
    seen: i % 8 === 0 ? null : 1_600_000_000_000 + i * 86_400_001,
    yes: i % 9 === 0 ? null : i % 2 === 0,
    address: i % 2 === 0 ? `10.0.${i % 3}.1` : `::ffff:10.0.${i % 3}.1`,
    points: i % 10 === 0 ? [pointOf(x, y), pointOf(-x, -y)] : i % 10 === 1 ? null : pointOf(x / 2, y / 2),
    shape: i % 3 === 0 ? null : lineOf(x / 2, y),
  }
})

/** Lacks most fields, and has two with another type. */
const other: readonly JsonObject[] = Array.from({ length: 20 }, (_, i) => ({
  job: `job ${i}`,
  longs: [i, 5000],
  id: i,
  small: 'large',
}))
const otherMapping: Mapping = {
  dynamic: false,
  properties: {
    job: { type: 'keyword' },
    longs: { type: 'long' },
    id: { type: 'long' },
    small: { type: 'keyword' },
  },
}

describe('measuring', () => {
  const context = clusterUnderTest()
  const indices: string[] = []
  let embedded: LoadedEngine

  beforeAll(async () => {
    embedded = await loadEngine('in a tail', [
      { name: 'a', mapping, documents },
      { name: 'b', mapping: otherMapping, documents: other },
    ])
    const make = async (all: readonly JsonObject[], { properties }: Mapping, shards: number): Promise<void> => {
      indices.push(await makeTestIndex(context, 'measure', properties as unknown as WireObject, all, shards))
    }
    await make(documents, mapping, 3)
    await make(other, otherMapping, 1)
  })
  afterAll(async () => {
    await dropTestIndices(context, indices)
    await embedded.close()
  })

  const kindsOf = (path: string): readonly MetricPlan['kind'][] => {
    const { type } = embedded.field(path)
    if (isGeo(type)) return ['bounds', 'centroid']
    const numbers = ['avg', 'sum', 'min', 'max', 'cardinality'] as const
    return isNumber(type) || type === 'DATE' ? numbers : ['cardinality']
  }
  const metrics = (): readonly MetricPlan[] =>
    Object.keys(mapping.properties).flatMap((path) =>
      kindsOf(path).map((kind) => ({ kind, field: embedded.field(path) })),
    )

  const near = (value: MetricValue, { kind, field }: MetricPlan): unknown => {
    if (value === null || kind === 'cardinality' || kind === 'min' || kind === 'max') return value
    if (typeof value === 'number') {
      return expect.toSatisfy(
        (found: number) => Math.abs(found - value) <= 1e-9 * Math.abs(value) + 1e-9,
        `${kind} of ${field.path}: about ${value}`,
      )
    }
    const close = Object.entries(value).map(([key, n]) => [key, expect.closeTo(Number(n), 6)])
    return Array.isArray(value) ? close.map(([, n]) => n) : Object.fromEntries(close)
  }

  const compare = async (predicate: Predicate, which: readonly number[]): Promise<void> => {
    const names = ['a', 'b']
    const expected = await embedded.engine.measure({
      indices: which.map((i) => names[i] ?? ''),
      predicate,
      metrics: metrics(),
    })
    const found = await measure(context, {
      indices: which.map((i) => indices[i] ?? ''),
      predicate,
      metrics: metrics(),
    })
    expect(found.total).toBe(expected.total)
    expect(found.values).toEqual(metrics().map((metric, i) => near(expected.values[i] ?? null, metric)))
  }

  it('gives the figures of the embedded engine', () => compare(everything, [0]))

  it('gives them of some documents', () =>
    compare({ kind: 'equals', field: embedded.field('job'), values: ['job 3', 'job 4'] }, [0]))

  it('gives them of no document', () => compare({ kind: 'nothing' }, [0]))

  it('gives them of several indices, one of which lacks fields or types them differently', () =>
    compare(everything, [0, 1]))

  it('counts nearly three thousand values exactly', async () => {
    const metric = { kind: 'cardinality', field: embedded.field('id') } as const
    const { values } = await measure(context, { indices, predicate: everything, metrics: [metric] })
    expect(values).toEqual([2940])
  })

  it('answers figures without a scan where it needs none, and the total alone', async () => {
    const strict = { ...context, limits: { scan: 0 } }
    const [shape, longs] = [embedded.field('shape'), embedded.field('longs')]
    const bounds = [{ kind: 'bounds', field: shape } as const, { kind: 'max', field: longs } as const]
    expect((await measure(strict, { indices, predicate: everything, metrics: bounds })).values).toHaveLength(2)
    const centroid = [{ kind: 'centroid', field: shape } as const]
    await expect(measure(strict, { indices, predicate: everything, metrics: centroid })).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
    expect(await measure(strict, { indices, predicate: everything, metrics: [] })).toEqual({ total: 1520, values: [] })
  })
})
