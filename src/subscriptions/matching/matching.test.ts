import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../model/json/document.ts'
import { exactInteger } from '../../model/json/exact-integer.ts'
import { type MatchingUnderTest, openMatching, type SubscriptionChanges, sampleReference } from './matching.fixture.ts'

const ID = 'ID__10__30DI'
const box = (west: number, south: number, east: number, north: number): JsonObject => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})
const point = (lon: number, lat: number): JsonObject => ({ type: 'Point', coordinates: [lon, lat] })

let under: MatchingUnderTest
let last = 0
beforeAll(async () => {
  under = await openMatching()
  await under.references.putAll([
    sampleReference('public', { organisations: { public: true } }),
    sampleReference('toulouse', { filter: { f: [[{ field: 'params.city', op: 'eq', value: 'Toulouse' }]] } }),
    sampleReference('london', { filter: { f: [[{ field: 'params.city', op: 'eq', value: 'London' }]] } }),
  ])
})
afterAll(() => under.close())

/** True if a single subscription is notified of an event. */
async function isTold(changes: SubscriptionChanges, event: object = {}): Promise<boolean> {
  const id = `s${++last}`
  const { seq } = await under.subscribe(id, changes)
  expect(seq).toBeGreaterThan(0)
  return (await under.told({ object: { id: ID }, ...event })).includes(id)
}

describe('conditions of a trigger (spec 3.5)', () => {
  const cases: readonly (readonly [string, JsonObject, object, boolean])[] = [
    ['no condition', {}, {}, true],
    ['its collection', { collections: ['geodata'] }, {}, true],
    ['another collection', { collections: ['public'] }, {}, false],
    ['one of several collections', { collections: ['public', 'geodata'] }, {}, true],
    ['its kind', { event: ['UPDATE'] }, {}, true],
    ['another kind', { event: ['CREATE', 'DELETE'] }, {}, false],
    ['a kind in another case', { event: ['update'] }, {}, false],
    ['a kind of one’s own', { event: ['HARVEST'] }, { event: 'HARVEST' }, true],
    [
      'an area around the geometry',
      { geometry: box(-50, -50, 50, 50) },
      { object: { id: ID, geometry: point(1, 1) } },
      true,
    ],
    ['a geometry that is null: none', { geometry: null }, {}, true],
    ['an area elsewhere', { geometry: box(60, 60, 70, 70) }, { object: { id: ID, geometry: point(1, 1) } }, false],
    ['a shared corner', { geometry: box(0, 0, 1, 1) }, { object: { id: ID, geometry: point(1, 1) } }, true],
    ['the centroid of the event', { geometry: box(0, 0, 1, 1) }, { object: { id: ID, centroid: point(1, 1) } }, true],
    ['the geometry of the document', { geometry: box(-11, -31, -9, -29) }, {}, true],
    ['the geometry of the document elsewhere', { geometry: box(0, 0, 1, 1) }, {}, false],
    [
      'the event before the document',
      { geometry: box(-11, -31, -9, -29) },
      { object: { id: ID, geometry: point(1, 1) } },
      false,
    ],
    ['a key of the event', { job: 'Coder' }, { object: { id: ID, job: 'Coder' } }, true],
    ['a key with another value', { job: 'Coder' }, { object: { id: ID, job: 'Actor' } }, false],
    ['a key nobody has', { nothing: 'Coder' }, {}, false],
    ['one of a list', { job: ['Actor', 'Coder'] }, { object: { id: ID, job: 'Coder' } }, true],
    ['an element of a list of the event', { tag: 'b' }, { object: { id: ID, tag: ['a', 'b'] } }, true],
    ['lists that share an element', { tag: ['b', 'c'] }, { object: { id: ID, tag: ['a', 'b'] } }, true],
    ['lists that share nothing', { tag: ['c'] }, { object: { id: ID, tag: ['a', 'b'] } }, false],
    ['numbers by value', { n: 7 }, { object: { id: ID, n: 7.0 } }, true],
    ['never across types', { n: '7' }, { object: { id: ID, n: 7 } }, false],
    ['truth', { yes: true }, { object: { id: ID, yes: true } }, true],
    ['a text is no truth', { yes: true }, { object: { id: ID, yes: 'true' } }, false],
    ['a path of the event', { 'a.b': 1 }, { object: { id: ID, a: { b: 1 } } }, true],
    ['a literal key before the path', { 'a.b': 1 }, { object: { id: ID, 'a.b': 2, a: { b: 1 } } }, false],
    ['a path of the document', { 'params.job': 'Brain Scientist' }, {}, true],
    ['a path of the document with another value', { 'params.job': 'Actor' }, {}, false],
    ['deep equality', { o: { a: [1, { b: 2 }] } }, { object: { id: ID, o: { a: [1, { b: 2 }] } } }, true],
    ['all keys', { job: 'Coder', n: 7 }, { object: { id: ID, n: 8, job: 'Coder' } }, false],
    ['a point has no part', { centroid: point(100, 80) }, {}, true],
  ]
  test.each(cases)('%s', async (_name, trigger, event, expected) => {
    expect(await isTold({ trigger }, event)).toBe(expected)
  })

  test('only subscriptions that were there before the event', async () => {
    const id = await under.post({ object: { id: ID } })
    await under.subscribe('after-the-event')
    await under.outcome(id)
    expect(await under.deliveriesOf('after-the-event')).toEqual([])
  })

  const now = Math.floor(Date.now() / 1000)
  test.each<readonly [string, SubscriptionChanges, boolean]>([
    ['switched off', { active: false }, false],
    ['deleted', { deleted: true }, false],
    ['begins later', { starts_at: now + 3600 }, false],
    ['has expired', { starts_at: 1, expires_at: 2 }, false],
    ['has begun', { starts_at: now - 10, expires_at: now + 3600 }, true],
  ])('one that %s', async (_name, changes, expected) => {
    expect(await isTold(changes)).toBe(expected)
  })

  test('integers beyond 2^53 travel with notifications as they are', async () => {
    await under.subscribe('large', { userMetadatas: { n: exactInteger('9007199254740993') } })
    expect(await under.told({ object: { id: ID } })).toContain('large')
    const [made] = await under.deliveriesOf('large')
    expect(made?.payload).toContain('"user_metadata":{"n":9007199254740993}')
  })

  test('the current version counts', async () => {
    await under.subscribe('changing', { trigger: { event: ['UPDATE'] } })
    expect(await under.told({ object: { id: ID } })).toContain('changing')
    await under.subscriptions.change('changing', (current) => ({ ...current, active: false }))
    expect(await under.told({ object: { id: ID } })).not.toContain('changing')
    await under.subscriptions.change('changing', (current) => ({ ...current, active: true }))
    expect(await under.told({ object: { id: ID } })).toContain('changing')
  })
})

