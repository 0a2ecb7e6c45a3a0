import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../model/json/document.ts'
import { type MatchingUnderTest, openMatching, sampleReference } from '../matching/matching.fixture.ts'

const city = (name: string) => ({ filter: { f: [[{ field: 'params.city', op: 'eq', value: name }]] } })
const document = (id: string, name: string, more: JsonObject = {}): JsonObject => ({
  id,
  params: { city: name, startdate: 1 },
  geo_params: { centroid: '20,10', ...more },
})

describe('events of changed documents (spec 3.2)', () => {
  let under: MatchingUnderTest
  beforeAll(async () => {
    under = await openMatching()
    await under.references.putAll([sampleReference('paris', city('Paris')), sampleReference('lyon', city('Lyon'))])
  })
  afterAll(() => under.close())

  /** Notifications of a subscription, once an event has been matched. */
  async function toldOf(subscription: string, event: string, collection = 'geodata') {
    const outcome = await under.outcome(event, collection)
    const told = (await under.deliveriesOf(subscription)).filter(({ eventId }) => eventId === event)
    return { ...outcome, payloads: told.map(({ payload }) => JSON.parse(payload)) }
  }
  const write = (load: string, id: string, source: JsonObject) =>
    under.engine.write('dataset', [{ kind: 'index', id, source }], { load })

  test('a document is made, replaced and removed', async () => {
    await under.subscribe('all', { trigger: { collections: ['geodata'] } })
    const begun = Date.now()
    await write('L1', 'new-1', document('new-1', 'Paris'))
    const made = await toldOf('all', 'load:L1:new-1')
    expect(made).toMatchObject({ state: 'MATCHED', event: 'CREATE', matched: 1 })
    const [notification] = made.payloads
    expect(Date.parse(notification.time)).toBeGreaterThanOrEqual(begun - 1000)
    expect(notification).toMatchObject({
      type: 'hit.create',
      id: 'load:L1:new-1',
      collection: 'geodata',
      event: 'CREATE',
      object: { id: 'new-1', geometry: { type: 'Point', coordinates: [10, 20] } },
      data: { id: 'new-1', params: { city: 'Paris' } },
    })
    expect(Object.keys(notification.object)).toEqual(['id', 'geometry'])

    await write('L2', 'new-1', document('new-1', 'Lyon'))
    const replaced = await toldOf('all', 'load:L2:new-1')
    expect(replaced).toMatchObject({ event: 'UPDATE', payloads: [{ data: { params: { city: 'Lyon' } } }] })

    await under.engine.write('dataset', [{ kind: 'delete', id: 'new-1' }], { load: 'L3' })
    const removed = await toldOf('all', 'load:L3:new-1')
    expect(removed).toMatchObject({
      event: 'DELETE',
      state: 'MATCHED',
      payloads: [{ type: 'hit.delete', object: { id: 'new-1' }, data: { params: { city: 'Lyon' } } }],
    })
  })

  test('one event for each collection that the document is or was in; the kind is that of the index', async () => {
    await under.subscribe('of-paris', { trigger: { collections: ['paris'] } })
    await under.subscribe('of-lyon', { trigger: { collections: ['lyon'] } })
    await write('M1', 'moving', document('moving', 'Paris'))
    expect(await toldOf('of-paris', 'load:M1:moving', 'paris')).toMatchObject({ event: 'CREATE', matched: 1 })
    await write('M2', 'moving', document('moving', 'Lyon'))
    expect(await toldOf('of-paris', 'load:M2:moving', 'paris')).toMatchObject({ event: 'UPDATE', matched: 0 })
    expect(await toldOf('of-lyon', 'load:M2:moving', 'lyon')).toMatchObject({ event: 'UPDATE', matched: 1 })
    await under.outcome('load:M2:moving')
    expect((await under.events.find('load:M1:moving')).map(({ collection }) => collection)).toEqual([
      'geodata',
      'paris',
    ])
    await under.engine.write('dataset', [{ kind: 'delete', id: 'moving' }], { load: 'M3' })
    expect(await toldOf('of-lyon', 'load:M3:moving', 'lyon')).toMatchObject({ event: 'DELETE', matched: 1 })
    expect((await under.events.find('load:M3:moving')).map(({ collection }) => collection)).toEqual(['geodata', 'lyon'])
  })

  test('trigger keys are compared with the document', async () => {
    await under.subscribe('by-city', { trigger: { collections: ['geodata'], 'params.city': ['Nice'] } })
    await under.subscribe('by-area', {
      trigger: {
        collections: ['geodata'],
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [9, 19],
              [11, 19],
              [11, 21],
              [9, 21],
              [9, 19],
            ],
          ],
        },
      },
    })
    await write('K1', 'keyed', document('keyed', 'Nice'))
    expect((await toldOf('by-city', 'load:K1:keyed')).payloads).toHaveLength(1)
    expect((await toldOf('by-area', 'load:K1:keyed')).payloads).toHaveLength(1)
    const far = { geometry: { type: 'Point', coordinates: [100, 0] } }
    await write('K2', 'keyed', document('keyed', 'Nantes', far))
    expect((await toldOf('by-city', 'load:K2:keyed')).payloads).toHaveLength(0)
    expect((await toldOf('by-area', 'load:K2:keyed')).payloads).toHaveLength(0)
  })

  test('a load that writes a document again raises an event again', async () => {
    await write('R1', 'again', document('again', 'Paris'))
    await write('R1', 'again', document('again', 'Nice'))
    await write('R2', 'after', document('after', 'Nice'))
    await under.outcome('load:R2:after')
    const told = (await under.deliveriesOf('all')).filter(({ eventId }) => eventId.startsWith('load:R1:again'))
    expect(told.map(({ payload }) => JSON.parse(payload).data.params.city).sort()).toEqual(['Nice', 'Paris'])
    expect(new Set(told.map(({ id }) => id)).size).toBe(2)
  })

  test('the state at the change is what counts, whatever became of the document', async () => {
    const operations = [
      { kind: 'index', id: 'brief', source: document('brief', 'Paris') },
      { kind: 'index', id: 'brief-2', source: document('brief-2', 'Paris') },
    ] as const
    await under.engine.write('dataset', operations, { load: 'B1' })
    await under.engine.write('dataset', [{ kind: 'delete', id: 'brief' }], { load: 'B2' })
    expect(await toldOf('all', 'load:B1:brief')).toMatchObject({ state: 'MATCHED', payloads: [{ type: 'hit.create' }] })
    expect(await toldOf('all', 'load:B2:brief')).toMatchObject({ payloads: [{ type: 'hit.delete' }] })
  })

  test('a silent load, and changes of a kind nobody asked for, leave nothing behind', async () => {
    await under.subscriptions.change('all', (current) => ({ ...current, active: false }))
    await under.subscriptions.change('by-city', (current) => ({ ...current, active: false }))
    await under.subscriptions.change('by-area', (current) => ({ ...current, active: false }))
    await under.subscribe('deletes', { trigger: { collections: ['geodata'], event: ['DELETE'] } })
    await under.engine.write('dataset', [{ kind: 'index', id: 'quiet', source: document('quiet', 'Nice') }], {
      load: 'S1',
      silent: true,
    })
    await write('S2', 'quiet', document('quiet', 'Nantes'))
    await under.engine.write('dataset', [{ kind: 'delete', id: 'quiet' }], { load: 'S3' })
    expect((await toldOf('deletes', 'load:S3:quiet')).payloads).toHaveLength(1)
    expect(await under.events.find('load:S1:quiet')).toEqual([])
    expect(await under.events.find('load:S2:quiet')).toEqual([])
    await expect.poll(() => under.engine.changes?.read(0, 10)).toEqual([])
  })

  test('integers keep their digits', async () => {
    await under.engine.createIndex('numbers', {
      dynamic: false,
      properties: { id: { type: 'long' }, at: { type: 'date' }, where: { type: 'geo_point' } },
    })
    const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }
    await under.references.putAll([sampleReference('numbers', { index_name: 'num*', ...paths })])
    await under.subscribe('large', { trigger: { collections: ['numbers'] }, filter: 'f=id:eq:9007199254740993' })
    const text = '{"id":9007199254740993,"at":1,"where":"1,2"}'
    await under.engine.write('numbers', [{ kind: 'index', id: 'x', source: JSON.parse(text), text }], { load: 'N1' })
    const { payloads } = await toldOf('large', 'load:N1:9007199254740993', 'numbers')
    expect(payloads).toMatchObject([{ object: { id: '9007199254740993' } }])
    await under.engine.write('numbers', [{ kind: 'index', id: 'y', source: { id: 7, at: 1 } }], { load: 'N2' })
    await under.outcome('load:N2:7', 'numbers')
  })
})

test('a collection made a moment ago is not missed', async () => {
  const under = await openMatching()
  try {
    await under.subscribe('any')
    await under.engine.write('dataset', [{ kind: 'index', id: 'one', source: document('one', 'Paris') }], { load: 'A' })
    await under.outcome('load:A:one')
    await under.references.putAll([sampleReference('fresh')])
    await under.engine.write('dataset', [{ kind: 'index', id: 'two', source: document('two', 'Paris') }], { load: 'B' })
    expect(await under.outcome('load:B:two', 'fresh')).toMatchObject({ state: 'MATCHED', matched: 1 })
  } finally {
    await under.close()
  }
})

test('loads can be left out by setting', async () => {
  const under = await openMatching({ flags: { 'events.fromLoads': 'false' } })
  try {
    await under.subscribe('any')
    await under.engine.write('dataset', [{ kind: 'index', id: 'one', source: document('one', 'Paris') }], { load: 'A' })
    await under.outcome(await under.post({ object: { id: 'one' } }))
    expect(await under.events.find('load:A:one')).toEqual([])
  } finally {
    await under.close()
  }
})
