import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bucket, BucketList } from '../../engine/engine.ts'
import type { Cell } from '../../geo/grid/cell.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { BucketKey, MetricValue } from '../../query/aggregation/bucket.ts'
import {
  type AggregatedForm,
  aggregatedForms,
  type ResolvedAggregation,
  type ResolvedMetric,
} from '../../query/aggregation/resolved-aggregation.ts'
import type { Grouping } from '../../query/plan/aggregation-plan.ts'
import { sampleView } from '../../query/request/sample-collection.fixture.ts'
import { writeAggregation } from './aggregation-answer.ts'
import { aggregationFeatures } from './aggregation-features.ts'
import { printAggregation, printAggregationFeatures } from './aggregation-text.ts'
import { aggregationOf, documentOf, fieldOf } from './resolved-aggregation.fixture.ts'

const collection = sampleView
const point = fieldOf('geo_params.centroid', 'GEO_POINT')
const text = fc.oneof(fc.string(), fc.constantFrom('a"b', '\u2028', '\ud800', '', 'é'))
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1e21, 1e-7, Infinity, Number.NaN))

interface Sample {
  readonly grouping: Grouping
  readonly key: fc.Arbitrary<BucketKey>
}

const tiles = fc.constantFrom(0, 1, 6, 10, 11, 22).map((level): Sample => {
  const position = fc.integer({ min: 0, max: 2 ** level - 1 })
  return { grouping: { kind: 'geotile', field: point, level }, key: fc.record({ x: position, y: position }) }
})
const sample: fc.Arbitrary<Sample> = fc.oneof(
  tiles,
  fc.constantFrom<Sample>(
    { grouping: { kind: 'geohash', field: point, level: 2 }, key: fc.constantFrom('u0', 'zz', '00', 's1') },
    {
      grouping: { kind: 'geohex', field: point, level: 4 },
      key: fc.constantFrom('841fb47ffffffff', '8408001ffffffff'),
    },
    { grouping: { kind: 'term', field: fieldOf('job', 'KEYWORD') }, key: text },
    { grouping: { kind: 'term', field: fieldOf('ip', 'IP') }, key: fc.constant('00000000000000000000ffff0a000001') },
    { grouping: { kind: 'term', field: fieldOf('n', 'DOUBLE') }, key: number },
    { grouping: { kind: 'term', field: fieldOf('n', 'LONG') }, key: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }) },
    { grouping: { kind: 'term', field: fieldOf('b', 'BOOLEAN') }, key: fc.boolean() },
    { grouping: { kind: 'term', field: fieldOf('at', 'DATE', 'epoch_second') }, key: fc.integer({ min: 0 }) },
    { grouping: { kind: 'histogram', field: fieldOf('n', 'DOUBLE'), interval: 0.1 }, key: fc.integer() },
    {
      grouping: {
        kind: 'datehistogram',
        field: fieldOf('at', 'DATE'),
        interval: { kind: 'calendar', unit: 'month' },
      },
      key: fc.integer({ min: -(10 ** 13), max: 10 ** 13 }),
    },
  ),
)

const box = fc.record({ west: number, south: number, east: number, north: number })
const position = fc.tuple(number, number)
const functions: readonly ResolvedMetric['fct'][] = ['avg', 'sum', 'cardinality', 'geobbox', 'geocentroid']

/** Metric values by position: numbers, then a box, then a centroid. */
const metricValues = fc.tuple(
  ...functions.map((fct): fc.Arbitrary<MetricValue> => {
    const value = fct === 'geobbox' ? box : fct === 'geocentroid' ? position : number
    return fc.oneof(fc.constant(null), value)
  }),
)

const document: fc.Arbitrary<JsonObject> = fc.record({
  job: text,
  geo_params: fc.oneof(fc.constant({}), fc.constant({ centroid: '12.5,7' })),
})

function formsOf({ kind }: Grouping): readonly AggregatedForm[] {
  if (kind === 'geohash' || kind === 'geotile' || kind === 'geohex') return aggregatedForms
  return ['bbox', 'centroid']
}