describe('hits', () => {
  test.each<readonly [string, SubscriptionChanges, boolean]>([
    ['a filter that holds', { filter: 'f=params.city:eq:Toulouse' }, true],
    ['a filter that does not', { filter: 'f=params.city:eq:Paris' }, false],
    ['a field nobody has', { filter: 'f=no.such:eq:1' }, false],
    ['a geo operator on a field nobody has', { filter: 'f=no.such:notwithin:0,0,1,1' }, false],
    ['a search for words', { filter: 'q=params.job:brain*' }, false],
    [
      'a partition of the writer',
      { access: { partition: '{"f":[[{"field":"params.city","op":"eq","value":"Paris"}]]}' } },
      false,
    ],
    [
      'a partition that shows it',
      { access: { partition: '{"f":[[{"field":"params.city","op":"eq","value":"Toulouse"}]]}' } },
      true,
    ],
    ['a collection that is not public', { access: { publicOnly: true } }, false],
    ['columns without the collection', { access: { columns: 'other:*' } }, false],
    [
      'a key that is no column of the writer',
      { access: { columns: 'params.city' }, trigger: { 'params.job': 'Brain Scientist' } },
      false,
    ],
    [
      'a filter on a column the writer may not see',
      { access: { columns: 'params.job' }, filter: 'f=params.city:eq:Toulouse' },
      false,
    ],
    [
      'a filter on a column the writer may see',
      { access: { columns: 'params.city' }, filter: 'f=params.city:eq:Toulouse' },
      true,
    ],
  ])('%s', async (_name, changes, expected) => {
    expect(await isTold(changes)).toBe(expected)
  })

  test('columns and projection narrow the data; the four paths stay', async () => {
    await under.subscribe('narrow', {
      access: { columns: 'params.city' },
      projection: 'exclude=params.startdate,geo_params',
    })
    await under.told({ object: { id: ID } })
    const [delivery] = await under.deliveriesOf('narrow')
    expect(JSON.parse(delivery?.payload ?? '{}').data).toEqual({
      id: ID,
      params: { city: 'Toulouse', startdate: 960_300 },
      geo_params: { geometry: expect.anything(), centroid: '-30,-10' },
    })
  })

  test('a filter that does not fit is a failed delivery', async () => {
    await under.subscribe('unfit', { filter: 'f=params.startdate:gt:never' })
    const id = await under.post({ object: { id: ID } })
    expect(await under.outcome(id)).toMatchObject({ state: 'MATCHED' })
    expect(await under.deliveriesOf('unfit')).toMatchObject([
      { state: 'FAILED', lastError: 'INVALID_FILTER', attempts: 0, documentId: ID, eventId: id },
    ])
  })

  test('a document outside the collection is found and gives no hit', async () => {
    await under.subscribe('filtered')
    const id = await under.post({ collection: 'london', object: { id: ID } })
    expect(await under.outcome(id, 'london')).toMatchObject({ state: 'MATCHED', matched: 0 })
  })

  test('several documents with one identifier give a notification each', async () => {
    const source = (city: string): JsonObject => ({ id: 'twice', params: { city } })
    await under.engine.write('dataset', [
      { kind: 'index', id: 't1', source: source('Paris') },
      { kind: 'index', id: 't2', source: source('Paris') },
      { kind: 'index', id: 't3', source: source('Lyon') },
    ])
    await under.subscribe('pairs', { trigger: { event: ['PAIR'] }, filter: 'f=params.city:eq:Paris' })
    const id = await under.post({ event: 'PAIR', object: { id: 'twice' } })
    await under.outcome(id)
    const told = (await under.deliveriesOf('pairs')).filter(({ eventId }) => eventId === id)
    expect(told.map(({ documentId }) => documentId)).toEqual(['twice', 'twice'])
    expect(new Set(told.map((delivery) => delivery.id)).size).toBe(2)
  })
})

