import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exactInteger } from '../../../src/model/json/exact-integer.ts'
import { loadSample } from '../../conformance/fixtures.ts'
import { type SubscriptionServer, startSubscriptionServer, subscriptionBody } from './subscription-server.ts'

type Headers = Readonly<Record<string, string>>

let server: SubscriptionServer
beforeAll(async () => {
  server = await startSubscriptionServer()
  await loadSample(server.base)
})
afterAll(() => server?.stop())

const hits = (filter: string, projection = '') => ({ hits: { filter, projection } })
const about = (...collections: string[]) => ({ trigger: { collections } })

/** What a POST is answered: the status, and the code when it is refused. */
async function outcome(inside: object, headers: Headers = {}, side = '', changes: object = {}): Promise<string> {
  const { status, seen } = await server.ask('POST', `${side}/subscriptions`, subscriptionBody(changes, inside), headers)
  return status === 201 ? '201' : `${status} ${seen.error}`
}

async function messageOf(inside: object, headers: Headers = {}): Promise<string> {
  return (await server.ask('POST', '/subscriptions', subscriptionBody({}, inside), headers)).seen.message
}

describe('what a body says', () => {
  test.each<[string, object, string]>([
    ['a trigger against the schema', { trigger: { event: ['EXPLODE'] } }, '400 INVALID_TRIGGER'],
    ['no trigger at all', { trigger: {} }, '201'],
    ['a geometry that is null: absent', { trigger: { geometry: null } }, '201'],
    ['a centroid', { trigger: { centroid: { type: 'Point', coordinates: [1, 2] } } }, '201'],
    [
      'a centroid out of range',
      { trigger: { centroid: { type: 'Point', coordinates: [1, 200] } } },
      '400 INVALID_GEOMETRY',
    ],
    [
      'an area out of range',
      { trigger: { geometry: { type: 'Point', coordinates: [181, 0] } } },
      '400 INVALID_GEOMETRY',
    ],
    ['a fragment of another name', hits('size=3'), '400 INVALID_HITS'],
    ['a date on $timestamp', hits('f=$timestamp:gte:yesterday'), '400 INVALID_HITS'],
    ['a date expression on any field', hits('f=some:gte:now-1x'), '400 INVALID_HITS'],
    [
      'a date expression on a known field is left to its type',
      { ...about('geodata'), ...hits('f=params.job:gte:now-1x') },
      '201',
    ],
    ['a callback that is no URL', { callback: 'callback' }, '400 CALLBACK_NOT_ALLOWED'],
    ['a callback of this machine', { callback: 'http://127.0.0.1:22/' }, '201'],
  ])('%s', async (_name, inside, expected) => {
    expect(await outcome(inside)).toBe(expected)
  })

  test.each(['9007199254740993', '9223372036854775807'])('%s comes back as it was sent', async (digits) => {
    const changes = { starts_at: exactInteger('9007199254740991'), expires_at: exactInteger(digits) }
    const metadata = { userMetadatas: { large: exactInteger(digits), list: [exactInteger('-18446744073709551616')] } }
    const sent = subscriptionBody({ ...changes, ...metadata }, { trigger: { geometry: null } })
    const made = await server.ask('POST', '/subscriptions', sent)
    expect(made.status).toBe(201)
    const list = await server.ask('GET', '/subscriptions?expired=false&size=1')
    for (const text of [made.text, (await server.ask('GET', `/subscriptions/${made.seen.id}`)).text, list.text]) {
      expect(text).toContain(`"starts_at":9007199254740991,"expires_at":${digits}`)
      expect(text).toContain(`"userMetadatas":{"large":${digits},"list":[-18446744073709551616]}`)
      expect(text).not.toContain('"geometry"')
    }
    const again = await server.ask('PUT', `/subscriptions/${made.seen.id}`, sent)
    expect([again.status, again.text.includes(`"expires_at":${digits}`)]).toEqual([201, true])
  })

  test.each<[string, object, object, string]>([
    ['a time beyond 64 bits', { expires_at: exactInteger('9223372036854775808') }, {}, '400 INVALID_SUBSCRIPTION'],
    ['a time far beyond', { expires_at: 1e300 }, {}, '400 INVALID_SUBSCRIPTION'],
    ['a time before 1970', { starts_at: exactInteger('-9007199254740993') }, {}, '400 INVALID_SUBSCRIPTION'],
    ['a key of a trigger', {}, { trigger: { n: exactInteger('9007199254740993') } }, '400 INVALID_TRIGGER'],
    ['within a list', {}, { trigger: { n: [1, exactInteger('9007199254740993')] } }, '400 INVALID_TRIGGER'],
  ])('an integer that is not kept is refused: %s', async (_name, changes, inside, expected) => {
    expect(await outcome(inside, {}, '', changes)).toBe(expected)
  })

  test('a large integer in a trigger is pointed at', async () => {
    expect(await messageOf({ trigger: { 'a/b': [1, exactInteger('9007199254740993')] } })).toContain(
      '/subscription/trigger/a~1b/1 must be an integer from -9007199254740991 to 9007199254740991, or a string',
    )
  })

  test('messages point at what is wrong', async () => {
    const geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    }
    expect(await messageOf({ trigger: { geometry } })).toBe(
      '/subscription/trigger/geometry/coordinates/0 must be a ring that does not intersect itself',
    )
    expect(await messageOf(hits('f=a:foo:b'))).toMatch(/^subscription\.hits\.filter cannot be used: f must use one of/)
  })
})

