import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { SearchPlan } from '../../../query/plan/plan.ts'
import { and, everything, not, or, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'
import { compareNewest } from './newest-order.fixture.ts'

const mapping: Mapping = {
  properties: { id: { type: 'keyword' }, kind: { type: 'keyword' }, seen: { type: 'date' } },
}
/** More than the head has rows. */
const DOCUMENTS = 80_000

/** Several documents with equal dates, some without a date or kind. Those of kind `old` are older than all others. */
function make(i: number): JsonObject {
  const seen = Math.floor(((i * 7919) % DOCUMENTS) / 3) * 1000
  const kind = i % 500 === 0 ? 'rare' : seen < 1_000_000 ? 'old' : `kind ${i % 3}`
  return {
    id: `id-${String((i * 31) % DOCUMENTS).padStart(5, '0')}`,
    ...(i % 11 === 4 ? {} : { kind }),
    ...(i % 101 === 0 ? {} : { seen }),
  }
}

const documents = Array.from({ length: DOCUMENTS }, (_, i) => make(i))

let tagged: TaggedEngine
let sort: SearchPlan['sort']
let ofKind: (...values: string[]) => Predicate
let seen: Field
let kind: Field

beforeAll(async () => {
  tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', mapping)
  await tagged.put('things', Object.fromEntries(documents.map((document, i) => [`d${i}`, document])))
  await tagged.engine.arrange('things')
  seen = await tagged.field('seen')
  kind = await tagged.field('kind')
  const id = await tagged.field('id')
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

describe('a page of the newest', () => {
  const idsOf = async (asked: Partial<SearchPlan>): Promise<readonly unknown[]> => {
    const plan = { indices: ['things'], predicate: everything, sort, size: 40, from: 0, wantsTotal: false, ...asked }
    return (await tagged.engine.search(plan)).hits.map(({ source }) => source.id)
  }

  it('begins behind a cursor, wherever that stands', async () => {
    const expected = documents.toSorted(compareNewest)
    const ids = expected.map(({ id }) => id)
    // The head ends in this range, and documents without a date start at 79,207.
    for (const place of [0, 1, 2, 3, 4, 5, 1_000, 74_850, 74_890, 74_896, 74_897, 74_898, 74_910, 79_190, 79_230]) {
      const { seen: moment, id } = expected[place] ?? {}
      const cursor = { direction: 'after', values: [moment === undefined ? null : Number(moment), String(id)] } as const
      expect(await idsOf({ cursor })).toEqual(ids.slice(place + 1, place + 41))
      expect(await idsOf({ cursor, from: 3, size: 5 })).toEqual(ids.slice(place + 4, place + 9))
    }
  })

  it.each<[string, () => Predicate, (document: JsonObject) => boolean]>([
    [
      'of a range',
      () => ({ kind: 'range', field: seen, upper: { value: 6_000_000, inclusive: false } }),
      (d) => Number(d.seen) < 6_000_000,
    ],
    [
      'of a range with its ends',
      () => ({
        kind: 'range',
        field: seen,
        lower: { value: 6_000_000, inclusive: true },
        upper: { value: 6_060_000, inclusive: true },
      }),
      (d) => Number(d.seen) >= 6_000_000 && Number(d.seen) <= 6_060_000,
    ],
    ['of all but a kind', () => not(ofKind('kind 1')), (d) => d.kind !== 'kind 1'],
    [
      'of either',
      () => or([ofKind('rare'), { kind: 'equals', field: seen, values: [6_500_000, 6_499_000] }]),
      (d) => d.kind === 'rare' || d.seen === 6_500_000 || d.seen === 6_499_000,
    ],
    [
      'of both',
      () => and([ofKind('kind 2', 'nothing'), { kind: 'exists', field: seen }]),
      (d) => d.kind === 'kind 2' && d.seen !== undefined,
    ],
    ['of a moment', () => ({ kind: 'equals', field: seen, values: [6_000_000] }), (d) => d.seen === 6_000_000],
    ['of nothing', () => ({ kind: 'nothing' }), () => false],
  ])('%s is right', async (_, predicate, holds) => {
    const expected = documents.filter(holds).toSorted(compareNewest)
    expect(await idsOf({ predicate: predicate() })).toEqual(expected.slice(0, 40).map(({ id }) => id))
  })

  it('is in the order of all keys, those without a value last', async () => {
    const [byDate, byId] = sort
    if (!byDate || !byId) throw new Error('no keys')
    for (const descending of [false, true]) {
      const byKind = { kind: 'field', field: kind, descending } as const
      const rank = (d: JsonObject): string => (d.kind === undefined ? 'x' : String(d.kind))
      const sign = descending ? -1 : 1
      const expected = documents.toSorted((a, b) => {
        if (a.seen !== b.seen || rank(a) === rank(b)) return compareNewest(a, b)
        if (a.kind === undefined || b.kind === undefined) return a.kind === undefined ? 1 : -1
        return rank(a) < rank(b) ? -sign : sign
      })
      const ids = expected.map(({ id }) => id)
      expect(await idsOf({ sort: [byDate, byKind, byId] })).toEqual(ids.slice(0, 40))
      for (const place of [4, 11, 30]) {
        const { seen: moment, kind: own, id } = expected[place] ?? {}
        const values = [Number(moment), own === undefined ? null : String(own), String(id)]
        const cursor = { direction: 'after', values } as const
        expect(await idsOf({ sort: [byDate, byKind, byId], cursor })).toEqual(ids.slice(place + 1, place + 41))
      }
    }
  })
})

it('is right in a table that was arranged by a version without heads, and stays so when it is arranged again', async () => {
  const expected = documents.toSorted(compareNewest).slice(0, 10)
  const first = async (): Promise<readonly JsonObject[]> => {
    const plan = { indices: ['things'], predicate: everything, sort, size: 10, from: 0, wantsTotal: true }
    return (await tagged.engine.search(plan)).hits.map(({ source }) => source)
  }
  await tagged.restart((connection) =>
    connection.run(`UPDATE periplus_catalog SET definition = replace(definition, '"headAfter":', '"head":')`),
  )
  expect(await first()).toEqual(expected)
  await tagged.engine.arrange('things')
  expect(await first()).toEqual(expected)
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