const placed = (form: AggregatedForm) => ({
  form,
  ...(form === 'bbox' ? { place: 3 } : form === 'centroid' ? { place: 4 } : {}),
})

/** An aggregation with its keys. The second top has the documents of hits, the first those of raw geometries. */
const aggregation: fc.Arbitrary<{ own: ResolvedAggregation; key: fc.Arbitrary<BucketKey> }> = sample.chain(
  ({ grouping, key }) =>
    fc
      .record({
        metrics: fc.subarray(functions.map((fct, place): ResolvedMetric => ({ fct, path: 'a.b "c"', place }))),
        forms: fc.subarray([...formsOf(grouping)]),
        raw: fc.boolean(),
        hits: fc.constantFrom(undefined, { top: 1 }, { top: 1, include: ['job'] }),
        fetched: fc.constantFrom('none', 'document', ...formsOf(grouping)),
      })
      .map(({ metrics, forms, raw, hits, fetched }) => ({
        key,
        own: aggregationOf(grouping, {
          metrics: [...metrics, { fct: 'max', path: 'unknown' }],
          aggregated: fetched === 'none' ? forms.map(placed) : [],
          raw: raw && fetched === 'none' ? [{ field: point, sort: '-at,"x"', top: 0 }] : [],
          ...(hits ? { hits } : {}),
          ...(fetched === 'none'
            ? {}
            : {
                fetched:
                  fetched === 'document'
                    ? ({ kind: 'document', field: point, top: 0 } as const)
                    : ({ kind: 'bucket', ...placed(fetched) } as const),
              }),
        }),
      })),
)

const bucketsOf = (
  [first, ...nested]: readonly { readonly key: fc.Arbitrary<BucketKey> }[],
  maxLength = 6,
): fc.Arbitrary<BucketList> =>
  fc.record({
    others: fc.nat(),
    buckets: fc.array(
      fc.record<Bucket>({
        key: first?.key ?? fc.constant(0),
        count: fc.nat(),
        metrics: metricValues,
        tops: fc.tuple(
          fc.array(document.map(documentOf), { maxLength: 1 }),
          fc.array(document.map(documentOf), { maxLength: 2 }),
        ),
        ...(nested.length > 0 ? { children: bucketsOf(nested, 2) } : {}),
      }),
      { maxLength },
    ),
  })

const answers = fc
  .array(aggregation, { minLength: 1, maxLength: 3 })
  .chain((levels) => fc.tuple(fc.constant(levels.map(({ own }) => own)), bucketsOf(levels)))

describe('buckets are printed as their objects are', () => {
  it('nested in each other', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async ([aggregations, list]) => {
        const written = await writeAggregation(list, aggregations, { collection })
        expect(`{${await printAggregation(list, aggregations, collection)}}`).toBe(JSON.stringify(written))
      }),
      { numRuns: 500 },
    )
  })

  it('as features', async () => {
    const cells = fc.constantFrom<Cell | undefined>(
      undefined,
      { kind: 'tile', z: 3, x: 1, y: 2 },
      { kind: 'geohash', hash: 'u0' },
    )
    await fc.assert(
      fc.asyncProperty(answers, cells, async ([aggregations, list], cell) => {
        const [main] = aggregations
        if (main === undefined) return
        const written = await writeAggregation(list, aggregations, { collection })
        const features = await aggregationFeatures(written, {
          type: main.type,
          fetched: main.fetched,
          flat: false,
          cell,
        })
        const printed = await printAggregationFeatures(list, aggregations, { collection, cell })
        expect(`[${printed}]`).toBe(JSON.stringify(features))
      }),
      { numRuns: 500 },
    )
  })

  it('none if the field is unknown', async () => {
    const { level: _, ...unknown } = aggregationOf({ kind: 'term', field: fieldOf('no', 'KEYWORD') })
    const list = { others: 0, buckets: [] }
    expect(await printAggregation(list, [unknown], collection)).toBe(
      '"name":"Sterms","sumotherdoccounts":0,"elements":[]',
    )
    expect(await printAggregationFeatures(list, [unknown], { collection })).toBe('')
  })
})