describe('what a trigger names', () => {
  test.each<[string, object, string]>([
    ['collections that exist', about('geodata', 'geodata_actor'), '201'],
    ['one that does not', about('geodata', 'nowhere'), '404 COLLECTION_NOT_FOUND'],
    ['a value of a wrong type', { ...about('geodata'), ...hits('f=params.age:eq:old') }, '400 INVALID_HITS'],
    ['a geo operator on no field', { ...about('geodata'), ...hits('f=nowhere:within:0,0,1,1') }, '400 INVALID_HITS'],
    ['another operator on no field', { ...about('geodata'), ...hits('f=nowhere:eq:1') }, '201'],
    [
      'an exclude of a path of the collection',
      { ...about('geodata'), ...hits('', 'exclude=params') },
      '400 INVALID_HITS',
    ],
    ['the same without a collection', hits('f=nowhere:within:0,0,1,1', 'exclude=id'), '201'],
  ])('%s', async (_name, inside, expected) => {
    expect(await outcome(inside)).toBe(expected)
  })

  test('administrators may name what does not exist, and are checked by what does', async () => {
    expect(await outcome(about('nowhere'), {}, '/admin')).toBe('201')
    expect(await outcome({ ...about('nowhere', 'geodata'), ...hits('f=params.age:eq:old') }, {}, '/admin')).toBe(
      '400 INVALID_HITS',
    )
  })

  test('a hidden collection is as good as none', async () => {
    const unknown = await messageOf(about('nowhere'), { 'arlas-organization': 'foobar' })
    const hidden = await messageOf(about('geodata'), { 'arlas-organization': 'foobar' })
    expect(hidden).toBe(unknown.replace('nowhere', 'geodata'))
    expect(await outcome(about('geodata'), { 'arlas-organization': 'bar' })).toBe('201')
    expect(await outcome(about('geodata'), { 'column-filter': 'other:a' })).toBe('404 COLLECTION_NOT_FOUND')
    expect(await outcome(about('geodata'), { 'column-filter': '' })).toBe('404 COLLECTION_NOT_FOUND')
  })

  test.each<[string, object, string]>([
    [
      'covered paths',
      { ...about('geodata'), ...hits('f=params.job:eq:a&f=$timestamp:gte:0', 'include=params.job,p*') },
      '201',
    ],
    ['f', { ...about('geodata'), ...hits('f=params.age:eq:1') }, '403 COLUMN_NOT_AVAILABLE'],
    ['q without a field', { ...about('geodata'), ...hits('q=Actor') }, '403 COLUMN_NOT_AVAILABLE'],
    ['include', { ...about('geodata'), ...hits('', 'include=params.age') }, '403 COLUMN_NOT_AVAILABLE'],
    ['exclude is not looked at', { ...about('geodata'), ...hits('', 'exclude=params.age') }, '201'],
    [
      'keys of the trigger',
      { trigger: { collections: ['geodata'], 'params.age': 3 }, ...hits('') },
      '403 COLUMN_NOT_AVAILABLE',
    ],
    ['covered keys', { trigger: { collections: ['geodata'], 'params.job': 'Actor' }, ...hits('') }, '201'],
    ['no collection: told at the event', hits('f=params.age:eq:1'), '201'],
  ])('a column filter: %s', async (_name, inside, expected) => {
    expect(await outcome(inside, { 'column-filter': 'params.job' })).toBe(expected)
  })
})

