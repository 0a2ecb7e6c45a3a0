import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Cursor, SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import { everything } from '../../../query/plan/predicate.ts'
import type { SearchResult } from '../../engine.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, makeTestIndex } from '../test-index.fixture.ts'
import { count, document, search } from './searcher.ts'
import {
  all,
  bareDocuments,
  by,
  documents,
  fields,
  idsOf,
  type Name,
  properties,
  sortPlainly,
  sortValue,
} from './sortable-documents.fixture.ts'

const LONGEST = 2n ** 63n - 1n
const context = clusterUnderTest()
let full = ''
let bare = ''

beforeAll(async () => {
  full = await makeTestIndex(context, 'searcher', properties, documents, 3)
  bare = await makeTestIndex(context, 'searcher', { id: { type: 'keyword' } }, bareDocuments)
})
afterAll(() => dropTestIndices(context, [full, bare]))

const hitIds = ({ hits }: SearchResult): readonly unknown[] => idsOf(hits.map(({ source }) => source))

const plan = (sort: readonly SortKey[], rest: Partial<SearchPlan> = {}): SearchPlan => ({
  indices: [full, bare],
  predicate: everything,
  sort,
  size: 10,
  from: 0,
  wantsTotal: true,
  ...rest,
})

const everyNth = (n: number, list: readonly unknown[]): readonly number[] =>
  Array.from({ length: Math.ceil(list.length / n) }, (_, i) => list.length - 1 - i * n)

const orders: readonly (readonly SortKey[])[] = [
  [by('id')],
  [by('id', true)],
  ...(Object.keys(fields) as Name[])
    .filter((name) => name !== 'id')
    .flatMap((name) => [
      [by(name), by('id')],
      [by(name, true), by('id')],
      [by(name, true), by('id', true)],
    ]),
  [by('flag', true), by('word'), by('long', true), by('id')],
  [by('integer'), by('day', true), by('address'), by('id', true)],
]
const nameOf = (keys: readonly SortKey[]): string =>
  keys.map(({ field, descending }) => `${descending ? '-' : ''}${field.path}`).join(',')

describe.each(orders.map((keys) => [nameOf(keys), keys] as const))('a search sorted by %s', (_name, keys) => {
  const expected = sortPlainly(all, keys)
  const cursorAt = (source: WireObject | undefined, direction: Cursor['direction']): Cursor => {
    if (source === undefined) throw new Error('no such document')
    return { direction, values: keys.map((key) => sortValue(source, key)) }
  }

  it('answers the whole in order, and its total', async () => {
    const result = await search(context, plan(keys, { size: 100 }))
    expect(hitIds(result)).toEqual(idsOf(expected))
    expect(result.total).toBe(all.length)
  })

  it('answers the page after any place', async () => {
    const check = async (at: number): Promise<void> => {
      const result = await search(context, plan(keys, { size: 9, cursor: cursorAt(expected[at], 'after') }))
      expect(hitIds(result)).toEqual(idsOf(expected.slice(at + 1, at + 10)))
      expect(result.total).toBe(all.length)
    }
    await Promise.all(everyNth(7, expected).map(check))
  })

  it('answers the page before any place, in the order asked for', async () => {
    const check = async (at: number): Promise<void> => {
      const result = await search(context, plan(keys, { size: 8, cursor: cursorAt(expected[at], 'before') }))
      expect(hitIds(result)).toEqual(idsOf(expected.slice(Math.max(0, at - 8), at)))
      expect(result.total).toBe(all.length)
    }
    await Promise.all(everyNth(6, expected).map(check))
  })
})

describe('a page', () => {
  it('begins at from', async () => {
    const expected = idsOf(sortPlainly(all, [by('word', true), by('id')]))
    for (const from of [0, 10, 38, 43, 9000]) {
      const result = await search(context, plan([by('word', true), by('id')], { from, wantsTotal: false }))
      expect(result).not.toHaveProperty('total')
      expect(hitIds(result)).toEqual(expected.slice(from, from + 10))
    }
  })

  it('has the same documents every time, whichever shard answers first', async () => {
    const keys = [by('day', true), by('id')]
    const cursor: Cursor = { direction: 'after', values: [Date.UTC(2024, 1, 29), 'id 39'] }
    const pages = await Promise.all(Array.from({ length: 40 }, () => search(context, plan(keys, { size: 9, cursor }))))
    expect(new Set(pages.map((page) => hitIds(page).join())).size).toBe(1)
  })

  it('of size 0 is a total', async () => {
    expect(await search(context, plan([by('long'), by('id')], { size: 0 }))).toEqual({ total: all.length, hits: [] })
  })

  it('of no index is empty', async () => {
    expect(await search(context, plan([by('id')], { indices: [] }))).toEqual({ total: 0, hits: [] })
  })

  it('without sort keys overlaps no other', async () => {
    const pages = await Promise.all([0, 15, 30].map((from) => search(context, plan([], { from, size: 15 }))))
    expect(pages.flatMap(hitIds).sort()).toEqual([...idsOf(all)].sort())
  })

  it('has the documents as they are stored, large integers exact', async () => {
    const { hits } = await search(context, plan([by('long', true), by('id')], { size: 1 }))
    expect(hits[0]?.index).toBe(full)
    expect(hits[0]?.text).toContain('9223372036854775807')
  })
})

describe('a selection', () => {
  it('narrows pages, totals and counts', async () => {
    const predicate = { kind: 'equals', field: fields.word, values: ['a,b'] } as const
    const chosen = all.filter(({ word }) => [word].flat().includes('a,b'))
    const expected = idsOf(sortPlainly(chosen, [by('long'), by('id')]))
    const result = await search(context, plan([by('long'), by('id')], { predicate, size: 2, from: 1 }))
    expect(result.total).toBe(chosen.length)
    expect(hitIds(result)).toEqual(expected.slice(1, 3))
    expect(await count(context, { indices: [full, bare], predicate })).toBe(chosen.length)
  })
})

describe('count', () => {
  it('counts all documents of the indices', async () => {
    expect(await count(context, { indices: [full, bare], predicate: everything })).toBe(all.length)
    expect(await count(context, { indices: [], predicate: everything })).toBe(0)
  })

  it('refuses an index that does not exist', async () => {
    const selection = { indices: [full, 't-searcher-none'], predicate: everything }
    await expect(count(context, selection)).rejects.toMatchObject({ type: 'index_not_found_exception' })
  })
})

describe('document', () => {
  it('answers a document that no search sees yet', async () => {
    const id = 'a/b?c #é%2F'
    const path = `/${bare}/_doc/${encodeURIComponent(id)}`
    await context.client.send({ method: 'PUT', path, body: { id: 'new', long: LONGEST } })
    const stored = await document(context, bare, id)
    expect(stored).toMatchObject({ index: bare, id, source: { id: 'new' } })
    expect(stored?.text).toBe('{"id":"new","long":9223372036854775807}')
    await context.client.send({ method: 'DELETE', path })
    expect(await document(context, bare, id)).toBeUndefined()
  })

  it.each(['none', '', '..', '.', '_search', '*', 'é'.repeat(3000)])('answers nothing for %j', async (id) => {
    expect(await document(context, bare, id)).toBeUndefined()
  })

  it('refuses an index that does not exist', async () => {
    const fetched = document(context, 't-searcher-none', 'x')
    await expect(fetched).rejects.toMatchObject({ status: 404, type: 'index_not_found_exception' })
  })
})
