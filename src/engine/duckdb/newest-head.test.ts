import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { everything, type Predicate } from '../../query/predicate.ts'
import { compareNewest } from './newest-order.fixture.ts'
import { TaggedEngine } from './tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: { id: { type: 'keyword' }, kind: { type: 'keyword' }, seen: { type: 'date' } },
}
/** More than the head of the copy has rows. */
const DOCUMENTS = 20_000

/** Several at the same moment, some without one; those of kind `old`, one in seven, are older than all others. */
function make(i: number): JsonObject {
  const seen = Math.floor(((i * 7919) % DOCUMENTS) / 3) * 1000
  const kind = i % 500 === 0 ? 'rare' : seen < 1_000_000 ? 'old' : `kind ${i % 3}`
  return { id: `id-${String((i * 31) % DOCUMENTS).padStart(5, '0')}`, kind, ...(i % 101 === 0 ? {} : { seen }) }
}

const documents = Array.from({ length: DOCUMENTS }, (_, i) => make(i))

let tagged: TaggedEngine
let sort: SearchPlan['sort']
let ofKind: (...values: string[]) => Predicate

beforeAll(async () => {
  tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', mapping)
  await tagged.put('things', Object.fromEntries(documents.map((document, i) => [`d${i}`, document])))
  await tagged.engine.arrange('things')
  const [seen, id, kind] = [await tagged.field('seen'), await tagged.field('id'), await tagged.field('kind')]
  sort = [
    { kind: 'field', field: seen, descending: true },
    { kind: 'field', field: id, descending: false },
  ]
  ofKind = (...values) => ({ kind: 'equals', field: kind, values })
})

afterAll(() => tagged.close())

describe('a page of the newest among many', () => {
  it.each([
    ['all', undefined],
    ['a kind found among the newest', ['kind 1']],
    ['kinds, one of them named twice', ['kind 1', 'rare', 'kind 1']],
    ['a kind that has only old ones', ['old']],
    ['a rare kind', ['rare']],
    ['a kind there is none of', ['nothing']],
  ])('of %s is right, with its total', async (_, kinds) => {
    const expected = documents.filter(({ kind }) => !kinds || kinds.includes(String(kind))).toSorted(compareNewest)
    const predicate = kinds ? ofKind(...kinds) : everything
    expect(await tagged.engine.count({ indices: ['things'], predicate })).toBe(expected.length)
    for (const [from, size] of [
      [0, 10],
      [7, 100],
      [3_000, 50],
      [expected.length - 3, 10],
    ] as const) {
      if (from < 0) continue
      for (const wantsTotal of [true, false]) {
        const { hits, total } = await tagged.engine.search({
          indices: ['things'],
          predicate,
          sort,
          size,
          from,
          wantsTotal,
        })
        expect(hits.map(({ source }) => source.id)).toEqual(expected.slice(from, from + size).map(({ id }) => id))
        expect(total).toBe(wantsTotal ? expected.length : undefined)
      }
    }
  })
})

describe('when all are equally new', () => {
  it('the first page is right', async () => {
    await tagged.engine.createIndex('same', mapping)
    const same = documents.map((document): JsonObject => ({ ...document, seen: 5 }))
    await tagged.put('same', Object.fromEntries(same.map((document, i) => [`d${i}`, document])))
    await tagged.engine.arrange('same')
    const { hits } = await tagged.engine.search({
      indices: ['same'],
      predicate: everything,
      sort,
      size: 10,
      from: 0,
      wantsTotal: true,
    })
    const expected = same.map(({ id }) => String(id)).toSorted()
    expect(hits.map(({ source }) => source.id)).toEqual(expected.slice(0, 10))
  })
})
