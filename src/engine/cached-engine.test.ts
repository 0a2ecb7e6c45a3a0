import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Selection } from '../query/plan/plan.ts'
import { everything } from '../query/plan/predicate.ts'
import type { Field } from '../query/schema/field.ts'
import { cachedEngine } from './cached-engine.ts'
import { openDuckdbEngine } from './duckdb/open-engine.ts'
import type { Engine } from './engine.ts'

const kind: Field = { path: 'kind', type: 'KEYWORD', indexed: true, nested: false }
const size: Field = { path: 'size', type: 'LONG', indexed: true, nested: false }

let directory: string
let inner: Engine
let engine: Engine

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-cache-'))
  inner = await openDuckdbEngine({ directory, memoryMiB: 128, threads: 1, concurrency: 2 })
  engine = cachedEngine(inner, { maxBytes: 1_000_000 })
  for (const name of ['one', 'two']) {
    await engine.createIndex(name, { properties: { kind: { type: 'keyword' }, size: { type: 'long' } } })
    await write(name, 'a', 'b')
  }
  await engine.write('two', [{ kind: 'index', id: 'known', source: { kind: 'a' } }])
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

const write = (index: string, ...kinds: string[]): Promise<unknown> =>
  engine.write(
    index,
    kinds.map((value, i) => ({ kind: 'index', source: { kind: value, size: i } })),
  )

const ofKind = (value: string, ...indices: string[]): Selection => ({
  indices: indices.length === 0 ? ['one'] : indices,
  predicate: { kind: 'equals', field: kind, values: [value] },
})

const hitsAndMisses = (): unknown => {
  const { hits, misses } = engine.statistics?.().cache ?? {}
  return { hits, misses }
}

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every((member) => isDeeplyFrozen(member)))

describe('an engine with kept answers', () => {
  it('answers the same question from memory, also when its members come in another order', async () => {
    expect(await engine.count(ofKind('a'))).toBe(1)
    expect(hitsAndMisses()).toEqual({ hits: 0, misses: 1 })
    const { predicate, indices } = ofKind('a')
    expect(await engine.count({ predicate: { ...predicate }, indices: [...indices] })).toBe(1)
    expect(hitsAndMisses()).toEqual({ hits: 1, misses: 1 })
    const idle = { reads: { running: 0, waiting: 0 }, cache: { entries: 1 } }
    await expect.poll(() => engine.statistics?.()).toMatchObject(idle)
  })

  it.each<[string, (asked: Engine) => Promise<unknown>]>([
    [
      'aggregations',
      (asked) =>
        asked.aggregate({
          ...ofKind('a', 'one', 'two'),
          levels: [
            {
              grouping: { kind: 'term', field: kind },
              order: { by: 'key', descending: false },
              metrics: [{ kind: 'max', field: size }],
              tops: [{ size: 1, sort: [{ kind: 'field', field: size, descending: false }] }],
            },
          ],
          limits: { buckets: 100, bucketHits: 100 },
        }),
    ],
    ['figures', (asked) => asked.measure({ ...ofKind('a'), metrics: [{ kind: 'avg', field: size }] })],
    ['suggestions', (asked) => asked.suggest({ ...ofKind('a'), fields: [kind], prefix: '', size: 10 })],
  ])('keeps %s as the engine gives them, frozen', async (_name, ask) => {
    const answer = await ask(engine)
    expect(answer).toEqual(await ask(inner))
    expect(await ask(engine)).toBe(answer)
    expect(hitsAndMisses()).toEqual({ hits: 1, misses: 1 })
    expect(isDeeplyFrozen(answer)).toBe(true)
  })

  it('tells questions apart', async () => {
    const sizes = (value: bigint | number): Selection => ({
      indices: ['one'],
      predicate: { kind: 'range', field: size, lower: { value, inclusive: true } },
    })
    const answers = [
      await engine.count(ofKind('a')),
      await engine.count(ofKind('c')),
      await engine.count(ofKind('a', 'one', 'two')),
      await engine.count({ indices: ['one'], predicate: everything }),
      await engine.count(sizes(1n)),
      await engine.count(sizes(0n)),
    ]
    expect(answers).toEqual([1, 0, 3, 2, 1, 2])
    expect(hitsAndMisses()).toEqual({ hits: 0, misses: 6 })
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a document was written', () => write('two', 'a')],
    ['a document was deleted', () => engine.write('two', [{ kind: 'delete', id: 'known' }])],
    ['the mapping was extended', () => engine.extendMapping('two', { properties: { other: { type: 'keyword' } } })],
  ])('asks again after %s, in any index of the question', async (_name, change) => {
    const both = ofKind('a', 'one', 'two')
    await engine.count(both)
    await engine.count(ofKind('a', 'one'))
    await change()
    expect(await engine.count(both)).toBe(await inner.count(both))
    expect(hitsAndMisses()).toEqual({ hits: 0, misses: 3 })
    await engine.count(ofKind('a', 'one'))
    expect(hitsAndMisses()).toEqual({ hits: 1, misses: 3 })
  })

  it('asks again after an index was made anew, and lets the engine say that it is gone', async () => {
    expect(await engine.count(ofKind('a'))).toBe(1)
    await engine.dropIndex('one')
    await expect(engine.count(ofKind('a'))).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    await engine.createIndex('one', { properties: { kind: { type: 'keyword' } } })
    await write('one', 'a', 'a', 'a')
    expect(await engine.count(ofKind('a'))).toBe(3)
  })

  it('never answers with less than was acknowledged before the question', async () => {
    let acknowledged = 1
    const writing = (async () => {
      for (let i = 0; i < 40; i++) {
        await write('one', 'a')
        acknowledged++
      }
    })()
    const asking = Array.from({ length: 4 }, async () => {
      while (acknowledged < 41) {
        const before = acknowledged
        expect(await engine.count(ofKind('a'))).toBeGreaterThanOrEqual(before)
        // A cached result does not yield to the event loop, which the writes need.
        await setImmediate()
      }
    })
    await Promise.all([writing, ...asking])
    expect(await engine.count(ofKind('a'))).toBe(41)
  })
})

