import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  AggregationLevel,
  AggregationPlan,
  Grouping,
  MetricPlan,
  TopPlan,
} from '../../../../query/plan/aggregation-plan.ts'
import { and, everything, nothing, type Predicate } from '../../../../query/plan/predicate.ts'
import { Turn } from '../../../../turn.ts'
import { LiveRows } from '../../segment/live-rows.ts'
import { plainPart, segmentPart, tailPart } from '../../segment/parts.fixture.ts'
import type { NumberedPart } from '../numbered-part.ts'
import { type GroupedList, groupParts } from './group-parts.ts'
import { measureParts } from './measure-parts.ts'
import {
  expectedList,
  expectedMetric,
  type FieldName,
  fieldOf,
  keysOf,
  mapping,
  type Numbered,
  type Point,
  type ShapeBox,
  sourceOf,
  type TestDocument,
} from './oracle.fixture.ts'

const list = <T>(value: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<readonly T[]> =>
  fc.array(value, { maxLength })

const DAY = 86_400_000
const keyword = fc.constantFrom('a', 'b', 'B', 'ä', '\u{1f600}', '\uffee', 'term', 'x y', '')
const ip = fc.constantFrom('0a000001', '0a000002', 'c0a80101').map((tail) => `00000000000000000000ffff${tail}`)
const integer = fc.constantFrom(0, 1, -1, 7, 2 ** 31 - 1, -(2 ** 31))
// Columns with 2^53 are left to the database (`groupGap`), and sums beyond it are rounded.
const long = fc.constantFrom(0, 2 ** 40, -(2 ** 40), 2 ** 41 + 1, 3)
const double = fc.constantFrom(0, -0, 0.1, 0.2, -17.25, 1e6, 12, 1e-3)
const float = fc.constantFrom(0.5, -0.25, 3, 8.125)
const date = fc.oneof(
  fc.integer({ min: -800, max: 20_000 }).map((day) => day * DAY + 12_345),
  fc.integer({ min: 0, max: 40 }).map((hour) => hour * 3_60_000),
)
const point: fc.Arbitrary<Point> = fc.tuple(
  fc.constantFrom(0, -180, 180, 2.5, 2.5000001, 11.25, -77, 179.99),
  fc.constantFrom(0, 48.85, 48.8500001, -33, 85.5, -89, 66.6),
)
const box: fc.Arbitrary<ShapeBox> = fc
  .tuple(
    fc.integer({ min: -170, max: 160 }),
    fc.integer({ min: -80, max: 70 }),
    fc.constantFrom(0.001, 0.5, 9),
    fc.constantFrom(0.001, 2, 8),
  )
  .map(([west, south, width, height]) => [west, south, west + width, south + height])

const document: fc.Arbitrary<TestDocument> = fc.record({
  kw: list(keyword, 1),
  tags: list(keyword, 4),
  ip: list(ip, 1),
  n: list(integer, 1),
  long: list(long, 2),
  d: list(double, 1),
  many: list(double, 3),
  f: list(float, 1),
  date: list(date, 1),
  dates: list(date, 3),
  b: list(fc.boolean(), 1),
  p: list(point, 1),
  ps: list(point, 3),
  s: list(box, 1),
})
const documents = (maxLength: number) =>
  fc
    .array(document, { minLength: 1, maxLength })
    .map((all) => all.map((own, i): TestDocument => ({ ...own, id: [`id${(i * 7919) % 1000}-${i}`] })))

const term: fc.Arbitrary<Grouping> = fc
  .constantFrom<FieldName>('kw', 'tags', 'ip', 'n', 'long', 'd', 'many', 'f', 'date', 'b', 'none')
  .map((path) => ({ kind: 'term', field: fieldOf(path) }))
const included: fc.Arbitrary<Grouping> = fc.constantFrom<Grouping>(
  { kind: 'term', field: fieldOf('tags'), include: { kind: 'values', values: ['a', 'ä', 'absent'] } },
  { kind: 'term', field: fieldOf('n'), include: { kind: 'values', values: [7n, 0n] } },
  { kind: 'term', field: fieldOf('many'), include: { kind: 'values', values: [0.1, 12] } },
  { kind: 'term', field: fieldOf('b'), include: { kind: 'values', values: [true] } },
)
const histogram: fc.Arbitrary<Grouping> = fc
  .tuple(fc.constantFrom<FieldName>('n', 'd', 'many', 'date', 'long'), fc.constantFrom(0.05, 1, 10, 1e7))
  .map(([path, interval]) => ({ kind: 'histogram', field: fieldOf(path), interval }))
const dated: fc.Arbitrary<Grouping> = fc
  .tuple(
    fc.constantFrom<FieldName>('date', 'dates'),
    fc.oneof(
      fc.constantFrom(1, 3_60_000, DAY, 3 * DAY).map((length) => ({ kind: 'fixed' as const, length })),
      fc
        .constantFrom('year' as const, 'quarter' as const, 'month' as const, 'week' as const)
        .map((unit) => ({ kind: 'calendar' as const, unit })),
    ),
  )
  .map(([path, interval]) => ({ kind: 'datehistogram', field: fieldOf(path), interval }))
const grid: fc.Arbitrary<Grouping> = fc.oneof(
  fc
    .tuple(fc.constantFrom<FieldName>('p', 'ps'), fc.constantFrom(0, 1, 6, 11, 14, 15, 22, 27, 29))
    .map(([path, level]): Grouping => ({ kind: 'geotile', field: fieldOf(path), level })),
  fc
    .tuple(fc.constantFrom<FieldName>('p', 'ps'), fc.integer({ min: 1, max: 12 }))
    .map(([path, level]): Grouping => ({ kind: 'geohash', field: fieldOf(path), level })),
  fc
    .tuple(fc.constantFrom<FieldName>('p', 'ps', 's'), fc.constantFrom(0, 4, 15))
    .map(([path, level]): Grouping => ({ kind: 'geohex', field: fieldOf(path), level })),
  fc.constantFrom<Grouping>(
    { kind: 'geotile', field: fieldOf('s'), level: 5 },
    { kind: 'geohash', field: fieldOf('s'), level: 2 },
    { kind: 'geotile', field: fieldOf('ps'), level: 4, scope: { kind: 'tile', z: 6, x: 32, y: 22 } },
    { kind: 'geohash', field: fieldOf('ps'), level: 3, scope: { kind: 'geohash', hash: 'u0' } },
  ),
)
const grouping = fc.oneof(term, included, histogram, dated, grid)

const metric: fc.Arbitrary<MetricPlan> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('avg', 'sum', 'min', 'max', 'cardinality'),
      fc.constantFrom<FieldName>('n', 'long', 'd', 'many', 'f', 'date', 'dates'),
    )
    .map(([kind, path]) => ({ kind: kind as MetricPlan['kind'], field: fieldOf(path) })),
  fc
    .constantFrom<FieldName>('kw', 'tags', 'ip', 'b')
    .map((path): MetricPlan => ({ kind: 'cardinality', field: fieldOf(path) })),
  fc
    .tuple(fc.constantFrom('bounds', 'centroid'), fc.constantFrom<FieldName>('p', 'ps', 's'))
    .map(([kind, path]) => ({ kind: kind as MetricPlan['kind'], field: fieldOf(path) })),
)

