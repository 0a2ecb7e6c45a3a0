import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { AggregationLevel, Grouping } from '../../../query/plan/aggregation-plan.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { AggregationResult, Engine } from '../../engine.ts'
import { openDuckdbEngine } from '../open-engine.ts'

const mapping = {
  dynamic: false as const,
  properties: {
    id: { type: 'keyword' as const },
    kind: { type: 'keyword' as const },
    port: { type: 'keyword' as const },
    size: { type: 'integer' as const },
    weight: { type: 'integer' as const },
    seen: { type: 'date' as const },
  },
}

const DAY = 86_400_000
/** Terms with newlines, which must not be confused with separators. */
const first: readonly JsonObject[] = [
  { id: 'a', kind: 'x\ny', port: 'z', size: 1, seen: 0 },
  { id: 'b', kind: 'x', port: 'y\nz', size: 2, weight: 5, seen: 0 },
  { id: 'c', kind: 'x', port: 'y\nz', size: 3, seen: DAY },
]
/** Has a day and a kind no other document has. */
const later: readonly JsonObject[] = [{ id: 'd', kind: 'w', port: 'v', size: 4, weight: 1, seen: 9 * DAY }]

const directory = mkdtempSync(join(tmpdir(), 'periplus-late-documents-'))
let engine: Engine

beforeAll(async () => {
  engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 2 })
  await engine.createIndex('a', mapping)
  const write = (documents: readonly JsonObject[]) =>
    engine.write(
      'a',
      documents.map((source) => ({ kind: 'index', id: String(source.id), source })),
    )
  await write(first)
  await write(later)
  await engine.createIndex('b', mapping)
  await engine.write('b', [{ kind: 'index', id: 'e', source: { id: 'e', seen: [2 * DAY, 40 * DAY] } }])
})

afterAll(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

type Make = (field: (path: string) => Field) => readonly AggregationLevel[]

async function ask(
  make: Make,
  predicate?: (field: (path: string) => Field) => Predicate,
  indices: readonly string[] = ['a'],
): Promise<AggregationResult> {
  const schema = schemaOf(await engine.indices('*'))
  const field = (path: string): Field => {
    const found = schema.lookup(path)
    if (!found) throw new Error(path)
    return found
  }
  return engine.aggregate({
    indices,
    predicate: predicate?.(field) ?? { kind: 'everything' },
    levels: make(field),
    limits: { buckets: 100, bucketHits: 100 },
  })
}

const level = (grouping: Grouping, more: Partial<AggregationLevel> = {}): AggregationLevel => ({
  grouping,
  order: { by: 'key', descending: false },
  metrics: [],
  tops: [],
  ...more,
})

const days = (field: Field): Grouping => ({
  kind: 'datehistogram',
  field,
  interval: { kind: 'fixed', length: DAY },
})
/** Binds a value in every statement. */
const someSize = (f: (path: string) => Field): Predicate => ({
  kind: 'range',
  field: f('size'),
  lower: { value: 1n, inclusive: true },
})

it('picks documents of buckets that have none among the later rows', async () => {
  const result = await ask((f) => {
    const sort = ['weight', 'id'].map((path) => ({ kind: 'field', field: f(path), descending: false }) as const)
    return [level(days(f('seen')), { tops: [{ size: 1, sort }] })]
  }, someSize)
  const ids = result.buckets.map(({ key, tops }) => [Number(key) / DAY, tops[0]?.map(({ source }) => source.id)])
  expect(ids).toEqual([
    [0, ['b']],
    [1, ['c']],
    [9, ['d']],
  ])
})

it('counts distinct values where no later row is selected', async () => {
  const result = await ask(
    (f) => [level(days(f('seen')), { metrics: [{ kind: 'cardinality', field: f('size') }] })],
    (f) => ({ kind: 'range', field: f('size'), upper: { value: 3n, inclusive: true } }),
  )
  expect(result.buckets.map(({ key, metrics }) => [Number(key) / DAY, metrics])).toEqual([
    [0, [2]],
    [1, [1]],
  ])
})

it('tells nested terms apart by their own ends', async () => {
  const result = await ask((f) => [
    level({ kind: 'term', field: f('kind') }, { size: 10 }),
    level({ kind: 'term', field: f('port') }, { size: 10, metrics: [{ kind: 'cardinality', field: f('size') }] }),
  ])
  expect(result.buckets.map(({ key, children }) => [key, children?.buckets.map((b) => [b.key, b.metrics])])).toEqual([
    ['w', [['v', [1]]]],
    ['x', [['y\nz', [2]]]],
    ['x\ny', [['z', [1]]]],
  ])
})

it.each([[['a', 'b']], [['b', 'a']]])('counts months of one date and of several, in %j', async (indices) => {
  const months = (f: (path: string) => Field): Grouping => ({
    kind: 'datehistogram',
    field: f('seen'),
    interval: { kind: 'calendar', unit: 'month' },
  })
  const { total, buckets } = await ask((f) => [level(months(f))], undefined, indices)
  expect(total).toBe(5)
  expect(buckets.map(({ key, count }) => [key, count])).toEqual([
    [0, 5],
    [31 * DAY, 1],
  ])
})
