import { array, assert, asyncProperty, boolean, constantFrom, integer, option, record } from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../model/json/document.ts'
import type { Mapping } from '../../../../model/mapping.ts'
import { holds } from '../../../../query/evaluate/evaluate.fixture.ts'
import { cursorAfter } from '../../../../query/page/cursor.ts'
import type { SearchPlan, SortKey } from '../../../../query/plan/plan.ts'
import { and, everything, type Predicate } from '../../../../query/plan/predicate.ts'
import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import { Turn } from '../../../../turn.ts'
import { segmentPart, tailPart } from '../../segment/parts.fixture.ts'
import { countParts } from '../filter/count.ts'
import type { NumberedPart } from '../numbered-part.ts'
import { pageOfParts } from './page.ts'
import { pageGap } from './page-gap.ts'
import { partField, withDead } from './page-parts.fixture.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    date: { type: 'date' },
    id: { type: 'keyword' },
    few: { type: 'keyword' },
    tags: { type: 'keyword' },
    n: { type: 'integer' },
    rising: { type: 'long' },
    size: { type: 'double' },
    sizes: { type: 'float' },
    on: { type: 'boolean' },
    at: { type: 'geo_point' },
    stops: { type: 'geo_point' },
    area: { type: 'geo_shape' },
    rare: { type: 'keyword' },
  },
}

/** Repeatable numbers below 1. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const WORDS = ['a', 'B', 'aa', 'é', '\u{1f600}', '\uffee', '', 'zebra', 'Zebra']

function documentsFrom(first: number, count: number, seed: number): JsonObject[] {
  const next = numbersFrom(seed)
  const maybe = <T>(value: T): T | undefined => (next() < 0.1 ? undefined : value)
  const place = () => ({ lon: Math.floor(next() * 3600) / 10 - 180, lat: Math.floor(next() * 1800) / 10 - 90 })
  return Array.from({ length: count }, (_, i) => {
    const { lon, lat } = place()
    const document = {
      id: `i${(first + i) * 7919}`,
      date: maybe(Date.UTC(2024, 0, 1) + Math.floor(next() * 1000) * 3_600_000),
      few: maybe(WORDS[Math.floor(next() * WORDS.length)]),
      tags: maybe([`t${Math.floor(next() * 300)}`, `t${Math.floor(next() * 300)}`].slice(next() < 0.5 ? 1 : 0)),
      n: maybe(Math.floor(next() * 50) - 25),
      rising: i,
      size: next() - 0.5,
      sizes: maybe([next(), next(), 0.1]),
      on: maybe(next() < 0.5),
      at: maybe(place()),
      stops: maybe([place(), place()]),
      area: maybe({ type: 'Point', coordinates: [lon, lat] }),
      rare: first > 0 && i % 100 === 0 ? 'rare' : undefined,
    }
    return JSON.parse(JSON.stringify(document))
  })
}

const field = (path: string) => partField(mapping, path)

/** Documents of two indices, and the rows of the second as one part. */
interface Store {
  readonly documents: readonly (readonly JsonObject[])[]
  readonly parts: readonly NumberedPart[]
  /** Table and number of each live document. */
  readonly live: readonly (readonly [number, number])[]
}

function storeOf(large: number, small: number): Store {
  const first = documentsFrom(0, large + small, 1)
  const second = documentsFrom(large + small, small, 2)
  const every = (step: number, count: number) => Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
  const parts: NumberedPart[] = [
    { part: withDead(segmentPart(mapping, first.slice(0, large)), every(7, large)), table: 0 },
    { part: withDead(tailPart(mapping, first.slice(large), large), every(5, small)), table: 0 },
    { part: segmentPart(mapping, second), table: 1 },
  ]
  const live = parts.flatMap(({ part, table }) =>
    Array.from({ length: part.rows }, (_, row) => row)
      .filter((row) => part.live.isLive(row))
      .map((row) => [table, part.seqs.seq(row)] as const),
  )
  return { documents: [first, second], parts, live }
}

const RADIANS = Math.PI / 180

function distance(key: Extract<SortKey, { kind: 'distance' }>, lon: number, lat: number): number {
  const a = Math.sin(((lat - key.lat) * RADIANS) / 2) ** 2
  const b = Math.cos(lat * RADIANS) * Math.cos(key.lat * RADIANS) * Math.sin(((lon - key.lon) * RADIANS) / 2) ** 2
  return Math.floor(2 * 63710087.714 * Math.asin(Math.min(1, Math.sqrt(a + b))))
}