const sortKey = fc.record({
  kind: fc.constant('field' as const),
  field: fc.constantFrom<FieldName>('kw', 'tags', 'n', 'many', 'date', 'b', 'none').map(fieldOf),
  descending: fc.boolean(),
})
const top: fc.Arbitrary<TopPlan> = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.array(sortKey, { maxLength: 2 }),
    fc.option(fc.constantFrom<FieldName>('p', 'ps', 's')),
    fc.boolean(),
  )
  .map(([size, sort, having, keyed]) => ({
    size,
    sort: [...sort, { kind: 'field', field: fieldOf('id'), descending: false }],
    ...(having ? { having: fieldOf(having) } : {}),
    ...(keyed ? { keyed } : {}),
  }))

const level: fc.Arbitrary<AggregationLevel> = fc
  .record({
    grouping,
    metrics: fc.array(metric, { maxLength: 3 }),
    tops: fc.array(top, { maxLength: 2 }),
    size: fc.option(fc.integer({ min: 1, max: 4 })),
    by: fc.constantFrom('key', 'count', 'metric'),
    descending: fc.boolean(),
  })
  .map(({ size, by, descending, ...own }): AggregationLevel => {
    const metric = own.metrics.findIndex(({ kind }) => kind !== 'bounds' && kind !== 'centroid')
    return {
      ...own,
      ...(size === null ? {} : { size }),
      order:
        by === 'metric' && metric >= 0
          ? { by, metric, descending }
          : { by: by === 'key' ? 'key' : 'count', descending },
    }
  })
const levels = fc.array(level, { minLength: 1, maxLength: 3 })

