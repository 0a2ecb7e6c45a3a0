import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someOf } from '../../../test/support/thorough.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { TagAction, TagValue } from '../../model/tag-request.ts'
import { parseKeywordPattern } from '../../query/pattern/keyword-pattern-parser.ts'
import type { AggregationLevel, Grouping } from '../../query/plan/aggregation-plan.ts'
import { everything, not, type Predicate, type Scalar } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { batchesOf, TaggedEngine } from './tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    name: { type: 'keyword' },
    kind: { type: 'keyword' },
    sort: { type: 'keyword' },
    seen: { type: 'date' },
    also: { type: 'date' },
    count: { type: 'long' },
    where: { type: 'geo_point' },
  },
}
const DAY = 86_400_000
const COUNT = 600

const make = (i: number): JsonObject => ({
  id: `id-${i}`,
  name: `name-${(i * 7) % COUNT}`,
  ...(i % 7 === 0 ? {} : { kind: `kind ${i % 5}` }),
  sort: `sort ${i % 4}`,
  seen: i * DAY,
  also: (i % 50) * DAY,
  count: i % 20,
  where: { lon: ((i * 37) % 360) - 180, lat: ((i * 17) % 170) - 85 },
})

let tagged: TaggedEngine

beforeEach(async () => {
  tagged = await TaggedEngine.open(batchesOf(100))
  await tagged.engine.createIndex('things', mapping)
  await tagged.put('things', Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`d${i}`, make(i)])))
  await tagged.engine.arrange('things')
})

afterEach(() => tagged.close())

/** Results of queries of all kinds on the tagged fields. */
async function answers(index: string): Promise<Record<string, unknown>> {
  const { engine } = tagged
  const indices = [index]
  const field = (path: string): Promise<Field> => tagged.field(path)
  const found: Record<string, unknown> = {}
  const equals = async (path: string, value: Scalar): Promise<Predicate> => ({
    kind: 'equals',
    field: await field(path),
    values: [value],
  })
  for (const [path, ...values] of [
    ['kind', 'kind 1', 'v', 'none'],
    ['name', 'name-7', 'v', 'id-3'],
    ['sort', 'sort 2'],
    ['seen', 3 * DAY, 5],
    ['count', 3n, 7n],
  ] as [string, ...Scalar[]][]) {
    for (const value of values) {
      const predicate = await equals(path, value)
      found[`eq ${path} ${value}`] = await engine.count({ indices, predicate })
      found[`ne ${path} ${value}`] = await engine.count({ indices, predicate: not(predicate) })
    }
    const grouping: Grouping =
      path === 'seen'
        ? { kind: 'datehistogram', field: await field(path), interval: { kind: 'fixed', length: DAY } }
        : { kind: 'term', field: await field(path) }
    found[`terms ${path}`] = await aggregate(index, grouping)
    const metrics = [{ kind: 'cardinality', field: await field(path) }] as const
    found[`distinct ${path}`] = await engine.measure({ indices, predicate: everything, metrics })
    for (const descending of [false, true]) {
      const sort = [
        { kind: 'field', field: await field(path), descending },
        { kind: 'field', field: await field('id'), descending: false },
      ] as const
      const page = { indices, predicate: everything, sort, size: 40, from: 0, wantsTotal: true }
      found[`sort ${path} ${descending}`] = (await engine.search(page)).hits.map(({ source }) => source.id)
    }
  }
  const recent: Predicate = {
    kind: 'and',
    members: [
      await equals('kind', 'kind 1'),
      { kind: 'range', field: await field('seen'), lower: { value: 250 * DAY, inclusive: true } },
    ],
  }
  found.recent = await engine.count({ indices, predicate: recent })
  found['recent kinds'] = await aggregate(index, { kind: 'term', field: await field('kind') }, recent)
  const sort = [
    { kind: 'field', field: await field('seen'), descending: true },
    { kind: 'field', field: await field('id'), descending: false },
  ] as const
  const newest = await engine.search({ indices, predicate: recent, sort, size: 20, from: 0, wantsTotal: true })
  found.newest = [newest.total, newest.hits.map(({ source }) => source.id)]
  found.months = await aggregate(index, {
    kind: 'datehistogram',
    field: await field('also'),
    interval: { kind: 'calendar', unit: 'month' },
  })
  found.tiles = await aggregate(index, { kind: 'geotile', field: await field('where'), level: 3 })
  for (const path of ['kind', 'name']) {
    const pattern = parseKeywordPattern('.*1', 100)
    const like: Predicate = { kind: 'pattern', field: await field(path), pattern }
    found[`like ${path}`] = await engine.count({ indices, predicate: like })
    const prefix = path === 'kind' ? 'k' : 'name-1'
    const plan = { indices, predicate: everything, fields: [await field(path)], prefix, size: 20 }
    found[`suggest ${path}`] = (await engine.suggest(plan)).map(({ text, count }) => [text, count])
    found[`suggest v ${path}`] = (await engine.suggest({ ...plan, prefix: 'v' })).map(({ text, count }) => [
      text,
      count,
    ])
  }
  return found
}

