import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseArea } from '../../../geo/area/filter-area.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { Predicate, Scalar } from '../../../query/plan/predicate.ts'
import type { TagStep } from '../../step-observer.ts'
import { batchesOf, TaggedEngine } from '../tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    tags: { type: 'keyword' },
    words: { type: 'text' },
    size: { type: 'double' },
    count: { type: 'long' },
    seen: { type: 'date' },
    on: { type: 'boolean' },
    from: { type: 'ip' },
    where: { type: 'geo_point' },
    hidden: { type: 'object', enabled: false },
  },
}

const make = (i: number): JsonObject => ({
  id: `id-${i}`,
  kind: `kind-${i % 3}`,
  where: { lon: (i % 300) - 150, lat: (i % 100) - 50 },
})

const documents = (count: number): Record<string, JsonObject> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, make(i)]))

let tagged: TaggedEngine
const steps: TagStep[] = []
const { signal } = new AbortController()

beforeEach(async () => {
  steps.length = 0
  tagged = await TaggedEngine.open({ ...batchesOf(100), steps: (step) => void steps.push(step) })
  await tagged.engine.createIndex('things', mapping)
})

afterEach(() => tagged.close())

const count = (predicate: Predicate, indices = ['things']): Promise<number> =>
  tagged.engine.count({ indices, predicate })

async function countOf(path: string, ...values: readonly Scalar[]): Promise<number> {
  return count({ kind: 'equals', field: await tagged.field(path), values })
}

describe('a tag without propagation', () => {
  it('goes through plan, batches and finish', async () => {
    await tagged.put('things', documents(250))
    const task = await tagged.task('ADD', 'v')
    const statuses = await tagged.run(task)
    expect(statuses.map((s) => [s.nbRequest, s.updated, s.unitDone, s.unitTotal, s.finished])).toEqual([
      [0, 0, 0, 0, false],
      [0, 100, 100, 250, false],
      [0, 200, 200, 250, false],
      [1, 250, 0, 0, true],
    ])
    expect(statuses.every((s) => s.propagated === 1 && s.failed === 0 && s.startMs === 1_000)).toBe(true)
    expect(await tagged.tags.status(task.record.id)).toEqual(statuses.at(-1))
    expect(await tagged.tags.position('things')).toEqual({ collection: 'things', run: 0, nextOffset: 1, replays: [] })
    expect(await countOf('tags', 'v')).toBe(250)
    const batch: readonly TagStep[] = ['applying', 'writing', 'committing', 'applied']
    const last: readonly TagStep[] = ['applying', 'writing', 'finishing', 'committing', 'applied', 'finished']
    expect(steps).toEqual(['planning', 'planned', ...batch, ...batch, ...last])
  })

  it('leaves every other byte of a document as it is', async () => {
    const text = '{ "id":"a", "n":12345678901234567890,\n"x":{"tags" : 1.50} }'
    await tagged.engine.write('things', [{ kind: 'index', id: 'a', source: JSON.parse(text), text }])
    await tagged.tag('ADD', 'v')
    expect(await tagged.texts()).toEqual({ a: text.replace('1.50} }', '1.50},"tags":["v"] }') })
  })

  it('counts documents in the wanted state and does not write them', async () => {
    await tagged.put('things', documents(20))
    await tagged.tag('ADD', 'v')
    const [before] = await tagged.engine.indices('things')
    steps.length = 0
    expect(await tagged.tag('ADD', 'v')).toMatchObject({ updated: 20, failed: 0, finished: true })
    expect(steps).not.toContain('writing')
    expect(await tagged.engine.indices('things')).toEqual([before])
  })

  it('changes the version of the index with each batch that wrote', async () => {
    await tagged.put('things', documents(250))
    const versions = new Set<string | undefined>()
    const task = await tagged.task('ADD', 'v')
    await tagged.tags.plan(task, signal)
    for (let finished = false; !finished; ) {
      versions.add((await tagged.engine.indices('things'))[0]?.version)
      finished = (await tagged.tags.apply(task, signal)).finished
    }
    versions.add((await tagged.engine.indices('things'))[0]?.version)
    expect(versions.size).toBe(4)
  })

  it('selects by the predicate', async () => {
    await tagged.put('things', documents(30))
    const target: Predicate = { kind: 'equals', field: await tagged.field('kind'), values: ['kind-1'] }
    expect(await tagged.tag('ADD', 'v', { target })).toMatchObject({ updated: 10 })
    expect(await countOf('tags', 'v')).toBe(10)
    expect(await tagged.tag('ADD', 'w', { target: { kind: 'nothing' } })).toMatchObject({
      propagated: 1,
      nbRequest: 1,
      updated: 0,
      finished: true,
    })
  })

  it('fails whole beyond the limit', async () => {
    await tagged.put('things', documents(30))
    const task = await tagged.task('ADD', 'v', { maxHits: 29 })
    const [planned, ended] = await tagged.run(task)
    const message =
      'The request selects 30 documents, more than update_max_hits 29 of collection things; nothing was changed.'
    const failures = [{ id: task.record.id, type: 'LIMIT_EXCEEDED', message }]
    expect(planned).toMatchObject({ propagated: 1, nbRequest: 0, failed: 1, failures, finished: false })
    expect(ended).toMatchObject({ propagated: 1, nbRequest: 1, failed: 1, failures, updated: 0, finished: true })
    expect(await countOf('tags', 'v')).toBe(0)
    expect(await tagged.tag('ADD', 'v', { maxHits: 30 })).toMatchObject({ updated: 30, failed: 0 })
  })

  it('tells which documents it could not change', async () => {
    await tagged.put('things', {
      a: { id: 'first', hidden: 1 },
      b: { hidden: {} },
      c: { id: 'third', hidden: { tags: {} } },
      d: { id: 'fourth', hidden: [] },
    })
    const status = await tagged.tag('ADD', 'v', { path: 'hidden.tags' })
    expect(status).toMatchObject({ updated: 1, failed: 3 })
    expect(status.failures.map(({ id, type }) => [id, type])).toEqual([
      ['first', 'PATH_MISMATCH'],
      ['third', 'PATH_MISMATCH'],
      ['fourth', 'PATH_MISMATCH'],
    ])
    expect(status.failures[0]?.message).toBe(
      'The path hidden.tags does not match the document: hidden is a number, but must be an object.',
    )
    expect((await tagged.sources()).b).toEqual({ hidden: { tags: ['v'] } })
  })

  it('refuses values the index cannot read, document by document', async () => {
    await tagged.put('things', { a: { count: 1 }, b: {} })
    const status = await tagged.tag('ADD', 'many', { path: 'count' })
    expect(status).toMatchObject({ updated: 0, failed: 2 })
    expect(status.failures.map(({ id, type }) => [id, type])).toEqual([
      ['a', 'VALUE_REFUSED'],
      ['b', 'VALUE_REFUSED'],
    ])
    expect(await tagged.sources()).toEqual({ a: { count: 1 }, b: {} })
  })

  it('keeps the first thousand failures and counts all', async () => {
    await tagged.put(
      'things',
      Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`d${i}`, { id: `id-${i}`, hidden: 1 }])),
    )
    const status = await tagged.tag('ADD', 'v', { path: 'hidden.tags' })
    expect(status).toMatchObject({ updated: 0, failed: 1_200 })
    expect(status.failures.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, i) => `id-${i}`))
    expect((await tagged.tags.status(status.id))?.failures).toEqual(status.failures)
  })
})