/** Selects documents by identifier; everything if all are selected. */
function selecting(chosen: readonly Numbered[], all: readonly TestDocument[]): Predicate {
  if (chosen.length === all.length) return everything
  const values = chosen.flatMap(({ document: one }) => (one.id ?? []).map(String))
  return values.length === 0 ? nothing : { kind: 'equals', field: fieldOf('id'), values }
}

/** The first documents as a segment, the others as tails. */
function partsOf(all: readonly TestDocument[]): readonly NumberedPart[] {
  const ends = [Math.floor(all.length / 2), Math.floor((3 * all.length) / 4), all.length]
  return ends.flatMap((end, i) => {
    const first = i === 0 ? 0 : (ends[i - 1] ?? 0)
    if (end === first) return []
    const part = (i === 0 ? segmentPart : tailPart)(mapping, all.slice(first, end).map(sourceOf), first)
    return [{ part, table: i }]
  })
}

const plan = (
  own: readonly AggregationLevel[],
  predicate: Predicate = everything,
  buckets = 10_000,
): AggregationPlan => ({
  indices: ['i'],
  predicate,
  levels: own,
  limits: { buckets, bucketHits: 100_000 },
})

const seqsOf = (found: GroupedList, parts: readonly NumberedPart[]): unknown => ({
  others: found.others,
  buckets: found.buckets.map(({ tops, children, ...bucket }) => ({
    ...bucket,
    tops: tops.map((refs) => refs.map(({ part, row }) => parts[part]?.part.seqs.seq(row))),
    ...(children ? { children: seqsOf(children, parts) } : {}),
  })),
})

/** Numbers may differ in their last digits: returns what was found, with expected numbers in place of close ones. */
function nearly(found: unknown, expected: unknown): unknown {
  if (typeof found === 'number' && typeof expected === 'number') {
    if (Number.isSafeInteger(found) && Number.isSafeInteger(expected)) return found + 0
    return Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected)) ? expected : found
  }
  if (Array.isArray(found))
    return found.map((item, i) => nearly(item, Array.isArray(expected) ? expected[i] : undefined))
  if (typeof found !== 'object' || found === null) return found
  const members = typeof expected === 'object' && expected !== null ? new Map(Object.entries(expected)) : undefined
  return Object.fromEntries(Object.entries(found).map(([k, v]) => [k, nearly(v, members?.get(k))]))
}

const selected = (all: readonly TestDocument[], modulus: number): readonly Numbered[] =>
  all.map((own, seq) => ({ document: own, seq })).filter(({ seq }) => modulus !== 1 && seq % modulus !== 1)

/** A plan whose grid has a scope selects only documents with a point in it. */
const isInScope = (own: readonly AggregationLevel[], one: TestDocument): boolean =>
  own.every(({ grouping: by }) => !('scope' in by) || keysOf(by, one).length > 0)

async function checkGroups(own: readonly AggregationLevel[], all: readonly TestDocument[], modulus: number) {
  const parts = partsOf(all)
  const chosen = selected(all, modulus).filter(({ document: one }) => isInScope(own, one))
  const found = await groupParts(plan(own, selecting(chosen, all)), parts, new Turn())
  expect(found.total).toBe(chosen.length)
  const expected = expectedList(own, chosen)
  expect(nearly(seqsOf(found, parts), expected)).toEqual(expected)
}

/** No rows, every row, most rows, half of them. */
const moduli = fc.constantFrom(1, 1_000_000, 2, 3)