describe('what narrows the view of a writer', () => {
  const partition = (field: string) => JSON.stringify({ f: [[{ field, op: 'eq', value: 'unseen-value' }]] })
  const storedOf = async (id: string) => (await server.notifications.subscriptions.get(id))?.access

  test('is stored, replaced by the next PUT of an end user, kept by an administrator, and never shown', async () => {
    const headers = {
      'partition-filter': partition('params.job'),
      'column-filter': 'params.job',
      'arlas-organization': 'foo',
    }
    const made = await server.ask('POST', '/subscriptions', subscriptionBody({}, hits('')), headers)
    const { id } = made.seen
    const first = { partition: headers['partition-filter'], columns: 'params.job', organisations: 'foo' }
    expect(await storedOf(id)).toEqual(first)
    const moved = subscriptionBody({ created_by: 'bob' }, hits(''))
    await server.ask('PUT', `/admin/subscriptions/${id}`, moved, { 'column-filter': '*' })
    expect(await storedOf(id)).toEqual(first)
    await server.ask('PUT', `/subscriptions/${id}`, moved, { 'arlas-organization': 'bar' })
    // What was made for foo until now is not for bar.
    expect(await storedOf(id)).toEqual({ organisations: 'bar', narrowedAt: Math.floor(server.now / 1000) })
    const shown = [
      made,
      await server.ask('GET', `/admin/subscriptions/${id}`),
      await server.ask('GET', '/admin/subscriptions'),
    ]
    for (const { text } of shown) expect(text).not.toMatch(/"access"|"version"|"seq"|unseen-value/)
  })

  test('an administrator’s PUT is checked against it', async () => {
    const made = await server.ask('POST', '/subscriptions', subscriptionBody({}, hits('')), {
      'column-filter': 'params.job',
    })
    const put = async (inside: object) => {
      const { status, seen } = await server.ask(
        'PUT',
        `/admin/subscriptions/${made.seen.id}`,
        subscriptionBody({}, inside),
      )
      return status === 201 ? '201' : `${status} ${seen.error}`
    }
    expect(await put({ ...about('geodata'), ...hits('f=params.age:eq:1') })).toBe('403 COLUMN_NOT_AVAILABLE')
    expect(await put({ ...about('geodata'), ...hits('f=params.job:eq:1') })).toBe('201')
    expect(await put(about('nowhere'))).toBe('201')
  })

  test.each(['{', '[]', '{"f":3}', partition(''), '{"f":[[{"field":"secret-name","op":"foo","value":"x"}]]}'])(
    'a partition filter %s cannot be read: 400 without a word of it',
    async (header) => {
      const { seen } = await server.ask('POST', '/subscriptions', subscriptionBody(), { 'partition-filter': header })
      expect(seen).toMatchObject({ status: 400, error: 'INVALID_FILTER' })
      expect(seen.message).not.toContain('secret-name')
    },
  )

  test('one for a collection of the trigger is read too', async () => {
    const header = JSON.stringify({ geodata: { f: [[{ field: 'a', op: 'foo', value: 'x' }]] } })
    expect(await outcome(about('geodata'), { 'partition-filter': header })).toBe('400 INVALID_FILTER')
    expect(await outcome(about('geodata_actor'), { 'partition-filter': header })).toBe('201')
  })
})

