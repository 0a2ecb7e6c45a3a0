import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import type { TagStatus } from '../../tag-store.ts'
import { batchesOf, TaggedEngine } from '../tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    tags: { type: 'keyword' },
    size: { type: 'double' },
    count: { type: 'long' },
    seen: { type: 'date' },
    on: { type: 'boolean' },
    from: { type: 'ip' },
  },
}

let tagged: TaggedEngine
const { signal } = new AbortController()

beforeEach(async () => {
  tagged = await TaggedEngine.open(batchesOf(3))
  await tagged.engine.createIndex('things', mapping)
})

afterEach(() => tagged.close())

/** Ids of the documents with the tag. */
async function holders(value: unknown, index = 'things'): Promise<readonly string[]> {
  return Object.entries(await tagged.sources(index))
    .filter(([, source]) => ((source as JsonObject).tags as readonly unknown[] | null | undefined)?.includes(value))
    .map(([id]) => id)
    .sort()
}

const equals = async (path: string, ...values: (string | number | bigint | boolean)[]): Promise<Predicate> => ({
  kind: 'equals',
  field: await tagged.field(path),
  values,
})

describe('propagation', () => {
  it('tags what shares a value with the selection, one unit after the other', async () => {
    await tagged.put('things', {
      a: { kind: 'x', count: 1 },
      b: { kind: 'y', count: 2 },
      c: { kind: 'y', count: 3 },
      d: { kind: 'x', count: 4 },
      e: { kind: 'z', count: 5 },
      f: { kind: 'x', count: 6 },
    })
    const selection = await equals('count', 2n, 4n)
    const statuses = await tagged.run(await tagged.task('ADD', 'v', { propagation: { field: 'kind', selection } }))
    expect(statuses.map((s) => [s.propagated, s.nbRequest, s.updated, s.unitDone, s.unitTotal, s.finished])).toEqual([
      [2, 0, 0, 0, 0, false],
      [2, 1, 3, 0, 0, false],
      [2, 2, 5, 0, 0, true],
    ])
    expect(await holders('v')).toEqual(['a', 'b', 'c', 'd', 'f'])
  })

  it('tags small units of a large index several at once, as their rows lie', async () => {
    await tagged.close()
    const { tagging } = batchesOf(2)
    tagged = await TaggedEngine.open({ tagging: { ...tagging, blocks: { from: 8, share: 0.25 } } })
    await tagged.engine.createIndex('things', mapping)
    // Two blocks: w, which is over the limit, with x; y with z.
    const kinds = ['z', 'x', 'y', 'w', 'x', 'w', 'w', 'x', 'w', 'w']
    await tagged.put('things', Object.fromEntries(kinds.map((kind, i) => [`d${i}`, { kind }])))
    const task = await tagged.task('ADD', 'v', { maxHits: 3, propagation: { field: 'kind' } })
    const statuses = await tagged.run(task)
    expect(statuses.map((s) => [s.propagated, s.nbRequest, s.updated, s.unitDone, s.unitTotal, s.finished])).toEqual([
      [4, 0, 0, 0, 0, false],
      [4, 0, 2, 2, 3, false],
      // Half of two units.
      [4, 2, 4, 2, 2, false],
      [4, 4, 5, 0, 0, true],
    ])
    expect(await holders('v')).toEqual(['d0', 'd1', 'd2', 'd4', 'd7'])
  })

  it('narrows what is tagged by the target', async () => {
    await tagged.put('things', { a: { kind: 'x', count: 1 }, b: { kind: 'x', count: 2 }, c: { kind: 'y', count: 2 } })
    const target = await equals('count', 2n)
    const status = await tagged.tag('ADD', 'v', { target, propagation: { field: 'kind' } })
    expect(status).toMatchObject({ propagated: 2, nbRequest: 2, updated: 2 })
    const none = await tagged.tag('ADD', 'w', { target: await equals('count', 1n), propagation: { field: 'kind' } })
    expect(none).toMatchObject({ propagated: 2, nbRequest: 2, updated: 1 })
    expect(await holders('w')).toEqual(['a'])
  })

  it('is finished by its plan when there is no value', async () => {
    await tagged.put('things', { a: { kind: 'x' } })
    const task = await tagged.task('ADD', 'v', { propagation: { field: 'kind', selection: { kind: 'nothing' } } })
    const status = await tagged.tags.plan(task, signal)
    expect(status).toMatchObject({ propagated: 0, nbRequest: 0, updated: 0, finished: true })
    expect(await tagged.tags.underWay('things')).toBeUndefined()
    expect((await tagged.tags.position('things')).nextOffset).toBe(1)
    expect(await tagged.tags.status(task.record.id)).toEqual(status)
  })

  const fields: readonly (readonly [string, readonly unknown[]])[] = [
    ['kind', ['a,b', 'a', 'b', 'é', '[x', 'a:b', '\u001f', '\u001e1']],
    ['count', [3, -1, 20, 3.7]],
    ['size', [1.5, 0.1, -3e300]],
    ['seen', ['2020-01-01', 5, '1969-12-31']],
    ['on', [true, false]],
    ['from', ['10.0.0.1', '::1']],
  ]
  it.each(fields)('by %s, single values and several', async (path, values) => {
    const sources: Record<string, JsonObject> = {}
    for (const [i, value] of values.entries()) sources[`d${i}`] = { [path]: value as string }
    sources.all = { [path]: [...values, values[0]] as string[] }
    sources.none = { [path]: null }
    await tagged.put('things', sources)
    const distinct = path === 'count' ? 3 : values.length
    const status = await tagged.tag('ADD', 'v', { propagation: { field: path } })
    expect(status).toMatchObject({ propagated: distinct, updated: values.length + distinct })
    expect(await holders('v')).toEqual(
      Object.keys(sources)
        .filter((id) => id !== 'none')
        .sort(),
    )
  })

  it('orders units by value', async () => {
    const order = async (path: string): Promise<readonly string[]> => {
      const status = await tagged.tag('ADD', 'v', { maxHits: 0, propagation: { field: path } })
      return status.failures.map(({ id }) => id)
    }
    await tagged.put('things', {
      a: { kind: ['b', '\u{1F600}'], count: 10, on: true, size: 2, seen: 7, from: '10.0.0.2' },
      b: { kind: ['a', '\uFFFD', 'B'], count: [9, -5], on: false, size: 10.5, seen: -7, from: '9.0.0.1' },
    })
    expect(await order('kind')).toEqual(['B', 'a', 'b', '\uFFFD', '\u{1F600}'])
    expect(await order('count')).toEqual(['-5', '9', '10'])
    expect(await order('on')).toEqual(['false', 'true'])
    expect(await order('size')).toEqual(['2', '10.5'])
    expect(await order('seen')).toEqual(['-7', '7'])
    expect(await order('from')).toEqual(['9.0.0.1', '10.0.0.2'])
  })

  it('leaves out units beyond the limit, and counts them when those before are done', async () => {
    const kinds = ['a', 'b', 'b', 'c', 'd', 'd']
    await tagged.put('things', Object.fromEntries(kinds.map((kind, i) => [`d${i}`, { kind }])))
    const task = await tagged.task('ADD', 'v', { maxHits: 1, propagation: { field: 'kind' } })
    const statuses = await tagged.run(task)
    const message =
      'The value b of kind selects 2 documents, more than update_max_hits 1 of collection things; none of them was changed.'
    expect(statuses[0]).toMatchObject({ propagated: 4, nbRequest: 0, failed: 2, updated: 0 })
    expect(statuses[0]?.failures[0]).toEqual({ id: 'b', type: 'LIMIT_EXCEEDED', message })
    expect(statuses.at(-1)).toMatchObject({ propagated: 4, nbRequest: 4, failed: 2, updated: 2, finished: true })
    expect(await holders('v')).toEqual(['d0', 'd3'])
  })
})

