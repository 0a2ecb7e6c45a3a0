import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { Grouping } from '../../../query/plan/aggregation-plan.ts'
import type { Cursor, SearchPlan } from '../../../query/plan/plan.ts'
import { everything, not, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'
import { compareNewest } from './newest-order.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    seen: { type: 'date' },
    n: { type: 'integer' },
  },
}
const HOUR = 3_600_000

/** Several documents with equal dates, some without a date. */
const make = (i: number): JsonObject => ({
  id: `id-${String((i * 7) % 500).padStart(3, '0')}`,
  kind: `kind ${i % 6}`,
  ...(i % 11 === 0 ? {} : { seen: ((i * 13) % 90) * HOUR }),
  n: i,
})

let tagged: TaggedEngine
let documents: Map<string, JsonObject>
let seen: Field
let kind: Field
let sort: SearchPlan['sort']

beforeEach(async () => {
  tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', mapping)
  documents = new Map()
  await put(0, 400)
  await tagged.engine.arrange('things')
  seen = await tagged.field('seen')
  kind = await tagged.field('kind')
  sort = [
    { kind: 'field', field: seen, descending: true },
    { kind: 'field', field: await tagged.field('id'), descending: false },
  ]
})

afterEach(() => tagged.close())

async function put(from: number, to: number): Promise<void> {
  const added = Array.from({ length: to - from }, (_, i) => [`d${from + i}`, make(from + i)] as const)
  for (const [id, document] of added) documents.set(id, document)
  await tagged.put('things', Object.fromEntries(added))
}

interface Case {
  readonly name: string
  readonly predicate: Predicate
  readonly holds: (document: JsonObject) => boolean
}

function cases(): readonly Case[] {
  const among = (...values: string[]): Predicate => ({ kind: 'equals', field: kind, values })
  const between = (from: number, to: number): Predicate => ({
    kind: 'range',
    field: seen,
    lower: { value: from * HOUR, inclusive: true },
    upper: { value: to * HOUR, inclusive: false },
  })
  const isAmong = (document: JsonObject, ...values: string[]): boolean => values.includes(String(document.kind))
  const isBetween = ({ seen: at }: JsonObject, from: number, to: number): boolean =>
    at !== undefined && Number(at) >= from * HOUR && Number(at) < to * HOUR
  return [
    { name: 'all', predicate: everything, holds: () => true },
    { name: 'of a kind', predicate: among('kind 2'), holds: (d) => isAmong(d, 'kind 2') },
    { name: 'of no kind there is', predicate: among('none'), holds: () => false },
    { name: 'of the last hours', predicate: between(70, 200), holds: (d) => isBetween(d, 70, 200) },
    {
      name: 'of kinds, in a range',
      predicate: { kind: 'and', members: [among('kind 2', 'kind 4'), between(20, 40)] },
      holds: (d) => isAmong(d, 'kind 2', 'kind 4') && isBetween(d, 20, 40),
    },
    {
      name: 'of other kinds, or without a date',
      predicate: { kind: 'or', members: [not(among('kind 1', 'kind 2')), not({ kind: 'exists', field: seen })] },
      holds: (d) => !isAmong(d, 'kind 1', 'kind 2') || d.seen === undefined,
    },
  ]
}

const cursorAt = (document: JsonObject | undefined, direction: Cursor['direction']): Cursor => ({
  direction,
  values: [document?.seen === undefined ? null : Number(document.seen), String(document?.id)],
})