async function aggregate(index: string, grouping: Grouping, predicate: Predicate = everything): Promise<unknown> {
  const level: AggregationLevel = { grouping, order: { by: 'key', descending: false }, metrics: [], tops: [] }
  const limits = { buckets: 10_000, bucketHits: 1 }
  const { buckets, total } = await tagged.engine.aggregate({
    indices: [index],
    predicate,
    levels: [level],
    limits,
  })
  return [total, buckets.map(({ key, count }) => [key, count])]
}

/** Compares with an index loaded with the current documents. */
async function expectAsFreshlyLoaded(): Promise<void> {
  await tagged.engine.createIndex('fresh', (await tagged.engine.indices('things'))[0]?.mapping ?? mapping)
  await tagged.put('fresh', (await tagged.sources()) as Record<string, JsonObject>)
  const expected = await answers('fresh')
  await tagged.engine.dropIndex('fresh')
  expect(await answers('things')).toEqual(expected)
}

const tags: readonly (readonly [TagAction, string, TagValue | undefined])[] = [
  ['ADD', 'kind', 'v'],
  ['REMOVE', 'kind', 'kind 1'],
  ['REMOVEALL', 'kind', undefined],
  ['ADD', 'name', 'v'],
  ['REMOVEALL', 'name', undefined],
  ['ADD', 'seen', 5],
  ['REMOVEALL', 'seen', undefined],
  ['ADD', 'count', 7],
]

describe('after a tag, answers are those of an index loaded with the tagged documents', () => {
  it.each(someOf(tags, 1 / 2))('%s %s %s', async (action, path, value) => {
    const target: Predicate = {
      kind: 'range',
      field: await tagged.field('count'),
      lower: { value: 5n, inclusive: true },
    }
    await tagged.tag(action, value, { path, target })
    await expectAsFreshlyLoaded()
    await tagged.restart()
    await expectAsFreshlyLoaded()
    await tagged.put('things', { late: { id: 'late', kind: 'kind 1', seen: 3 * DAY, count: 7 } })
    await expectAsFreshlyLoaded()
    await tagged.engine.arrange('things')
    await expectAsFreshlyLoaded()
  })
})

describe('storage', () => {
  it('is merged before a batch when the log has grown', async () => {
    await tagged.close()
    const options = batchesOf(100).tagging
    tagged = await TaggedEngine.open(options ? { tagging: { ...options, walLimit: 1 } } : {})
    await tagged.engine.createIndex('things', mapping)
    await tagged.put('things', Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`d${i}`, make(i)])))
    expect(await tagged.tag('ADD', 'v', { path: 'kind' })).toMatchObject({ updated: COUNT })
    await expectAsFreshlyLoaded()
  })
})