describe('documents that are gone', () => {
  test('a deletion with the state it brings', async () => {
    await under.subscribe('gone', { trigger: { event: ['DELETE'] }, filter: 'f=params.city:eq:Toulouse' })
    const object = { id: 'gone-1' }
    const with_ = await under.post({
      event: 'DELETE',
      object,
      document: { id: 'gone-1', params: { city: 'Toulouse' } },
    })
    expect(await under.outcome(with_)).toMatchObject({ state: 'MATCHED' })
    const [delivery] = await under.deliveriesOf('gone')
    expect(delivery?.payload).toContain('"data":{"id":"gone-1","params":{"city":"Toulouse"}}')
    expect(delivery?.payload).not.toContain('document')
  })

  test('a deletion of which nothing is known', async () => {
    await under.subscribe('lost', { trigger: { event: ['DELETE'] } })
    await under.subscribe('lost-filtered', { trigger: { event: ['DELETE'] }, filter: 'f=params.city:eq:Toulouse' })
    await under.subscribe('lost-partitioned', {
      trigger: { event: ['DELETE'] },
      access: { partition: '{"f":[[{"field":"id","op":"eq","value":"lost-1"}]]}' },
    })
    const id = await under.post({ event: 'DELETE', object: { id: 'lost-1' } })
    const outcome = await under.outcome(id)
    expect(outcome).toMatchObject({ state: 'UNRESOLVED', reason: 'DOCUMENT_NOT_FOUND' })
    expect((await under.deliveriesOf('lost')).map(({ payload }) => JSON.parse(payload).data)).toEqual([{}])
    expect(await under.deliveriesOf('lost-filtered')).toEqual([])
    expect(await under.deliveriesOf('lost-partitioned')).toEqual([])
  })
})