describe('what a tag does to fields', () => {
  const values: readonly (readonly [string, string | number | boolean, Scalar])[] = [
    ['tags', "it's", "it's"],
    ['tags', 7, '7'],
    ['tags', true, 'true'],
    ['count', 7, 7n],
    ['size', 7.5, 7.5],
    ['on', true, true],
    ['seen', '2020-01-02', Date.UTC(2020, 0, 2)],
    ['from', '10.0.0.1', '00000000000000000000ffff0a000001'],
  ]
  it.each(values)('%s gets %s, and loses it', async (path, value, stored) => {
    await tagged.put('things', documents(10))
    await tagged.tag('ADD', value, { path })
    expect(await countOf(path, stored)).toBe(10)
    await tagged.tag('REMOVE', value, { path })
    expect(await countOf(path, stored)).toBe(0)
    expect((await tagged.sources()).d0).toEqual({ ...make(0), [path]: [] })
    await tagged.tag('REMOVEALL', undefined, { path })
    expect((await tagged.sources()).d0).toEqual({ ...make(0), [path]: null })
  })

  it('keeps 7 and "7" apart in documents, and takes them for one value', async () => {
    await tagged.put('things', { a: {} })
    await tagged.tag('ADD', '7')
    await tagged.tag('ADD', 7)
    expect(await tagged.sources()).toEqual({ a: { tags: ['7', 7] } })
    expect(await countOf('tags', '7')).toBe(1)
    expect(await tagged.tag('ADD', 'x', { propagation: { field: 'tags' } })).toMatchObject({
      propagated: 1,
      updated: 1,
    })
    await tagged.tag('REMOVE', 7)
    expect(await tagged.sources()).toEqual({ a: { tags: ['7', 'x'] } })
    expect(await countOf('tags', '7')).toBe(1)
  })

  it('finds the words of a text', async () => {
    await tagged.put('things', { a: { words: 'quick fox' } })
    await tagged.tag('ADD', 'lazy dog', { path: 'words' })
    const phrase = async (...tokens: string[]): Promise<number> =>
      count({ kind: 'phrase', field: await tagged.field('words'), tokens, lastIsPrefix: false, slop: 0 })
    expect(await phrase('lazy', 'dog')).toBe(1)
    expect(await phrase('quick', 'fox')).toBe(1)
    expect(await phrase('fox', 'lazy')).toBe(0)
    await tagged.tag('REMOVE', 'quick fox', { path: 'words' })
    expect(await phrase('quick')).toBe(0)
  })

  it('brings a new field as a load would', async () => {
    await tagged.put('things', documents(10))
    await tagged.tag('ADD', 12, { path: 'extra.level' })
    expect(await tagged.field('extra.level')).toMatchObject({ type: 'LONG' })
    expect(await countOf('extra.level', 12n)).toBe(10)
    await tagged.restart()
    expect(await countOf('extra.level', 12n)).toBe(10)
  })

  it('brings no field where the mapping is closed, and refuses it where that is strict', async () => {
    await tagged.engine.createIndex('closed', { dynamic: false, properties: { id: { type: 'keyword' } } })
    await tagged.put('closed', { a: { id: 'a' } })
    expect(await tagged.tag('ADD', 'v', { indices: ['closed'] })).toMatchObject({ updated: 1, failed: 0 })
    expect(await tagged.sources('closed')).toEqual({ a: { id: 'a', tags: ['v'] } })
    await tagged.engine.createIndex('strict', { dynamic: 'strict', properties: { id: { type: 'keyword' } } })
    await tagged.put('strict', { a: { id: 'a' } })
    const status = await tagged.tag('ADD', 'v', { indices: ['strict'] })
    expect(status).toMatchObject({ updated: 0, failed: 1, failures: [{ id: 'a', type: 'VALUE_REFUSED' }] })
  })

  it('follows copies', async () => {
    const copying: Mapping = {
      properties: {
        a: { type: 'keyword', copy_to: ['all'] },
        b: { type: 'keyword', copy_to: ['all'] },
        all: { type: 'keyword' },
      },
    }
    await tagged.engine.createIndex('copies', copying)
    await tagged.put('copies', { x: { a: 'one', b: 'two' } })
    await tagged.tag('ADD', 'three', { path: 'a', indices: ['copies'] })
    const all = await tagged.field('all')
    for (const value of ['one', 'two', 'three']) {
      expect(await count({ kind: 'equals', field: all, values: [value] }, ['copies'])).toBe(1)
    }
    await tagged.tag('REMOVE', 'one', { path: 'a', indices: ['copies'] })
    expect(await count({ kind: 'equals', field: all, values: ['one'] }, ['copies'])).toBe(0)
  })
})

