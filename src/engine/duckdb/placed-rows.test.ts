import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Area, Box } from '../../geo/area.ts'
import type { JsonObject } from '../../model/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { Field } from '../../query/field.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { and, not, or, type Predicate } from '../../query/predicate.ts'
import { compareNewest } from './newest-order.fixture.ts'
import { Reader } from './reader.ts'
import { TaggedEngine } from './tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    note: { type: 'text' },
    seen: { type: 'date' },
    where: { type: 'geo_point' },
    other: { type: 'geo_point' },
  },
}

/** Several portions of blocks, the last of them not whole. */
const DOCUMENTS = 6_001

interface Thing extends JsonObject {
  readonly id: string
  readonly where?: readonly [number, number]
}

/** Crowded around the meridian, on a grid, so that many lie on borders; some without place, moment or kind. */
function make(i: number): Thing {
  const spread = i % 5 === 0 ? 128 : 4
  const place = (n: number, most: number): number => (((n * 7919) % 2_001) / 1_000 - 1) * Math.min(spread, most)
  const rounded = (value: number): number => Math.round(value * 16) / 16
  return {
    id: `id-${String((i * 31) % DOCUMENTS).padStart(5, '0')}`,
    ...(i % 13 === 4 ? {} : { kind: `kind ${i % 4}` }),
    ...(i % 17 === 0 ? {} : { seen: ((i * 37) % 900) * 1000 }),
    ...(i % 19 === 7 ? {} : { where: [rounded(place(i, 128)), rounded(place(i * 3 + 1, 80))] }),
    other: [rounded(place(i + 5, 128)), 0],
    note: i % 2 === 0 ? 'even' : 'odd',
  }
}

const documents = Array.from({ length: DOCUMENTS }, (_, i) => make(i))

let tagged: TaggedEngine
let fields: Record<'id' | 'kind' | 'note' | 'seen' | 'where' | 'other', Field>

beforeAll(async () => {
  tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', mapping)
  await tagged.put('things', Object.fromEntries(documents.map((document, i) => [`d${i}`, document])))
  await tagged.engine.arrange('things')
  const names = ['id', 'kind', 'note', 'seen', 'where', 'other'] as const
  const found = await Promise.all(names.map(async (name) => [name, await tagged.field(name)]))
  fields = Object.fromEntries(found)
})

afterAll(() => tagged.close())
afterEach(() => vi.restoreAllMocks())

type Holds = (document: Thing) => boolean

/** A predicate and what it means, said in the plainest way. */
interface Question {
  readonly predicate: () => Predicate
  readonly holds: Holds
}

const at =
  (holds: (x: number, y: number) => boolean): Holds =>
  ({ where }) =>
    where !== undefined && holds(where[0], where[1])

const nothing: Area = { boxes: [], polygons: [], lines: [], points: [] }
const inArea =
  (area: Partial<Area>, field: 'where' | 'other' = 'where') =>
  (): Predicate => ({
    kind: 'geo',
    field: fields[field],
    relation: 'within',
    area: { ...nothing, ...area },
  })

const box = (west: number, south: number, east: number, north: number): Question => ({
  predicate: inArea({ boxes: [{ west, south, east, north }] }),
  holds: at((x, y) => x >= west && x <= east && y >= south && y <= north),
})

/** A convex polygon, counter-clockwise; its border belongs to it. */
function polygon(...ring: readonly (readonly [number, number])[]): Question {
  const closed = [...ring, ...ring.slice(0, 1)].map(([x, y]) => [x, y])
  const holds = at((x, y) =>
    ring.every(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length] ?? [0, 0]
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
    }),
  )
  return { predicate: inArea({ polygons: [[closed]] }), holds }
}