interface Place {
  readonly lon: number
  readonly lat: number
}

type Sortable = string | number | boolean | bigint

/** Values of documents by sort key, because reading them takes most of the time of these tests. */
const known = new WeakMap<JsonObject, Map<string, Sortable | undefined>>()

function sortValue(sortKey: SortKey, document: JsonObject): Sortable | undefined {
  const name = JSON.stringify(sortKey)
  const values = known.get(document) ?? new Map<string, Sortable | undefined>()
  known.set(document, values)
  if (!values.has(name)) values.set(name, readValue(sortKey, document))
  return values.get(name)
}

function readValue(key: SortKey, document: JsonObject): Sortable | undefined {
  if (key.kind === 'field') return cursorAfter([key], document).values[0] ?? undefined
  const raw = document[key.field.path]
  const geometry = raw as unknown as { coordinates?: [number, number] }
  const places = (Array.isArray(raw) ? raw : raw === undefined ? [] : [raw]) as unknown as Place[]
  const all = geometry?.coordinates
    ? [distance(key, geometry.coordinates[0], geometry.coordinates[1])]
    : places.map(({ lon, lat }) => distance(key, lon, lat))
  return all.length === 0 ? undefined : key.descending ? Math.max(...all) : Math.min(...all)
}

function compareValues(a: Sortable | undefined, b: Sortable | undefined, descending: boolean): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  const order = typeof a === 'string' ? compareCodePoints(a, String(b)) : a < b ? -1 : a > b ? 1 : 0
  return descending ? -order : order
}

/** Sorts all matching documents. */
function sortedAll({ documents, live }: Store, { sort, predicate }: Pick<SearchPlan, 'sort' | 'predicate'>) {
  return live
    .flatMap(([table, number]) => {
      const document = documents[table]?.[number]
      if (!document || !holds(predicate, document)) return []
      return [{ table, number, document, values: sort.map((key) => sortValue(key, document)) }]
    })
    .sort((a, b) => {
      for (const [i, key] of sort.entries()) {
        const order = compareValues(a.values[i], b.values[i], key.descending)
        if (order !== 0) return order
      }
      return a.table - b.table || a.number - b.number
    })
}

async function page({ parts }: Store, plan: SearchPlan) {
  expect(pageGap(plan, parts)).toBeUndefined()
  const { rows, total } = await pageOfParts(plan, parts, new Turn())
  const found = rows.map(({ part, row }) => [parts[part]?.table, parts[part]?.part.seqs.seq(row)])
  return { found, total }
}

const placesOf = (rows: readonly { table: number; number: number }[]) => rows.map((r) => [r.table, r.number])

const key = (path: string, descending = false): SortKey => ({ kind: 'field', field: field(path), descending })
const near = (path: string, lon: number, lat: number, descending = false): SortKey => ({
  kind: 'distance',
  field: field(path),
  lon,
  lat,
  descending,
})

const predicates: readonly Predicate[] = [
  everything,
  everything,
  { kind: 'nothing' },
  { kind: 'equals', field: field('few'), values: ['zebra', 'é'] },
  { kind: 'equals', field: field('tags'), values: ['t7'] },
  { kind: 'exists', field: field('date') },
  { kind: 'range', field: field('n'), lower: { value: 10n, inclusive: false } },
  {
    kind: 'range',
    field: field('date'),
    lower: { value: Date.UTC(2024, 0, 5), inclusive: true },
    upper: { value: Date.UTC(2024, 0, 25), inclusive: false },
  },
  and([
    { kind: 'range', field: field('date'), upper: { value: Date.UTC(2024, 0, 20), inclusive: true } },
    { kind: 'equals', field: field('on'), values: [true] },
  ]),
]