describe('a tag that is copied to a geometry', () => {
  it('moves the document, also after sealing and restarts', async () => {
    const copying: Mapping = {
      properties: { a: { type: 'keyword', copy_to: ['place'] }, place: { type: 'geo_point' } },
    }
    await tagged.engine.createIndex('copies', copying)
    await tagged.put('copies', { x: { a: '10,20' }, y: {} })
    const place = await tagged.field('place')
    const expectPlaces = async (places: number): Promise<void> =>
      expect(await count({ kind: 'exists', field: place }, ['copies'])).toBe(places)
    await expectPlaces(1)
    await tagged.engine.arrange('copies')
    await tagged.tag('ADD', '30,40', { path: 'a', indices: ['copies'] })
    await expectPlaces(2)
    await tagged.engine.arrange('copies')
    await expectPlaces(2)
    await tagged.restart()
    await expectPlaces(2)
    await tagged.engine.arrange('copies')
    await tagged.restart()
    await expectPlaces(2)
  })
})

describe('a plan', () => {
  it('takes conditions the database alone cannot judge', async () => {
    await tagged.put('things', documents(300))
    const area = parseArea('POLYGON((0 0, 40 0, 0 40, 0 0))', { righthand: true, maxVertices: 100 })
    const target: Predicate = { kind: 'geo', field: await tagged.field('where'), relation: 'within', area }
    const expected = await count(target)
    expect(expected).toBeGreaterThan(0)
    expect(await tagged.tag('ADD', 'v', { target })).toMatchObject({ updated: expected })
    expect(await countOf('tags', 'v')).toBe(expected)
  })

  it('is given up when the signal aborts, and leaves nothing', async () => {
    await tagged.put('things', documents(10))
    const task = await tagged.task('ADD', 'v')
    await expect(tagged.tags.plan(task, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    expect(await tagged.tags.underWay('things')).toBeUndefined()
    expect(await tagged.tags.status(task.record.id)).toBeUndefined()
  })
})
