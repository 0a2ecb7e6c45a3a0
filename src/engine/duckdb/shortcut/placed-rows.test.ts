import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { SearchPlan } from '../../../query/plan/plan.ts'
import { or, type Predicate } from '../../../query/plan/predicate.ts'
import { Reader } from '../database/reader.ts'
import type { TaggedEngine } from '../tagged-engine.fixture.ts'
import { compareNewest } from './newest-order.fixture.ts'
import {
  all,
  box,
  documents,
  found,
  inArea,
  kinds,
  mapping,
  none,
  octagon,
  openThings,
  type Question,
  questions,
  type Thing,
  type ThingFields,
  tile,
} from './placed-things.fixture.ts'

let tagged: TaggedEngine
let fields: ThingFields

beforeAll(async () => {
  const opened = await openThings()
  tagged = opened.tagged
  fields = opened.fields
})

afterAll(() => tagged.close())
afterEach(() => vi.restoreAllMocks())

const byId = (a: JsonObject, b: JsonObject): number => (String(a.id) < String(b.id) ? -1 : 1)

const key = (field: 'id' | 'kind' | 'seen', descending = false): SearchPlan['sort'][number] => ({
  kind: 'field',
  field: fields[field],
  descending,
})

interface Order {
  readonly sort: () => SearchPlan['sort']
  readonly compare: (a: JsonObject, b: JsonObject) => number
  readonly cursor: (document: JsonObject) => readonly (string | number | null)[]
}

const orNull = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null

const orders: readonly [string, Order][] = [
  ['by id', { sort: () => [key('id')], compare: byId, cursor: ({ id }) => [orNull(id)] }],
  [
    'by id, last first',
    { sort: () => [key('id', true)], compare: (a, b) => byId(b, a), cursor: ({ id }) => [orNull(id)] },
  ],
  [
    'newest first',
    {
      sort: () => [key('seen', true), key('id')],
      compare: compareNewest,
      cursor: ({ seen, id }) => [orNull(seen), orNull(id)],
    },
  ],
  [
    'by kind, oldest first',
    {
      sort: () => [key('kind'), key('seen'), key('id')],
      compare: (a, b) => {
        const kind = (d: JsonObject): string => String(d.kind ?? 'z')
        if (kind(a) !== kind(b)) return kind(a) < kind(b) ? -1 : 1
        const moment = (d: JsonObject): number => Number(d.seen ?? Number.MAX_VALUE)
        return moment(a) - moment(b) || byId(a, b)
      },
      cursor: ({ kind, seen, id }) => [orNull(kind), orNull(seen), orNull(id)],
    },
  ],
]

async function ask(asked: Partial<SearchPlan> & Pick<SearchPlan, 'predicate' | 'sort'>) {
  const plan = { indices: ['things'], size: 50, from: 0, wantsTotal: true, ...asked }
  const { hits, total } = await tagged.engine.search(plan)
  return { ids: hits.map(({ source }) => source.id), total }
}

