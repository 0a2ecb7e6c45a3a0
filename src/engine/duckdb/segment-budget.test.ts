import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import { everything } from '../../query/plan/predicate.ts'
import { TaggedEngine } from './tagged-engine.fixture.ts'

const NUMBERS = Array.from({ length: 12 }, (_, i) => `n${i}`)
const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'double' }])),
  },
}
const COUNT = 5_000
/** Of one number of all documents. */
const COLUMN = COUNT * 8
const BUDGET = 4 * COLUMN

let tagged: TaggedEngine

beforeEach(async () => {
  tagged = await TaggedEngine.open({ segmentBytes: BUDGET })
  await tagged.engine.createIndex('things', mapping)
  const make = (i: number): JsonObject => ({
    id: `id-${i}`,
    ...Object.fromEntries(NUMBERS.map((name, k) => [name, i / (k + 3)])),
  })
  await tagged.put('things', Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`d${i}`, make(i)])))
  await tagged.engine.arrange('things')
})

afterEach(() => tagged.close())

const memory = () => {
  const statistics = tagged.engine.statistics?.().memory
  if (!statistics) throw new Error('the engine has no memory statistics')
  return statistics
}

async function sumOf(name: string): Promise<void> {
  const field = await tagged.field(name)
  const plan = { indices: ['things'], predicate: everything, metrics: [{ kind: 'sum' as const, field }] }
  const { values } = await tagged.engine.measure(plan)
  const k = NUMBERS.indexOf(name) + 3
  expect(values[0]).toBeCloseTo((COUNT * (COUNT - 1)) / 2 / k, 3)
}

test('columns in memory stay within the budget, and are read again when they are needed', async () => {
  for (const name of [...NUMBERS, ...NUMBERS]) {
    await sumOf(name)
    expect(memory().bytes).toBeLessThanOrEqual(BUDGET)
  }
  // Each column was dropped before its turn came again.
  expect(memory()).toMatchObject({ maxBytes: BUDGET, loads: 24 })
  await sumOf('n11')
  expect(memory().loads).toBe(24)
})

test('concurrent requests take no more than the budget and the columns they use', async () => {
  let most = 0
  const watch = async (name: string): Promise<void> => {
    await sumOf(name)
    most = Math.max(most, memory().bytes)
  }
  await Promise.all(NUMBERS.map(watch))
  // With blocks, which are small. At most eight requests run at once.
  expect(most).toBeLessThanOrEqual(BUDGET + 8 * COLUMN * 1.1)
  expect(memory().bytes).toBeLessThanOrEqual(BUDGET)
})

test('writes release identifiers and row numbers', async () => {
  await tagged.engine.write('things', [
    { kind: 'delete', id: 'd1' },
    { kind: 'update', id: 'd2', doc: { n0: 1 } },
  ])
  expect(memory().bytes).toBeLessThanOrEqual(BUDGET)
  expect(await tagged.engine.count({ indices: ['things'], predicate: everything })).toBe(COUNT - 1)
})