describe('several indices', () => {
  it('share a plan; a field of another type counts as missing', async () => {
    await tagged.engine.createIndex('others', {
      properties: { kind: { type: 'keyword' }, count: { type: 'keyword' }, tags: { type: 'long' } },
    })
    await tagged.put('things', { a: { kind: 'x', count: 1 }, b: { kind: 'y' } })
    await tagged.put('others', { c: { kind: 'x', count: '1' }, d: { kind: 'z' } })
    const indices = ['others', 'things']
    expect(await tagged.tag('ADD', 7, { indices })).toMatchObject({ updated: 4, failed: 0 })
    expect(await holders(7, 'others')).toEqual(['c', 'd'])
    const status = await tagged.tag('ADD', 8, { indices, propagation: { field: 'kind' } })
    expect(status).toMatchObject({ propagated: 3, updated: 4 })
    const field = { path: 'count', type: 'LONG', indexed: true, nested: false } as const
    const task = await tagged.task('ADD', 9, { indices })
    const byCount = { ...task, propagation: { field, selection: everything } }
    expect((await tagged.run(byCount)).at(-1)).toMatchObject({ propagated: 1, updated: 1 })
    expect(await holders(9)).toEqual(['a'])
  })

  it('go on without one that was dropped, and not without all', async () => {
    await tagged.engine.createIndex('others', mapping)
    await tagged.put('things', { a: {}, b: {} })
    await tagged.put('others', { c: {}, d: {} })
    const task = await tagged.task('ADD', 'v', { indices: ['others', 'things'] })
    await tagged.tags.plan(task, signal)
    await tagged.engine.dropIndex('others')
    let status: TagStatus
    do status = await tagged.tags.apply(task, signal)
    while (!status.finished)
    expect(status).toMatchObject({ updated: 2, failed: 0, nbRequest: 1 })
    const again = await tagged.task('ADD', 'w')
    await tagged.tags.plan(again, signal)
    await tagged.engine.dropIndex('things')
    await expect(tagged.tags.apply(again, signal)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  })
})

describe('documents that change between plan and batch', () => {
  it('are tagged in their new version, skipped when they are gone, left alone when they are new', async () => {
    await tagged.put('things', { a: {}, b: {}, c: {}, d: {} })
    await tagged.engine.arrange('things')
    const task = await tagged.task('ADD', 'v')
    await tagged.tags.plan(task, signal)
    await tagged.put('things', { a: { tags: ['new'] }, e: {} })
    await tagged.engine.write('things', [{ kind: 'delete', id: 'c' }])
    let status: TagStatus
    do status = await tagged.tags.apply(task, signal)
    while (!status.finished)
    expect(status).toMatchObject({ updated: 3, failed: 0, nbRequest: 1 })
    expect(await tagged.sources()).toEqual({
      a: { tags: ['new', 'v'] },
      b: { tags: ['v'] },
      d: { tags: ['v'] },
      e: {},
    })
  })

  it('are found although their sources have moved to another file', async () => {
    const filling = 'x'.repeat(100_000)
    const documents = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i}`, { id: `${i}`, filling }]))
    for (let round = 0; round < 3; round++) await tagged.put('things', documents)
    const task = await tagged.task('ADD', 'v')
    await tagged.tags.plan(task, signal)
    const [before] = await tagged.engine.indices('things')
    await tagged.engine.arrange('things')
    expect((await tagged.engine.indices('things'))[0]?.version).not.toBe(before?.version)
    while (!(await tagged.tags.apply(task, signal)).finished);
    expect(await tagged.sources()).toEqual(
      Object.fromEntries(Object.entries(documents).map(([id, source]) => [id, { ...source, tags: ['v'] }])),
    )
  })
})

describe('what survives a restart', () => {
  it('a plan in the middle goes on at its cursor', async () => {
    await tagged.put('things', Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`d${i}`, { id: `${i}` }])))
    const task = await tagged.task('ADD', 'v')
    await tagged.tags.plan(task, signal)
    const status = await tagged.tags.apply(task, signal)
    expect(status).toMatchObject({ updated: 3, unitDone: 3, unitTotal: 10 })
    await tagged.restart()
    expect(await tagged.tags.status(task.record.id)).toEqual(status)
    const underWay = await tagged.tags.underWay('things')
    expect(underWay).toEqual({
      collection: 'things',
      offset: 0,
      run: 0,
      startMs: 1_000,
      indices: ['things'],
      idPath: 'id',
    })
    let last: TagStatus
    do last = await tagged.tags.apply({ ...task, ...underWay }, signal)
    while (!last.finished)
    expect(last).toMatchObject({ updated: 10, failed: 0, nbRequest: 1 })
    expect(await tagged.tags.underWay('things')).toBeUndefined()
    expect((await tagged.tags.positions()).map((p) => p.nextOffset)).toEqual([1])
  })

  it('nothing of a batch that did not commit', async () => {
    await tagged.close()
    let fault: Error | undefined
    tagged = await TaggedEngine.open({
      ...batchesOf(3),
      steps: (step) => {
        if (step === 'committing' && fault) throw fault
      },
    })
    await tagged.engine.createIndex('things', mapping)
    await tagged.put('things', { a: { id: '1' }, b: { id: '2' } })
    const before = await tagged.texts()
    const [index] = await tagged.engine.indices('things')
    const task = await tagged.task('ADD', 'v', { path: 'new.field' })
    await tagged.tags.plan(task, signal)
    fault = new Error('killed')
    await expect(tagged.tags.apply(task, signal)).rejects.toThrow('killed')
    fault = undefined
    expect(await tagged.texts()).toEqual(before)
    expect(await tagged.engine.indices('things')).toEqual([index])
    expect(await tagged.tags.apply(task, signal)).toMatchObject({ updated: 2, finished: true })
  })
})

describe('replays', () => {
  it('move the position back and are remembered as long as they tell something', async () => {
    await tagged.put('things', { a: {} })
    for (const value of ['v', 'w']) await tagged.tag('ADD', value)
    await tagged.tags.replay('things', 1, 50)
    await tagged.tags.replay('things', 5, 60)
    expect(await tagged.tags.position('things')).toEqual({
      collection: 'things',
      run: 2,
      nextOffset: 1,
      replays: [
        { run: 1, fromOffset: 1, acceptedMs: 50 },
        { run: 2, fromOffset: 5, acceptedMs: 60 },
      ],
    })
    await tagged.tags.replay('things', 1, 70)
    const { replays, run } = await tagged.tags.position('things')
    expect({ replays, run }).toEqual({ replays: [{ run: 3, fromOffset: 1, acceptedMs: 70 }], run: 3 })
    await tagged.restart()
    expect((await tagged.tags.position('things')).run).toBe(3)
  })

  it('of a collection without a position begin at its first record', async () => {
    await tagged.tags.replay('things', 4, 50)
    expect(await tagged.tags.position('things')).toMatchObject({ run: 1, nextOffset: 0 })
  })

  it('that come while a record is under way keep the position, if they want it again', async () => {
    await tagged.put('things', { a: {} })
    for (const [from, next] of [
      [0, 0],
      [3, 3],
    ] as const) {
      const { run } = await tagged.tags.position('things')
      const task = await tagged.task('ADD', 'v', { offset: 2, run })
      await tagged.tags.plan(task, signal)
      await tagged.tags.replay('things', from, 50)
      expect(await tagged.tags.apply(task, signal)).toMatchObject({ finished: true })
      expect((await tagged.tags.position('things')).nextOffset).toBe(next)
    }
  })

  it('write the status of a record anew', async () => {
    await tagged.put('things', { a: { kind: 'x' }, b: {} })
    const task = await tagged.task('ADD', 'v', { maxHits: 1 })
    expect((await tagged.run(task)).at(-1)).toMatchObject({ failed: 1, updated: 0 })
    await tagged.tags.replay('things', 0, 50)
    const again = { ...task, run: 1, startMs: 50, maxHits: 2 }
    expect((await tagged.run(again)).at(-1)).toMatchObject({ run: 1, failed: 0, failures: [], updated: 2, startMs: 50 })
  })
})

describe('a failure of the whole', () => {
  const failure = { id: 'r', type: 'COLLECTION_NOT_FOUND', message: 'gone' } as const

  it('before planning has no units', async () => {
    const task = await tagged.task('ADD', 'v')
    const status = await tagged.tags.fail(task, failure)
    expect(status).toMatchObject({ propagated: 0, nbRequest: 0, failed: 1, failures: [failure], finished: true })
    expect((await tagged.tags.position('things')).nextOffset).toBe(1)
  })

  it('in the middle keeps what was done', async () => {
    await tagged.put('things', { a: {}, b: {}, c: {}, d: {} })
    const task = await tagged.task('ADD', 'v')
    await tagged.tags.plan(task, signal)
    await tagged.tags.apply(task, signal)
    const status = await tagged.tags.fail(task, failure)
    expect(status).toMatchObject({ propagated: 1, nbRequest: 1, updated: 3, failed: 1, finished: true })
    expect(await tagged.tags.underWay('things')).toBeUndefined()
    expect(await holders('v')).toHaveLength(3)
  })
})
