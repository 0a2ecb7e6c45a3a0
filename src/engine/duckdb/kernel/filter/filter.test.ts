import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../model/json/document.ts'
import type { Mapping } from '../../../../model/mapping.ts'
import { compileEvaluator } from '../../../../query/evaluate/predicate-evaluator.ts'
import { parseKeywordPattern } from '../../../../query/pattern/keyword-pattern-parser.ts'
import { and, type Bound, everything, not, nothing, or, type Predicate } from '../../../../query/plan/predicate.ts'
import { indexFields } from '../../../../query/schema/index-fields.ts'
import { parseIp } from '../../../../query/value/ip-address.ts'
import { BLOCK } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import { plainPart, segmentPart, tailPart } from '../../segment/parts.fixture.ts'
import { partField, withDead } from '../page/page-parts.fixture.ts'
import { compileFilter, type Filter } from './filter.ts'
import { kernelGap } from './filter-coverage.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    date: { type: 'date' },
    changes: { type: 'date' },
    few: { type: 'keyword' },
    many: { type: 'keyword' },
    tags: { type: 'keyword' },
    labels: { type: 'keyword' },
    address: { type: 'ip' },
    n: { type: 'integer' },
    rising: { type: 'long' },
    big: { type: 'long' },
    size: { type: 'double' },
    half: { type: 'float' },
    halves: { type: 'float' },
    on: { type: 'boolean' },
    onoff: { type: 'boolean' },
    text: { type: 'text' },
    place: { type: 'geo_point' },
    stops: { type: 'geo_point' },
    area: { type: 'geo_shape' },
    absent: { type: 'keyword' },
  },
}

const field = (path: string) => partField(mapping, path)

/** Repeatable numbers below 1. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const few = ['a', 'ab', 'B', 'é', '\u{1f600}', '\uffee', '']
const bigs = [2 ** 53 - 1, -(2 ** 53) + 1, 0, 5, 2 ** 40, -(2 ** 40)]
const sizes = [0.1, -0.1, 0, 1e300, -1e300, 5e-324, 0.25, 1 / 3]
const addresses = ['10.0.0.1', '10.0.0.2', '2001:db8::1']
const words = ['the', 'quick', 'fox', 'jumps']
const DAY = 86_400_000
const START = Date.UTC(2024, 0, 1)

function documentsFrom(count: number, seed: number): JsonObject[] {
  const next = numbersFrom(seed)
  const maybe = (value: Json): Json => (next() < 0.1 ? null : value)
  const below = (limit: number): number => Math.floor(next() * limit)
  const one = <T>(values: readonly T[]): T => values[below(values.length)] ?? (values[0] as T)
  const several = (make: () => Json): Json => Array.from({ length: below(4) }, make)
  const place = () => ({ lon: below(3600) / 10 - 180, lat: below(1700) / 10 - 85 })
  return Array.from({ length: count }, (_, i) => ({
    date: START + below(100) * DAY,
    changes: several(() => START + below(100) * DAY),
    few: maybe(one(few)),
    many: maybe(`t${below(500)}`),
    tags: several(() => `t${below(300)}`),
    labels: several(() => one(few)),
    address: maybe(one(addresses)),
    n: maybe(below(50) * 3 - 75),
    rising: i * 1000,
    big: maybe(one(bigs)),
    size: maybe(one(sizes)),
    half: maybe(one([0.1, 1.5, -2.25, 16_777_216])),
    halves: several(() => one([0.1, 0.2, 3])),
    on: maybe(next() < 0.5),
    onoff: several(() => next() < 0.5),
    text: maybe(`${one(words)} ${one(words)} ${one(words)}`),
    place: maybe(place()),
    stops: several(place),
    area: i % 20 === 0 ? { type: 'Point', coordinates: [below(360) - 180, below(170) - 85] } : null,
  }))
}

interface Sample {
  readonly name: string
  readonly parts: readonly Part[]
  readonly documents: readonly JsonObject[]
}

/** Parts of one and of several blocks, without dead rows, with some, and with a whole block. */
const samples: readonly Sample[] = [0, 1, 37, BLOCK, 5000].map((count) => {
  const documents = documentsFrom(count, count + 1)
  const next = numbersFrom(count)
  const some = documents.flatMap((_, row) => (next() < 0.2 ? [row] : []))
  const block = Array.from({ length: Math.min(count, BLOCK) }, (_, row) => row)
  const single = some.filter((_, i) => i % 20 === 0)
  const tail = tailPart(mapping, documents)
  const segment = segmentPart(mapping, documents)
  const parts = [
    tail,
    segment,
    withDead(tail, some),
    withDead(segment, some),
    withDead(segment, single),
    withDead(segment, block),
  ]
  return { name: `${count} documents`, parts, documents }
})