describe('the order of checks', () => {
  const wrong = { trigger: { event: ['EXPLODE'] }, callback: 'callback', ...hits('size=1') }

  test('what is wrong in itself comes before what is somebody else’s, or not there', async () => {
    const put = async (body: unknown, id: string, headers: Headers = {}) => {
      const { status, seen } = await server.ask('PUT', `/subscriptions/${id}`, body, headers)
      return status === 201 ? '201' : seen.error
    }
    const made = await server.ask('POST', '/subscriptions', subscriptionBody())
    const { id } = made.seen
    expect(await put({}, 'none')).toBe('INVALID_BODY')
    expect(await put(subscriptionBody({ title: '' }, wrong), 'none')).toBe('INVALID_SUBSCRIPTION')
    expect(await put(subscriptionBody({}, wrong), 'none')).toBe('INVALID_TRIGGER')
    expect(await put(subscriptionBody({}, { ...wrong, trigger: {} }), 'none')).toBe('INVALID_HITS')
    const badHeader = { 'partition-filter': '{' }
    expect(await put(subscriptionBody({}, { callback: 'callback' }), 'none', badHeader)).toBe('INVALID_FILTER')
    expect(await put(subscriptionBody({}, { callback: 'callback' }), 'none')).toBe('CALLBACK_NOT_ALLOWED')
    const later = { ...about('nowhere', 'geodata'), ...hits('f=params.age:eq:old') }
    expect(await put(subscriptionBody({ created_by: 'bob' }, later), 'none')).toBe('SUBSCRIPTION_NOT_FOUND')
    expect(await put(subscriptionBody({ created_by: 'bob' }, later), id)).toBe('FORBIDDEN')
    expect(await put(subscriptionBody({}, later), id)).toBe('COLLECTION_NOT_FOUND')
    const columns = { 'column-filter': 'params.job' }
    expect(await put(subscriptionBody({}, { ...later, ...about('geodata') }), id, columns)).toBe('COLUMN_NOT_AVAILABLE')
    expect(await put(subscriptionBody({}, { ...later, ...about('geodata') }), id)).toBe('INVALID_HITS')
  })
})

describe('settings', () => {
  test('a quota counts what a user has, deleted ones apart', async () => {
    const small = await startSubscriptionServer({ 'subscriptions.quota': '2' })
    const post = async (user: string, side = '') => {
      const answer = await small.ask('POST', `${side}/subscriptions`, subscriptionBody({ created_by: user }))
      return answer.status === 201 ? answer.seen.id : answer.seen
    }
    const made = await Promise.all([1, 2, 3, 4].map(() => post('ann')))
    expect(made.filter((answer) => typeof answer === 'string')).toHaveLength(2)
    expect(await post('ann')).toMatchObject({
      status: 400,
      error: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(/2.*subscriptions\.quota/),
    })
    expect(await post('bob')).toBeTypeOf('string')
    const ofAdministrator = await post('ann', '/admin')
    expect(ofAdministrator).toBeTypeOf('string')
    for (const id of [ofAdministrator, made.find((answer) => typeof answer === 'string')]) {
      await small.ask('DELETE', `/subscriptions/${id}`)
    }
    expect(await post('ann')).toBeTypeOf('string')
    await small.stop()
  })

  test('0 is no quota', async () => {
    const free = await startSubscriptionServer({ 'subscriptions.quota': '0' })
    expect((await free.ask('POST', '/subscriptions', subscriptionBody())).status).toBe(201)
    await free.stop()
  })

  test('https alone, and keys of other names', async () => {
    const strict = await startSubscriptionServer({
      'egress.httpsOnly': 'true',
      'subscriptions.trigger.keys.collections': 'about',
    })
    const post = async (inside: object) =>
      (await strict.ask('POST', '/subscriptions', subscriptionBody({}, inside))).seen
    expect(await post({ callback: 'http://a.example/' })).toMatchObject({ error: 'CALLBACK_NOT_ALLOWED' })
    expect(await post({ trigger: { about: ['nowhere'] } })).toMatchObject({ error: 'COLLECTION_NOT_FOUND' })
    expect((await post({ trigger: { collections: 'free now' } })).id).toBeTypeOf('string')
    await strict.stop()
  })

  test('a schema of triggers that is none stops the start', async () => {
    const file = join(tmpdir(), `periplus-schema-${process.pid}.json`)
    await writeFile(file, '{"type":"thing"}')
    const start = startSubscriptionServer({ 'subscriptions.trigger.schema': file })
    await expect(start).rejects.toThrow('subscriptions.trigger.schema')
    await rm(file)
  })
})

describe('a store that is away', () => {
  test('is 503 with Retry-After, after everything the request itself can be told', async () => {
    const broken = await startSubscriptionServer()
    broken.breakStore()
    const answers = [
      await broken.ask('GET', '/subscriptions'),
      await broken.ask('GET', '/subscriptions/x'),
      await broken.ask('POST', '/subscriptions', subscriptionBody()),
      await broken.ask('PUT', '/subscriptions/x', subscriptionBody()),
      await broken.ask('DELETE', '/admin/subscriptions/x'),
    ]
    for (const { seen, headers } of answers) {
      expect(seen).toMatchObject({ status: 503, error: 'STORE_UNAVAILABLE' })
      expect(headers['retry-after']).toBe('5')
    }
    expect((await broken.ask('POST', '/subscriptions', {})).status).toBe(400)
    await broken.stop()
  })
})
