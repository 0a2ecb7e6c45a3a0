import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { areRestored, damageSegments, segmentNames, segmentsOf } from '../damaged-segments.fixture.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    n: { type: 'integer' },
    place: { type: 'geo_point' },
    tags: { type: 'keyword' },
  },
}
const COUNT = 400

const make = (i: number): JsonObject => ({
  id: `id-${i}`,
  kind: `kind ${i % 5}`,
  n: i,
  place: { lon: (i * 7) % 180, lat: (i * 3) % 80 },
})

let tagged: TaggedEngine
let notices: string[]

/** An engine with a segment of all documents, which keeps nothing in memory beyond each read. */
async function openSealed(): Promise<void> {
  notices = []
  tagged = await TaggedEngine.open({ segmentBytes: 0, onNotice: (text) => notices.push(text) })
  await tagged.engine.createIndex('things', mapping)
  await tagged.put('things', Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`d${i}`, make(i)])))
  await tagged.engine.arrange('things')
}

afterEach(() => tagged.close())

/** Damages the segment of the index. Returns its name. */
const damage = (): string => damageSegments(tagged)[0] ?? ''

const all = { indices: ['things'], predicate: everything }
const kindOne = async (): Promise<Predicate> => ({
  kind: 'equals',
  field: await tagged.field('kind'),
  values: ['kind 1'],
})

/** The reads that took a database query, by reason. */
const fromDatabase = (): ReadonlyMap<string, number> => tagged.engine.statistics?.().paths?.sql ?? new Map()

const isRestored = (name: string): Promise<void> => areRestored(tagged, [name])

describe('a segment that turns out damaged', () => {
  it('is built again; the read that met it and those meanwhile are answered by the database', async () => {
    await openSealed()
    const name = damage()
    const selection = { indices: ['things'], predicate: await kindOne() }
    const counts = await Promise.all([1, 2, 3].map(() => tagged.engine.count(selection)))
    expect(counts).toEqual([80, 80, 80])
    await isRestored(name)
    expect(notices).toEqual([
      `Segment ${name} of index things is built again: The segment file ${join(segmentsOf(tagged), name)} has a wrong checksum`,
    ])
    const before = new Map(fromDatabase())
    expect(await tagged.engine.count(selection)).toBe(80)
    expect(fromDatabase()).toEqual(before)
  })

  it.each([
    ['a document by id', async () => (await tagged.engine.document('things', 'd7'))?.text, JSON.stringify(make(7))],
    ['a missing document', () => tagged.engine.document('things', 'none'), undefined],
    ['an export', async () => Object.keys(await tagged.texts()).length, COUNT],
  ])('does not affect %s', async (_, read, expected) => {
    await openSealed()
    const name = damage()
    expect([await read(), await read()]).toEqual([expected, expected])
    await isRestored(name)
    expect(await read()).toEqual(expected)
    expect(notices).toHaveLength(1)
  })

  it('accepts updates, deletions and tags', async () => {
    await openSealed()
    const name = damage()
    await tagged.engine.write('things', [
      { kind: 'update', id: 'd1', doc: { n: -1 } },
      { kind: 'delete', id: 'd2' },
      { kind: 'index', id: 'd3', source: { id: 'id-3', kind: 'other' } },
    ])
    await tagged.tag('ADD', 'new')
    const sources = await tagged.sources()
    expect(Object.keys(sources)).toHaveLength(COUNT - 1)
    expect(sources.d1).toEqual({ ...make(1), n: -1, tags: ['new'] })
    expect(sources.d3).toEqual({ id: 'id-3', kind: 'other', tags: ['new'] })
    await tagged.engine.arrange('things')
    await isRestored(name)
    expect(await tagged.sources()).toEqual(sources)
    await tagged.restart()
    expect(await tagged.sources()).toEqual(sources)
    expect(await tagged.engine.count({ indices: ['things'], predicate: await kindOne() })).toBe(80)
  })

  it('is built again if a merge meets it', async () => {
    await openSealed()
    const name = damage()
    await tagged.put('things', Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`e${i}`, make(i)])))
    await tagged.engine.arrange('things')
    await isRestored(name)
    expect(notices[0]).toContain(name)
    expect(Object.keys(await tagged.texts())).toHaveLength(2 * COUNT)
  })

  it('is built again after a restart before that', async () => {
    await openSealed()
    const name = damage()
    expect(await tagged.engine.count({ indices: ['things'], predicate: await kindOne() })).toBe(80)
    await tagged.restart()
    await isRestored(name)
    expect(await tagged.engine.count({ indices: ['things'], predicate: await kindOne() })).toBe(80)
  })
})

it('reads segments that were replaced meanwhile', async () => {
  await openSealed()
  const scan = tagged.engine.scan(all)[Symbol.asyncIterator]()
  const first = await scan.next()
  await tagged.put('things', { more: make(1_000) })
  await tagged.engine.write('things', [{ kind: 'delete', id: 'd5' }])
  await tagged.engine.arrange('things')
  await tagged.engine.dropIndex('things')
  expect(segmentNames(tagged)).toEqual([])
  let found = first.done ? 0 : first.value.length
  for (let batch = await scan.next(); !batch.done; batch = await scan.next()) found += batch.value.length
  expect(found).toBe(COUNT)
})