const fieldPaths = ['date', 'id', 'few', 'tags', 'n', 'rising', 'size', 'sizes', 'on', 'rare']
const anyKey = record({ path: constantFrom(...fieldPaths), descending: boolean() }).map((k) =>
  key(k.path, k.descending),
)
const anyDistance = record({
  path: constantFrom('at', 'stops', 'area'),
  lon: integer({ min: -180, max: 180 }),
  lat: integer({ min: -90, max: 90 }),
  descending: boolean(),
}).map((k) => near(k.path, k.lon, k.lat, k.descending))
const anySort = record({
  distance: option(anyDistance, { freq: 3 }),
  keys: array(anyKey, { maxLength: 2 }),
  endsWithId: constantFrom(true, true, false),
}).map(({ distance: d, keys, endsWithId }) => [...(d ? [d] : []), ...keys, ...(endsWithId ? [key('id')] : [])])

describe.each([
  ['small parts', 60, 30],
  ['parts of several blocks', 9_000, 2_500],
])('a page of %s', (_, large, small) => {
  let store: Store
  beforeAll(() => {
    store = storeOf(large, small)
  })
  const numRuns = large > 1000 ? 45 : 300

  it('is that of the sorted documents', async () => {
    const plans = record({
      predicate: constantFrom(...predicates),
      sort: anySort,
      size: constantFrom(0, 1, 10, 50, 5000),
      from: constantFrom(0, 0, 3, 40, 20_000),
      wantsTotal: boolean(),
    })
    await assert(
      asyncProperty(plans, async (parts) => {
        const plan: SearchPlan = { indices: ['a', 'b'], ...parts }
        const all = sortedAll(store, plan)
        const { found, total } = await page(store, plan)
        expect(found).toEqual(placesOf(all.slice(plan.from, plan.from + plan.size)))
        expect(total).toBe(plan.wantsTotal ? all.length : undefined)
        expect(await countParts(plan.predicate, store.parts, new Turn())).toBe(all.length)
      }),
      { numRuns },
    )
  })

  it('concatenates with the next and the previous ones to the whole', async () => {
    const walks = record({
      predicate: constantFrom(...predicates),
      keys: array(anyKey, { maxLength: 2 }),
      isDescending: boolean(),
      size: integer({ min: Math.ceil(large / 8), max: large }),
      start: integer({ min: 0, max: large + 2 * small }),
    })
    await assert(
      asyncProperty(walks, async ({ predicate, keys, isDescending, size, start }) => {
        const sort = [...keys, key('id', isDescending)]
        const all = sortedAll(store, { predicate, sort })
        const whole = placesOf(all)
        const plan: SearchPlan = { indices: ['a', 'b'], predicate, sort, size, from: 0, wantsTotal: true }
        const at = all[start % Math.max(1, all.length)]
        if (!at) return
        const { values } = cursorAfter(sort, at.document)
        const middle = all.indexOf(at)
        for (let end = middle, next = values; ; end += size) {
          const { found, total } = await page(store, { ...plan, cursor: { direction: 'after', values: next } })
          expect(found).toEqual(whole.slice(end + 1, end + 1 + size))
          expect(total).toBe(all.length)
          const last = all[end + size]
          if (!last) break
          next = cursorAfter(sort, last.document).values
        }
        for (let begin = middle, next = values; ; begin -= size) {
          const { found } = await page(store, { ...plan, cursor: { direction: 'before', values: next } })
          expect(found).toEqual(whole.slice(Math.max(0, begin - size), begin))
          const first = all[begin - size]
          if (!first) break
          next = cursorAfter(sort, first.document).values
        }
      }),
      { numRuns: numRuns / 3 },
    )
  })

  it('lies on either side of a cursor, also where values end', async () => {
    const plans = record({
      predicate: constantFrom(...predicates),
      keys: array(anyKey, { minLength: 1, maxLength: 2 }),
      first: constantFrom('date', 'few', 'id', 'n'),
      endsWithId: boolean(),
      size: integer({ min: 1, max: 20 }),
      from: constantFrom(0, 0, 3),
      start: integer({ min: 0, max: large }),
      isAtEnd: boolean(),
      direction: constantFrom('after', 'before'),
    })
    await assert(
      asyncProperty(plans, async ({ keys, first, endsWithId, start, isAtEnd, direction, ...rest }) => {
        const sort = [key(first, keys[0]?.descending), ...keys.slice(1), ...(endsWithId ? [key('id')] : [])]
        const all = sortedAll(store, { ...rest, sort })
        const missing = all.findIndex(({ values: [value] }) => value === undefined)
        const at = all[isAtEnd && missing >= 0 ? missing - 6 + (start % 12) : start % Math.max(1, all.length)]
        if (!at) return
        const cursor = { direction, values: cursorAfter(sort, at.document).values }
        const sides = all.map(({ values }) => {
          const orders = sort.map((k, i) => compareValues(values[i], at.values[i], k.descending))
          return orders.find((order) => order !== 0) ?? 0
        })
        const beyond = all.filter((_, i) => (direction === 'after' ? (sides[i] ?? 0) > 0 : (sides[i] ?? 0) < 0))
        const end = beyond.length - rest.from
        const wanted =
          direction === 'after'
            ? beyond.slice(rest.from, rest.from + rest.size)
            : beyond.slice(Math.max(0, end - rest.size), Math.max(0, end))
        const plan: SearchPlan = { indices: ['a', 'b'], sort, ...rest, cursor, wantsTotal: false }
        expect((await page(store, plan)).found).toEqual(placesOf(wanted))
      }),
      { numRuns: large > 1000 ? 60 : 1_200 },
    )
  })

  it.each([false, true])('includes the ends of a walk by date (descending: %s)', async (descending) => {
    const sort = [key('date', descending), key('id')]
    const ranges: readonly Predicate[] = [
      everything,
      { kind: 'range', field: field('date'), upper: { value: Date.UTC(2024, 1, 5), inclusive: true } },
      { kind: 'range', field: field('date'), lower: { value: Date.UTC(2024, 0, 6), inclusive: true } },
    ]
    for (const predicate of ranges) {
      const all = sortedAll(store, { predicate, sort })
      const missing = all.findIndex(({ values: [value] }) => value === undefined)
      const end = missing < 0 ? all.length - 1 : missing
      for (let place = Math.max(0, end - 8); place < Math.min(all.length, end + 8); place++) {
        const { document } = all[place] ?? {}
        if (!document) throw new Error('no document')
        const { values } = cursorAfter(sort, document)
        const plan = { indices: [], predicate, sort, size: 5, from: 0, wantsTotal: false }
        const after = await page(store, { ...plan, cursor: { direction: 'after', values } })
        expect(after.found).toEqual(placesOf(all.slice(place + 1, place + 6)))
        const before = await page(store, { ...plan, cursor: { direction: 'before', values } })
        expect(before.found).toEqual(placesOf(all.slice(Math.max(0, place - 5), place)))
      }
    }
  })

  it('begins after values that do not occur', async () => {
    const sorts: readonly [SortKey, string | bigint | number][] = [
      [key('few'), 'b'],
      [key('few', true), '\u{1f601}'],
      [key('id'), 'i5'],
      [key('rare'), 'a'],
      [key('n'), 2n ** 70n],
      [key('n', true), 1000n],
      [key('rising'), 30n],
      [key('size', true), 0.25],
      [key('date'), Date.UTC(2024, 0, 9, 0, 30)],
    ]
    for (const [first, value] of sorts) {
      const sort = [first, key('id')]
      const all = sortedAll(store, { predicate: everything, sort })
      for (const direction of ['after', 'before'] as const) {
        const cursor = { direction, values: [value, ''] }
        const plan = { indices: [], predicate: everything, sort, size: 20, from: 5, cursor, wantsTotal: false }
        // The id is not empty, so a document with this very value comes after.
        const isBefore = (v: Sortable | undefined) => compareValues(v, value, first.descending) < 0
        const middle = all.filter(({ values: [v] }) => isBefore(v)).length
        const wanted = direction === 'after' ? all.slice(middle + 5, middle + 25) : all.slice(0, middle).slice(-25, -5)
        expect((await page(store, plan)).found).toEqual(placesOf(wanted))
      }
    }
  })
})

describe('the page gap', () => {
  it('tells of integers beyond 2^53', () => {
    const part = tailPart(mapping, [{ rising: 2 ** 60 }])
    const plan: SearchPlan = {
      indices: [],
      predicate: everything,
      sort: [key('rising')],
      size: 1,
      from: 0,
      wantsTotal: false,
    }
    expect(pageGap(plan, [{ part, table: 0 }])).toContain('2^53')
    expect(pageGap({ ...plan, sort: [key('n')] }, [{ part, table: 0 }])).toBeUndefined()
  })
})