function tile(z: number, x: number, y: number): Question {
  const row = (lat: number): number => {
    const sin = Math.sin((lat * Math.PI) / 180)
    return (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z
  }
  return {
    predicate: () => ({ kind: 'cell', field: fields.where, cell: { kind: 'tile', z, x, y }, by: 'point' }),
    holds: at((lon, lat) => Math.floor(((lon + 180) / 360) * 2 ** z) === x && Math.floor(row(lat)) === y),
  }
}

const kinds = (...values: string[]): Question => ({
  predicate: () => ({ kind: 'equals', field: fields.kind, values }),
  holds: ({ kind }) => values.includes(String(kind)),
})
const since = (value: number): Question => ({
  predicate: () => ({ kind: 'range', field: fields.seen, lower: { value, inclusive: true } }),
  holds: ({ seen }) => Number(seen) >= value,
})
const dated: Question = {
  predicate: () => ({ kind: 'exists', field: fields.seen }),
  holds: ({ seen }) => seen !== undefined,
}
const all = (...questions: Question[]): Question => ({
  predicate: () => and(questions.map(({ predicate }) => predicate())),
  holds: (document) => questions.every(({ holds }) => holds(document)),
})
const none = ({ predicate, holds }: Question): Question => ({
  predicate: () => not(predicate()),
  holds: (document) => !holds(document),
})

const octagon = polygon([-2, -1], [-1, -2], [1, -2], [2, -1], [2, 1], [1, 2], [-1, 2], [-2, 1])
const twoBoxes: readonly Box[] = [
  { west: 170, south: -80, east: 180, north: 80 },
  { west: -180, south: -80, east: -60, north: 80 },
]

const questions: readonly [string, Question][] = [
  ['the world', box(-180, -90, 180, 90)],
  ['a box whose borders hold documents', box(-1.5, -1, 2.25, 0.5)],
  ['a point', box(1, 1, 1, 1)],
  ['a box with nothing in it', box(140, 10, 150, 20)],
  [
    'two boxes',
    { predicate: inArea({ boxes: twoBoxes }), holds: at((x, y) => (x >= 170 || x <= -60) && Math.abs(y) <= 80) },
  ],
  ['a polygon', octagon],
  ['a large polygon', polygon([-120, -70], [100, -60], [90, 75], [-100, 60])],
  ['a needle', polygon([-3, -3], [3, 2.9375], [3, 3])],
  [
    'a line and two points beside a polygon',
    {
      predicate: inArea({
        polygons: [
          [
            [
              [2, 2],
              [3, 2],
              [3, 3],
              [2, 2],
            ],
          ],
        ],
        lines: [
          [
            [-1, 0],
            [-1, 3],
          ],
        ],
        points: [
          [0, 0],
          [1, -1],
        ],
      }),
      holds: at(
        (x, y) =>
          (x === -1 && y >= 0 && y <= 3) ||
          (x === 0 && y === 0) ||
          (x === 1 && y === -1) ||
          (y >= 2 && x <= 3 && y <= x),
      ),
    },
  ],
  ['a tile', tile(6, 32, 31)],
  ['the tile of all', tile(0, 0, 0)],
  ['a tile with nothing in it', tile(5, 30, 1)],
  ['a deep tile', tile(12, 2048, 2047)],
  ['a tile and a polygon', all(tile(6, 32, 31), octagon)],
  ['two polygons', all(octagon, polygon([0, 0], [5, 0], [5, 5], [0, 5.0625]))],
  ['two tiles, one inside the other', all(tile(2, 2, 1), tile(6, 32, 31))],
  ['two tiles apart', all(tile(6, 31, 31), tile(6, 32, 31))],
  ['a box of some kinds', all(kinds('kind 1', 'kind 3', 'never'), box(-2, -2, 3, 3))],
  ['a box of all but a kind', all(box(-2, -2, 3, 3), none(kinds('kind 2')))],
  ['a polygon since a moment', all(octagon, since(400_000))],
  ['a polygon not since a moment', all(octagon, none(since(400_000)))],
  ['a tile of those with a moment', all(tile(5, 16, 15), dated)],
  ['a tile of those without', all(tile(5, 16, 15), none(dated))],
]

const found = ({ holds }: Question): readonly Thing[] => documents.filter(holds)
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

/** Statements that the database has to answer meanwhile. */
function watchStatements(): () => number {
  const spies = (['rows', 'columns'] as const).map((name) => vi.spyOn(Reader.prototype, name))
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

describe('documents in a place', () => {
  it.each(questions)('are counted: %s', async (_, question) => {
    const statements = watchStatements()
    const count = await tagged.engine.count({ indices: ['things'], predicate: question.predicate() })
    expect(count).toBe(found(question).length)
    expect(statements()).toBe(0)
  })

  describe.each(orders)('%s', (_, { sort, compare, cursor }) => {
    it.each(questions)('are right: %s', async (_, question) => {
      const statements = watchStatements()
      const predicate = question.predicate()
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
        predicate: () => ({ kind: 'phrase', field: fields.note, tokens: ['odd'], lastIsPrefix: false, slop: 0 }),
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
        predicate: () => or([octagon.predicate(), tile(6, 33, 31).predicate()]),
        holds: (document) => octagon.holds(document) || tile(6, 33, 31).holds(document),
      },
    ],
    ['for what is not in a place', none(octagon)],
    ['for nothing', all(octagon, { predicate: () => ({ kind: 'nothing' }), holds: () => false })],
  ]

  it.each(others)('%s', async (_, other) => {
    const expected = found(other).toSorted(byId)
    const { ids, total } = await ask({ predicate: other.predicate(), sort: [key('id')] })
    expect(ids).toEqual(expected.slice(0, 50).map(({ id }) => id))
    expect(total).toBe(expected.length)
    expect(await tagged.engine.count({ indices: ['things'], predicate: other.predicate() })).toBe(expected.length)
  })

  it('about documents that came, went or were changed since, until the index is put in order again', async () => {
    const expectRight = async (expected: readonly Thing[]): Promise<void> => {
      const ids = expected.toSorted(byId).map(({ id }) => id)
      const asked = { predicate: question.predicate(), sort: [key('id')] }
      expect(await ask({ ...asked, size: 10_000 })).toEqual({ ids, total: ids.length })
      expect(await tagged.engine.count({ indices: ['things'], predicate: question.predicate() })).toBe(ids.length)
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
    const count = (): Promise<number> => tagged.engine.count({ indices: ['things'], predicate: question.predicate() })
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
    const asked = { indices: ['nowhere'], predicate: octagon.predicate(), sort: [key('id')] }
    expect(await ask(asked)).toEqual({ ids: [], total: 0 })
    expect(await tagged.engine.count({ indices: ['nowhere'], predicate: octagon.predicate() })).toBe(0)
  })
})

describe('an index whose identifiers follow the places', () => {
  it('is told right in both directions, from both ends', async () => {
    await tagged.engine.createIndex('rowed', mapping)
    const number = (i: number): string => `id-${String(i).padStart(4, '0')}`
    const rowed = Array.from({ length: 4_000 }, (_, i): Thing => ({ id: number(i), where: [i / 100, 10] }))
    await tagged.put('rowed', Object.fromEntries(rowed.map((document) => [document.id, document])))
    await tagged.engine.arrange('rowed')
    // Those who walk in the order of identifiers meet none of them for long.
    const predicate = box(20, 0, 30, 20).predicate()
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
    const predicate: Predicate = { ...octagon.predicate(), field } as Predicate
    expect(await tagged.engine.count({ indices: ['moved'], predicate })).toBe(0)
    const expected = documents.slice(0, 500).filter(octagon.holds).length
    expect(await tagged.engine.count({ indices: ['moved'], predicate: octagon.predicate() })).toBe(expected)
  })
})