async function expectRight(): Promise<void> {
  for (const { name, predicate, holds } of cases()) {
    const expected = [...documents.values()].filter(holds).toSorted(compareNewest)
    const selection = { indices: ['things'], predicate }
    expect(await tagged.engine.count(selection), name).toBe(expected.length)
    const plan = { ...selection, sort, size: 45, from: 0, wantsTotal: true }
    const pages: unknown[] = []
    let cursor: Cursor | undefined
    for (;;) {
      const page = await tagged.engine.search(cursor ? { ...plan, cursor } : plan)
      expect(page.total, name).toBe(expected.length)
      pages.push(...page.hits.map(({ source }) => source.n))
      if (page.hits.length < plan.size || pages.length > expected.length) break
      cursor = cursorAt(expected[pages.length - 1], 'after')
    }
    expect(pages, name).toEqual(expected.map(({ n }) => n))
    const later = await tagged.engine.search({ ...plan, from: 10, size: 5, wantsTotal: false })
    expect(
      later.hits.map(({ source }) => source.n),
      name,
    ).toEqual(expected.slice(10, 15).map(({ n }) => n))
    const middle = expected.length >> 1
    const before = await tagged.engine.search({ ...plan, size: 5, cursor: cursorAt(expected[middle], 'before') })
    expect(
      before.hits.map(({ source }) => source.n),
      name,
    ).toEqual(expected.slice(Math.max(0, middle - 5), middle).map(({ n }) => n))
    await expectGroupsRight(name, predicate, expected)
  }
}

async function expectGroupsRight(name: string, predicate: Predicate, expected: readonly JsonObject[]): Promise<void> {
  const groupings: readonly (readonly [Grouping, (document: JsonObject) => unknown])[] = [
    [{ kind: 'term', field: kind }, (d) => d.kind],
    [
      { kind: 'datehistogram', field: seen, interval: { kind: 'fixed', length: 24 * HOUR } },
      (d) => d.seen !== undefined && Math.floor(Number(d.seen) / (24 * HOUR)) * 24 * HOUR,
    ],
    [
      { kind: 'datehistogram', field: seen, interval: { kind: 'fixed', length: 5 * HOUR } },
      (d) => d.seen !== undefined && Math.floor(Number(d.seen) / (5 * HOUR)) * 5 * HOUR,
    ],
  ]
  for (const [grouping, key] of groupings) {
    const { total, buckets } = await tagged.engine.aggregate({
      indices: ['things'],
      predicate,
      levels: [{ grouping, order: { by: 'key', descending: false }, metrics: [], tops: [] }],
      limits: { buckets: 1_000, bucketHits: 1 },
    })
    const keys = expected.map(key).filter((k) => k !== false && k !== undefined)
    const counts = new Map([...Map.groupBy(keys, (k) => k)].map(([k, { length }]) => [k, length]))
    expect(new Map(buckets.map((bucket) => [bucket.key, bucket.count])), name).toEqual(counts)
    expect(total, name).toBe(expected.length)
  }
}

describe('the newest documents, and those of a range of time, are right', () => {
  it('when storage is in order', expectRight)

  it('after a restart', async () => {
    await tagged.restart()
    await expectRight()
  })

  it('when documents came since, and when these are in order too', async () => {
    await put(400, 420)
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })

  it('when documents went, and when storage is in order again', async () => {
    const gone = ['d3', 'd4', 'd390']
    for (const id of gone) documents.delete(id)
    await tagged.engine.write(
      'things',
      gone.map((id) => ({ kind: 'delete', id })),
    )
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })

  it.each([
    ['kind', 'kind 2', 'REMOVEALL'],
    ['seen', 'kind 4', 'REMOVEALL'],
  ] as const)('when an edit took %s away from some', async (path, value, action) => {
    await tagged.tag(action, undefined, { path, target: { kind: 'equals', field: kind, values: [value] } })
    for (const [id, document] of documents) {
      if (document.kind !== value) continue
      const { [path]: _removed, ...rest } = document
      documents.set(id, rest)
    }
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })

  it('when an edit of something else moved their sources', async () => {
    await tagged.tag('ADD', 'seen before', {
      path: 'label',
      target: { kind: 'equals', field: kind, values: ['kind 2'] },
    })
    await expectRight()
    const plan = { indices: ['things'], predicate: everything, sort, size: 60, from: 0, wantsTotal: false }
    const { hits } = await tagged.engine.search(plan)
    for (const { source } of hits) expect('label' in source).toBe(source.kind === 'kind 2')
    expect(new Set(hits.map(({ source }) => source.kind)).size).toBe(6)
  })
})