describe('groupParts', () => {
  it('returns the buckets of a naive grouping', async () => {
    await fc.assert(
      fc.asyncProperty(documents(40), levels, moduli, (all, own, modulus) => checkGroups(own, all, modulus)),
      {
        numRuns: 300,
      },
    )
  })

  it('returns the buckets of many documents with the same places and terms', async () => {
    const many = documents(20).map((all) =>
      Array.from(
        { length: 4500 },
        (_, i): TestDocument => ({ ...all[(i * i) % all.length], id: [`id${i}`], n: [i % 7000] }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(many, levels, moduli, (all, own, modulus) => checkGroups(own, all, modulus)),
      {
        numRuns: 12,
      },
    )
  }, 60_000)

  it('returns the same buckets again, after deletions, and without a few documents', async () => {
    const one: fc.Arbitrary<AggregationLevel> = grouping.map((by) => ({
      grouping: by,
      order: { by: 'key', descending: false },
      metrics: [],
      tops: [],
    }))
    const deleted = fc.uniqueArray(fc.nat(299), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(documents(12), one, deleted, deleted, fc.nat(12), async (all, own, first, second, skipped) => {
        const many = Array.from({ length: 300 }, (_, i): TestDocument => ({ ...all[(i * i) % all.length], date: [i] }))
        const segment = segmentPart(mapping, many.map(sourceOf))
        let live = LiveRows.all
        // The first reading keeps the totals of the segment, the others start from them.
        for (const [round, rows] of [first, [], second, []].entries()) {
          // The first documents are left out every other time.
          const least = (round + skipped) % 2 === 0 ? 0 : skipped
          live = live.without(rows)
          const parts = [{ part: { ...plainPart(segment), live }, table: 0 }]
          const rest = many
            .map((document, seq) => ({ document, seq }))
            .filter(({ seq }) => seq >= least && live.isLive(segment.seqs.row(seq)))
            .filter(({ document }) => isInScope([own], document))
          const by = own.grouping
          const scope: Predicate =
            'scope' in by && by.scope ? { kind: 'cell', field: by.field, cell: by.scope, by: 'point' } : everything
          const since: Predicate = {
            kind: 'range',
            field: fieldOf('date'),
            lower: { value: least, inclusive: true },
          }
          const found = await groupParts(plan([own], and([scope, since])), parts, new Turn())
          const expected = expectedList([own], rest)
          expect(found.total).toBe(rest.length)
          expect(nearly(seqsOf(found, parts), expected)).toEqual(expected)
        }
      }),
      { numRuns: 100 },
    )
  }, 60_000)

  it('returns the figures of levels whose rows have one key each', async () => {
    const single = fc.oneof(
      fc
        .constantFrom<FieldName>('kw', 'ip', 'n', 'd', 'f', 'date', 'b')
        .map((path): Grouping => ({ kind: 'term', field: fieldOf(path) })),
      fc
        .tuple(fc.constantFrom<FieldName>('n', 'd', 'date'), fc.constantFrom(1, 10, 3e7))
        .map(([path, interval]): Grouping => ({ kind: 'histogram', field: fieldOf(path), interval })),
      fc.constantFrom('year' as const, 'quarter' as const, 'month' as const, 'week' as const).map((unit): Grouping => {
        return { kind: 'datehistogram', field: fieldOf('date'), interval: { kind: 'calendar', unit } }
      }),
      fc.constantFrom(0, 3, 6).map((zoom): Grouping => ({ kind: 'geotile', field: fieldOf('p'), level: zoom })),
    )
    const figure = metric.filter(({ kind }) => kind !== 'cardinality')
    const figured = fc
      .tuple(single, fc.array(figure, { maxLength: 3 }), fc.option(fc.integer({ min: 1, max: 3 })))
      .map(([by, metrics, size]): AggregationLevel => {
        const order = { by: 'count' as const, descending: true }
        return { grouping: by, metrics, tops: [], order, ...(size === null ? {} : { size }) }
      })
    await fc.assert(
      fc.asyncProperty(documents(40), fc.array(figured, { minLength: 1, maxLength: 3 }), moduli, (all, own, modulus) =>
        checkGroups(own, all, modulus),
      ),
      { numRuns: 200 },
    )
  }, 60_000)

  it('refuses more buckets than allowed', async () => {
    const all = Array.from({ length: 30 }, (_, i): TestDocument => ({ kw: [`k${i}`], n: [i] }))
    const parts = partsOf(all)
    for (const path of ['kw', 'n'] as const) {
      const own: AggregationLevel = {
        grouping: { kind: 'term', field: fieldOf(path) },
        order: { by: 'key', descending: false },
        metrics: [],
        tops: [],
      }
      const run = (buckets: number, size?: number) =>
        groupParts(plan([size === undefined ? own : { ...own, size }], everything, buckets), parts, new Turn())
      await expect(run(29)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
      await expect(run(30)).resolves.toMatchObject({ total: 30, others: 0 })
      await expect(run(29, 29)).resolves.toMatchObject({ others: 1 })
    }
  })
})

describe('measureParts', () => {
  it('returns the metrics of a naive computation', async () => {
    await fc.assert(
      fc.asyncProperty(documents(40), fc.array(metric, { maxLength: 4 }), moduli, async (all, metrics, modulus) => {
        const chosen = selected(all, modulus)
        const own = { indices: ['i'], predicate: selecting(chosen, all), metrics }
        const found = await measureParts(own, partsOf(all), new Turn())
        expect(found.total).toBe(chosen.length)
        const values = metrics.map((m) =>
          expectedMetric(
            m,
            chosen.map((numbered) => numbered.document),
          ),
        )
        expect(nearly(found.values, values)).toEqual(values)
      }),
      { numRuns: 200 },
    )
  })
})