describe('questions that come while the same one is being answered', () => {
  let asked: AbortSignal[]
  let gate: PromiseWithResolvers<void>

  beforeEach(() => {
    asked = []
    gate = Promise.withResolvers()
    // The real engine behind a gate, so that requests overlap.
    const gated: Engine = {
      ...cachedEngine(inner, { maxBytes: 1 }),
      async count(selection, signal) {
        if (signal) asked.push(signal)
        await gate.promise
        return inner.count(selection, signal)
      },
    }
    engine = cachedEngine(gated, { maxBytes: 1_000_000 })
  })

  const underway = (count: number): Promise<unknown> => expect.poll(() => asked.length).toBe(count)

  it('wait for that answer', async () => {
    const answers = Promise.all([engine.count(ofKind('a')), engine.count(ofKind('a')), engine.count(ofKind('b'))])
    await underway(2)
    gate.resolve()
    expect(await answers).toEqual([1, 1, 1])
    expect(hitsAndMisses()).toEqual({ hits: 1, misses: 2 })
    expect(asked).toHaveLength(2)
  })

  it('still get it when the one that asked first leaves', async () => {
    const leaving = new AbortController()
    const first = engine.count(ofKind('a'), leaving.signal)
    const second = engine.count(ofKind('a'), new AbortController().signal)
    await underway(1)
    leaving.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    gate.resolve()
    expect(await second).toBe(1)
  })

  it('stop the engine when all have left, and the next asks anew', async () => {
    const controllers = [new AbortController(), new AbortController()]
    const answers = Promise.allSettled(controllers.map((c) => engine.count(ofKind('a'), c.signal)))
    await underway(1)
    controllers[0]?.abort(new Error('left'))
    expect(asked[0]?.aborted).toBe(false)
    controllers[1]?.abort(new Error('left'))
    await answers
    expect(asked[0]?.aborted).toBe(true)
    const next = engine.count(ofKind('a'))
    await underway(2)
    gate.resolve()
    expect(await next).toBe(1)
  })

  it('share its fault, which is not kept', async () => {
    const answers = Promise.allSettled([engine.count(ofKind('a')), engine.count(ofKind('a'))])
    await underway(1)
    gate.reject(new Error('out of order'))
    for (const answer of await answers) expect(answer).toMatchObject({ reason: { message: 'out of order' } })
    gate = Promise.withResolvers()
    gate.resolve()
    expect(await engine.count(ofKind('a'))).toBe(1)
    expect(asked).toHaveLength(2)
  })

  it('do not get an answer begun before a write they come after, and it is not kept', async () => {
    const early = engine.count(ofKind('a'))
    await underway(1)
    await write('one', 'a')
    const late = engine.count(ofKind('a'))
    await underway(2)
    gate.resolve()
    await early
    expect(await late).toBe(2)
    expect(hitsAndMisses()).toEqual({ hits: 0, misses: 2 })
    expect(engine.statistics?.().cache?.entries).toBe(1)
    expect(await engine.count(ofKind('a'))).toBe(2)
    expect(hitsAndMisses()).toEqual({ hits: 1, misses: 2 })
  })
})