const bound = (value: fc.Arbitrary<Bound['value']>): fc.Arbitrary<Bound> =>
  fc.record({ value, inclusive: fc.boolean() })

const between = (path: string, value: fc.Arbitrary<Bound['value']>): fc.Arbitrary<Predicate> =>
  fc.tuple(fc.option(bound(value)), bound(value), fc.boolean()).map(([one, other, isLower]): Predicate => {
    const [lower, upper] = isLower ? [other, one] : [one, other]
    return { kind: 'range', field: field(path), ...(lower ? { lower } : {}), ...(upper ? { upper } : {}) }
  })

const equalTo = (path: string, value: fc.Arbitrary<Bound['value'] | boolean>): fc.Arbitrary<Predicate> =>
  fc
    .uniqueArray(value, { minLength: 1, maxLength: 4 })
    .map((values) => ({ kind: 'equals', field: field(path), values }))

const rangeOrEqual = (path: string, value: fc.Arbitrary<Bound['value']>) =>
  fc.oneof(between(path, value), equalTo(path, value))

const term = fc.oneof(
  fc.constantFrom(...few, 'zz', '\ud800'),
  fc.integer({ min: 0, max: 510 }).map((n) => `t${n}`),
)
const keyword = (path: string): fc.Arbitrary<Predicate> =>
  fc.oneof(
    rangeOrEqual(path, term),
    fc
      .constantFrom('', 'a', 't1', 't49', '\u{1f600}', 'zz')
      .map((prefix): Predicate => ({ kind: 'prefix', field: field(path), prefix })),
    fc
      .constantFrom('^t1', '1.$', '[ab]', '^(t2|t3)', '^t4.*9$', '^$')
      .map((text): Predicate => ({ kind: 'pattern', field: field(path), pattern: parseKeywordPattern(text, 100) })),
    fc.record({
      kind: fc.constant('fuzzy' as const),
      word: term,
      edits: fc.constantFrom(1, 2),
      field: fc.constant(field(path)),
    }),
  )

const day = fc.integer({ min: -100, max: 1100 }).map((tenths) => START + (tenths * DAY) / 10)
const long = fc.oneof(
  fc.integer({ min: -80, max: 80 }).map(BigInt),
  fc.integer({ min: 0, max: 6100 }).map((n) => BigInt(n) * 500n),
  fc.constantFrom(...bigs).map(BigInt),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)),
)
const double = fc.oneof(
  fc.constantFrom(...sizes, 0.2, 1.5, 0.10000000149011612, 16_777_217, 1e39, -1e39),
  fc.double({ noNaN: true }),
)
const box = fc
  .tuple(fc.integer({ min: -180, max: 170 }), fc.integer({ min: -85, max: 80 }), fc.integer({ min: 0, max: 150 }))
  .map(([west, south, side]) => ({ west, south, east: Math.min(180, west + side), north: Math.min(85, south + side) }))

/** Ranges whose bounds are values, and so few rows that they are listed. */
const fewDays = fc.tuple(fc.nat(99), fc.nat(20), fc.boolean(), fc.boolean()).map(
  ([first, days, lower, upper]): Predicate => ({
    kind: 'range',
    field: field('date'),
    lower: { value: START + first * DAY, inclusive: lower },
    upper: { value: START + (first + days) * DAY, inclusive: upper },
  }),
)

/** Ranges that so few rows are outside of that these are listed. */
const mostDays = fc.tuple(fc.nat(2), fc.nat(1)).map(
  ([first, last]): Predicate => ({
    kind: 'range',
    field: field('date'),
    lower: { value: START + first * DAY, inclusive: true },
    upper: { value: START + (99 - last) * DAY, inclusive: true },
  }),
)