/** Counts the statements sent to the database. */
function watchStatements(): () => number {
  const spies = (['rows', 'columns'] as const).map((name) => vi.spyOn(Reader.prototype, name))
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

describe('documents in a place', () => {
  it.each(questions)('are counted: %s', async (_, question) => {
    const statements = watchStatements()
    const count = await tagged.engine.count({ indices: ['things'], predicate: question.predicate(fields) })
    expect(count).toBe(found(question).length)
    expect(statements()).toBe(0)
  })

  describe.each(orders)('%s', (_, { sort, compare, cursor }) => {
    it.each(questions)('are right: %s', async (_, question) => {
      const statements = watchStatements()
      const predicate = question.predicate(fields)
      const expected = found(question).toSorted(compare)
      const ids = expected.map(({ id }) => id)
      const total = expected.length
      expect(await ask({ predicate, sort: sort() })).toEqual({ ids: ids.slice(0, 50), total })
      expect(await ask({ predicate, sort: sort(), from: 7, size: 3 })).toEqual({ ids: ids.slice(7, 10), total })
      expect(await ask({ predicate, sort: sort(), size: 10_000 })).toEqual({ ids, total })
      expect(await ask({ predicate, sort: sort(), size: 0 })).toEqual({ ids: [], total })
      for (const place of [0, 60, total - 3]) {
        const document = expected[place]
        if (!document) continue
        const after = { direction: 'after', values: cursor(document) } as const
        const page = await ask({ predicate, sort: sort(), cursor: after, size: 20 })
        expect(page).toEqual({ ids: ids.slice(place + 1, place + 21), total })
      }
      expect(statements()).toBe(0)
      const document = expected[Math.min(30, total - 1)]
      if (!document) return
      const before = { direction: 'before', values: cursor(document) } as const
      const place = expected.indexOf(document)
      const page = await ask({ predicate, sort: sort(), cursor: before, size: 20 })
      expect(page).toEqual({ ids: ids.slice(Math.max(0, place - 20), place), total })
    })
  })
})

describe('the database is asked', () => {
  const question = all(octagon, kinds('kind 1'))
  const others: readonly [string, Question][] = [
    [
      'for another field beside the place',
      all(octagon, {
        predicate: (fields) => ({ kind: 'phrase', field: fields.note, tokens: ['odd'], lastIsPrefix: false, slop: 0 }),
        holds: ({ note }) => note === 'odd',
      }),
    ],
    [
      'for another place',
      {
        predicate: inArea({ boxes: [{ west: 0, south: -1, east: 2, north: 1 }] }, 'other'),
        holds: ({ other }) => Array.isArray(other) && Number(other[0]) >= 0 && Number(other[0]) <= 2,
      },
    ],
    [
      'for one place or another',
      {
        predicate: (fields) => or([octagon.predicate(fields), tile(6, 33, 31).predicate(fields)]),
        holds: (document) => octagon.holds(document) || tile(6, 33, 31).holds(document),
      },
    ],
    ['for what is not in a place', none(octagon)],
    ['for nothing', all(octagon, { predicate: () => ({ kind: 'nothing' }), holds: () => false })],
  ]

  it.each(others)('%s', async (_, other) => {
    const expected = found(other).toSorted(byId)
    const { ids, total } = await ask({ predicate: other.predicate(fields), sort: [key('id')] })
    expect(ids).toEqual(expected.slice(0, 50).map(({ id }) => id))
    expect(total).toBe(expected.length)
    expect(await tagged.engine.count({ indices: ['things'], predicate: other.predicate(fields) })).toBe(expected.length)
  })

  it('about documents that came, went or were changed since, until the index is put in order again', async () => {
    const expectRight = async (expected: readonly Thing[]): Promise<void> => {
      const ids = expected.toSorted(byId).map(({ id }) => id)
      const asked = { predicate: question.predicate(fields), sort: [key('id')] }
      expect(await ask({ ...asked, size: 10_000 })).toEqual({ ids, total: ids.length })
      expect(await tagged.engine.count({ indices: ['things'], predicate: question.predicate(fields) })).toBe(ids.length)
    }
    const before = found(question)
    const added: Thing = { id: 'new', kind: 'kind 1', where: [0, 0] }
    await tagged.put('things', { added })
    await expectRight([...before, added])
    await tagged.engine.arrange('things')
    await expectRight([...before, added])
    await tagged.put('things', { added: { ...added, where: [40, 40] } })
    await expectRight(before)
    await tagged.engine.arrange('things')
    await tagged.tag('ADD', 'seen', { path: 'tags' })
    await expectRight(before)
    await tagged.engine.write('things', [{ kind: 'delete', id: 'added' }])
    await tagged.engine.arrange('things')
    const statements = watchStatements()
    await expectRight(before)
    expect(statements()).toBe(0)
  })

  it('in a table that was arranged by a version without the file, which is then arranged again', async () => {
    await tagged.restart((connection) =>
      connection.run(`UPDATE periplus_catalog SET definition = replace(definition, '"rows":{', '"lines":{')`),
    )
    const count = (): Promise<number> =>
      tagged.engine.count({ indices: ['things'], predicate: question.predicate(fields) })
    expect(await count()).toBe(found(question).length)
    const statements = watchStatements()
    const asksDatabase = async (): Promise<boolean> => {
      const before = statements()
      expect(await count()).toBe(found(question).length)
      return statements() > before
    }
    expect(await asksDatabase()).toBe(true)
    await expect.poll(asksDatabase).toBe(false)
  })
})

describe('an index without any place', () => {
  it('has nothing anywhere', async () => {
    await tagged.engine.createIndex('nowhere', mapping)
    await tagged.put('nowhere', { a: { id: 'a' }, b: { id: 'b' } })
    await tagged.engine.arrange('nowhere')
    const asked = { indices: ['nowhere'], predicate: octagon.predicate(fields), sort: [key('id')] }
    expect(await ask(asked)).toEqual({ ids: [], total: 0 })
    expect(await tagged.engine.count({ indices: ['nowhere'], predicate: octagon.predicate(fields) })).toBe(0)
  })
})

describe('an index whose identifiers follow the places', () => {
  it('is told right in both directions, from both ends', async () => {
    await tagged.engine.createIndex('rowed', mapping)
    const number = (i: number): string => `id-${String(i).padStart(4, '0')}`
    const rowed = Array.from({ length: 4_000 }, (_, i): Thing => ({ id: number(i), where: [i / 100, 10] }))
    await tagged.put('rowed', Object.fromEntries(rowed.map((document) => [document.id, document])))
    await tagged.engine.arrange('rowed')
    // The order of identifiers has no match for a long stretch.
    const predicate = box(20, 0, 30, 20).predicate(fields)
    const asked = { indices: ['rowed'], predicate, size: 3 }
    const total = 1_001
    const ids = (...numbers: number[]): readonly string[] => numbers.map(number)
    expect(await ask({ ...asked, sort: [key('id')] })).toEqual({ ids: ids(2000, 2001, 2002), total })
    expect(await ask({ ...asked, sort: [key('id', true)] })).toEqual({ ids: ids(3000, 2999, 2998), total })
    for (const [descending, direction, expected] of [
      [false, 'after', ids(2501, 2502, 2503)],
      [false, 'before', ids(2497, 2498, 2499)],
      [true, 'after', ids(2499, 2498, 2497)],
      [true, 'before', ids(2503, 2502, 2501)],
    ] as const) {
      const cursor = { direction, values: [number(2500)] }
      expect(await ask({ ...asked, sort: [key('id', descending)], cursor })).toEqual({ ids: expected, total })
    }
  })
})

describe('an index that got another place', () => {
  it('does not take one for the other, whichever comes first in the mapping', async () => {
    await tagged.engine.createIndex('moved', {
      properties: { a: { properties: { name: { type: 'keyword' } } }, ...mapping.properties },
    })
    await tagged.put('moved', Object.fromEntries(documents.slice(0, 500).map((document) => [document.id, document])))
    await tagged.engine.arrange('moved')
    await tagged.engine.extendMapping('moved', { properties: { a: { properties: { spot: { type: 'geo_point' } } } } })
    const field = await tagged.field('a.spot')
    const predicate: Predicate = { ...octagon.predicate(fields), field } as Predicate
    expect(await tagged.engine.count({ indices: ['moved'], predicate })).toBe(0)
    const expected = documents.slice(0, 500).filter(octagon.holds).length
    expect(await tagged.engine.count({ indices: ['moved'], predicate: octagon.predicate(fields) })).toBe(expected)
  })
})