/** Words of one field, and other tests. */
const anyWords = fc
  .tuple(
    fc.array(fc.constantFrom(...words, 'absent', 'qui'), { minLength: 2, maxLength: 5 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([tokens, isPrefix, isNegated]): Predicate => {
    const members = tokens.map(
      (token, i): Predicate => ({
        kind: 'phrase',
        field: field('text'),
        tokens: [token],
        lastIsPrefix: isPrefix && i === 0,
        slop: 0,
      }),
    )
    const other: Predicate = { kind: 'equals', field: field('few'), values: ['a'] }
    return { kind: 'or', members: isNegated ? [...members, not(other)] : members }
  })

const leaf: fc.Arbitrary<Predicate> = fc.oneof(
  fc
    .constantFrom(...Object.keys(mapping.properties ?? {}))
    .map((path): Predicate => ({ kind: 'exists', field: field(path) })),
  ...['few', 'many', 'tags', 'labels', 'absent'].map(keyword),
  equalTo(
    'address',
    fc.constantFrom(...addresses, '10.0.0.9').map((text) => parseIp(text) ?? ''),
  ),
  ...['date', 'changes'].map((path) => rangeOrEqual(path, day)),
  ...['n', 'rising', 'big'].map((path) => rangeOrEqual(path, long)),
  ...['size', 'half', 'halves'].map((path) => rangeOrEqual(path, double)),
  ...['on', 'onoff'].map((path) => equalTo(path, fc.boolean())),
  fc.uniqueArray(fc.constantFrom(...words, 'j'), { minLength: 1, maxLength: 2 }).map(
    (tokens): Predicate => ({
      kind: 'phrase',
      field: field('text'),
      tokens,
      lastIsPrefix: tokens.at(-1) === 'j',
      slop: 0,
    }),
  ),
  fc.constantFrom('place', 'stops', 'area').chain((path) =>
    box.map(
      (only): Predicate => ({
        kind: 'geo',
        field: field(path),
        relation: 'within',
        area: { boxes: [only], polygons: [], lines: [], points: [] },
      }),
    ),
  ),
)

/** Terms whose rows are listed. */
const someTerms: fc.Arbitrary<Predicate> = fc.integer({ min: 1, max: 100 }).map((count) => ({
  kind: 'equals',
  field: field('many'),
  values: Array.from({ length: count }, (_, i) => `t${i * 5}`),
}))

const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.constantFrom(everything, nothing),
    fc.array(tie('predicate'), { maxLength: 4 }).map(and),
    fc.array(tie('predicate'), { maxLength: 4 }).map(or),
    fc.array(tie('predicate'), { maxLength: 3 }).map((members): Predicate => ({ kind: 'and', members })),
    fc.array(tie('predicate'), { maxLength: 3 }).map((members): Predicate => ({ kind: 'or', members })),
    tie('predicate').map(not),
  ),
}))

/** Rows of all batches; checks what is promised of each. */
function rowsOf(filter: Filter, part: Part): number[] {
  const found: number[] = []
  for (const { from, to, rows, count } of filter.batches()) {
    expect(to).toBeLessThanOrEqual(part.rows)
    expect(to - from).toBeLessThanOrEqual(BLOCK)
    expect(rows?.length ?? to - from).toBe(count)
    for (let i = 0; i < count; i++) {
      const row = rows?.[i] ?? from + i
      if (row < from || row >= to || row <= (found.at(-1) ?? -1)) expect.fail(`row ${row} is out of place`)
      found.push(row)
    }
  }
  return found
}

function check(p: Predicate, { name, parts, documents }: Sample): void {
  const { holds } = compileEvaluator(p, indexFields(mapping))
  const matches = documents.map(holds)
  for (const [i, part] of parts.entries()) {
    const filter = compileFilter(p, part)
    const expected: number[] = []
    for (let row = 0; row < part.rows; row++) {
      if (part.live.isLive(row) && matches[part.seqs.seq(row)]) expected.push(row)
    }
    expect(rowsOf(filter, part), `part ${i} of ${name}`).toEqual(expected)
    expect(totalOf(filter.counts())).toBe(expected.length)
    expect(filter.most).toBeGreaterThanOrEqual(expected.length)
    if (filter.isAll) expect(expected).toHaveLength(part.rows - part.live.dead)
    if (filter.exceptions) {
      const others = Array.from({ length: part.rows }, (_, row) => row).filter((row) => !matches[part.seqs.seq(row)])
      expect([...filter.exceptions.rows]).toEqual(others)
      expect(filter.exceptions.count).toBe(others.length)
    }
    const wanted = new Set(expected)
    for (let row = 0; row < part.rows; row += part.rows > 1000 ? 7 : 1) {
      if (filter.holds(row) !== wanted.has(row)) expect.fail(`row ${row} of part ${i} of ${name}`)
    }
  }
}

const totalOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0)

describe('a filter yields the live rows that match', () => {
  const kinds: readonly [string, fc.Arbitrary<Predicate>, number][] = [
    ['a leaf', leaf, 100],
    ['a few days', fewDays, 30],
    ['alternative words', anyWords, 30],
    ['most days', mostDays, 10],
    ['most days and a leaf', fc.tuple(mostDays, leaf).map(and), 50],
    ['most days, several times', fc.array(mostDays, { minLength: 1, maxLength: 3 }).map(and), 20],
    ['listed rows and two leaves', fc.tuple(someTerms, leaf, leaf).map(and), 100],
    ['a composition', predicate, 100],
  ]
  it.each(kinds)('for %s', (_, arbitrary, numRuns) => {
    fc.assert(
      fc.property(arbitrary, (p) => {
        for (const sample of samples) check(p, sample)
      }),
      { numRuns },
    )
  })

  it('for a field of another type', () => {
    const p: Predicate = { kind: 'exists', field: { ...field('few'), type: 'LONG' } }
    for (const part of samples.flatMap(({ parts }) => parts)) {
      expect(rowsOf(compileFilter(p, part), part)).toEqual([])
    }
  })
})

describe('a filter knows', () => {
  const part = samples.at(-1)?.parts[1] ?? tailPart(mapping, [])
  const since = (lower: number): Predicate => ({
    kind: 'range',
    field: field('date'),
    lower: { value: lower, inclusive: true },
  })

  it('that a range excludes nothing', () => {
    expect(compileFilter(since(START), part).isAll).toBe(true)
    expect(compileFilter(and([since(START), not(since(START + 200 * DAY))]), part).isAll).toBe(true)
    expect(compileFilter(since(START + DAY), part).isAll).toBe(false)
    for (const { rows } of compileFilter(since(START), part).batches()) expect(rows).toBeUndefined()
  })

  it('the rows that a range excludes, if they are few', () => {
    expect(compileFilter(since(START), part).exceptions?.count).toBe(0)
    const { exceptions } = compileFilter(since(START + DAY), part)
    expect(exceptions?.count).toBeGreaterThan(0)
    expect(exceptions?.rows).toHaveLength(exceptions?.count ?? 0)
    expect(compileFilter(since(START + 50 * DAY), part).exceptions).toBeUndefined()
  })

  it('how many rows it looks at', () => {
    expect(compileFilter(since(START + 99 * DAY), part).most).toBeLessThan(300)
    expect(compileFilter({ kind: 'equals', field: field('many'), values: ['t7'] }, part).most).toBeLessThan(40)
    expect(compileFilter({ kind: 'equals', field: field('many'), values: ['none'] }, part).most).toBe(0)
    const narrow = and([since(START + 50 * DAY), { kind: 'equals', field: field('many'), values: ['t7'] }])
    expect(compileFilter(narrow, part).most).toBeLessThan(40)
  })

  it('marks progress while nothing matches', () => {
    const large = { ...plainPart(part), rows: 40 * BLOCK, column: () => undefined }
    const never = not(or([everything]))
    expect([...compileFilter(never, large).batches()]).toEqual([])
    const column = {
      kind: 'number' as const,
      type: 'DOUBLE' as const,
      values: new Float64Array(large.rows).fill(1),
    }
    const p: Predicate = { kind: 'equals', field: field('size'), values: [2] }
    const batches = [...compileFilter(p, { ...large, column: () => column }).batches()]
    expect(batches).toHaveLength(2)
    expect(batches.every(({ count }) => count === 0)).toBe(true)
  })
})

it('integers that are rounded are a gap', () => {
  const documents: JsonObject[] = [{ big: '9007199254740993', n: 1 }]
  const part = tailPart(mapping, documents)
  const equals = (path: string): Predicate => ({ kind: 'equals', field: field(path), values: [1n] })
  expect(kernelGap(and([equals('n'), not(equals('big'))]), [part])).toContain('2^53')
  expect(kernelGap(equals('n'), [part])).toBeUndefined()
  expect(kernelGap(and([equals('n'), { kind: 'exists', field: field('big') }]), [part])).toBeUndefined()
})
