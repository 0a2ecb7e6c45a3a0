import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLocalServices } from '../../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../../src/config/load-settings.ts'
import { stopServer } from '../../../src/http/health/stop-server.ts'
import { buildServer } from '../../../src/http/server/server.ts'
import { documents, mapping } from '../../conformance/dataset.ts'
import { type Answer, call } from '../../support/http-client.ts'
import { createIndex, putCollection } from '../../support/index-loading.ts'
import { subscriptionBody } from './subscription-server.ts'

interface Running {
  readonly base: string
  readonly stop: () => Promise<void>
}

const LINES = { 'content-type': 'application/x-ndjson' }
const paths = {
  id_path: 'id',
  geometry_path: 'geo_params.geometry',
  centroid_path: 'geo_params.centroid',
  timestamp_path: 'params.startdate',
}

async function start(flags: Readonly<Record<string, string>> = {}): Promise<Running> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  const given = { 'data.directory': directory, 'server.port': '0', 'log.level': 'silent', ...flags }
  const services = await openLocalServices(loadSettings({ flags: given, cwd: directory }))
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  services.notifications?.start()
  const stop = async (): Promise<void> => {
    await stopServer(app, services)
    await rm(directory, { recursive: true, force: true })
  }
  return { base, stop }
}

const event = (id: string, more: object = {}) => ({
  id,
  collection: 'geodata',
  event: 'UPDATE',
  object: { id: 'ID__10__30DI' },
  ...more,
})

describe('POST /events and GET /events/{id}', () => {
  let server: Running
  beforeAll(async () => {
    server = await start()
    const lines = documents().map((d) => `${JSON.stringify({ index: { _id: d.id } })}\n${JSON.stringify(d)}\n`)
    await createIndex(server.base, 'dataset', mapping, lines.join(''))
    await putCollection(server.base, 'geodata', { index_name: 'dataset', ...paths })
    await putCollection(server.base, 'other', { index_name: 'dataset', ...paths })
  })
  afterAll(() => server?.stop())

  const post = (body: unknown, headers = {}, query = ''): Promise<Answer> =>
    call(server.base, { method: 'POST', path: `/events${query}`, body, headers })
  const get = (path: string): Promise<Answer> => call(server.base, { path })

  test('one event, a batch, and lines', async () => {
    const one = await post(event('one'))
    expect([one.status, one.text]).toEqual([202, '{"accepted":1,"duplicates":0,"ids":["one"]}'])
    expect(one.headers['content-type']).toBe('application/json;charset=utf-8')
    const batch = await post({ events: [event('two'), event('one'), event('three')] })
    expect(batch.json()).toEqual({ accepted: 2, duplicates: 1, ids: ['two', 'one', 'three'] })
    const lines = await post(`${JSON.stringify(event('four'))}\n\r\n  \n${JSON.stringify(event('one'))}`, LINES)
    expect(lines.json()).toEqual({ accepted: 1, duplicates: 1, ids: ['four', 'one'] })
    const pretty = await post(event('five'), {}, '?PRETTY=true')
    expect(pretty.text).toBe('{\n  "accepted": 1,\n  "duplicates": 0,\n  "ids": [\n    "five"\n  ]\n}')
    const aliased = await call(server.base, {
      method: 'POST',
      path: '/arlas-subscriptions-manager/events/',
      body: event('six'),
    })
    expect(aliased.status).toBe(202)
    const wrapped = await post({ ...event('seven'), events: ['no batch, a member of the event'] })
    expect(wrapped.json()).toMatchObject({ accepted: 1, ids: ['seven'] })
    expect((await post({ events: [] })).json()).toEqual({ accepted: 0, duplicates: 0, ids: [] })
  })

  test.each<readonly [string, unknown, object, number, string, string]>([
    ['no JSON', 'not json', {}, 400, 'MALFORMED_JSON', 'body'],
    ['nothing', '', {}, 400, 'INVALID_BODY', 'body'],
    ['no object', [event('x')], {}, 400, 'INVALID_BODY', 'body'],
    ['a key beside the batch', { events: [], more: 1 }, {}, 400, 'INVALID_BODY', 'more'],
    ['a line that is no JSON', `${JSON.stringify(event('x'))}\n{`, LINES, 400, 'MALFORMED_JSON', 'events[1]'],
    ['no line', '\n\n', LINES, 400, 'INVALID_BODY', 'body'],
    ['a fault in one', event('x', { object: {} }), {}, 400, 'INVALID_EVENT', 'object.id is required'],
    ['a fault in a batch', { events: [event('x'), {}] }, {}, 400, 'INVALID_EVENT', 'events[1].object is required'],
    ['an unknown collection', event('x', { collection: 'nowhere' }), {}, 404, 'COLLECTION_NOT_FOUND', 'nowhere'],
    ['other content', event('one', { more: 1 }), {}, 409, 'EVENT_ID_CONFLICT', 'one'],
    ['too many', { events: Array.from({ length: 1001 }, () => ({})) }, {}, 400, 'LIMIT_EXCEEDED', '1000'],
    ['too large', `{"x":"${'x'.repeat(8 << 20)}"}`, {}, 413, 'BODY_TOO_LARGE', '8388608'],
    ['another media type', 'a,b', { 'content-type': 'text/csv' }, 415, 'UNSUPPORTED_MEDIA_TYPE', 'text/csv'],
  ])('%s is refused', async (_name, body, headers, status, error, text) => {
    const answer = await post(body, headers)
    expect([answer.status, answer.json()], answer.text).toEqual([
      status,
      { status, message: expect.stringContaining(text), error },
    ])
    expect((await get('/events/x')).status).toBe(404)
  })

  test('a parameter that does not parse comes before anything is taken', async () => {
    expect((await post(event('pretty'), {}, '?pretty=maybe')).status).toBe(400)
    expect((await get('/events/pretty')).status).toBe(404)
    expect((await get('/events/pretty?pretty=maybe')).status).toBe(400)
  })

  test('what became of it', async () => {
    const subscribed = await call(server.base, {
      method: 'POST',
      path: '/subscriptions',
      body: subscriptionBody({}, { trigger: { event: ['DELETE'] } }),
    })
    expect(subscribed.status, subscribed.text).toBe(201)
    await post(event('look', { event: 'DELETE' }))
    await expect.poll(async () => (await get('/events/look')).text).toContain('"state":"MATCHED"')
    const answer = await get('/events/look')
    expect(answer.status).toBe(200)
    expect(Object.entries(answer.json() as object)).toEqual([
      ['id', 'look'],
      ['collection', 'geodata'],
      ['event', 'DELETE'],
      ['state', 'MATCHED'],
      ['accepted_at', expect.any(Number)],
      ['matched', 1],
    ])
    const missing = await get('/events/never')
    expect([missing.status, missing.json()]).toMatchObject([404, { error: 'EVENT_NOT_FOUND' }])
  })

  test('events of several collections with one id', async () => {
    await post({ events: [event('shared'), event('shared', { collection: 'other' })] })
    const unclear = await get('/events/shared')
    expect([unclear.status, unclear.json()]).toMatchObject([
      400,
      { error: 'INVALID_PARAMETER', message: expect.stringContaining('collection') },
    ])
    expect((await get('/events/shared?collection=other')).json()).toMatchObject({ collection: 'other' })
    expect((await get('/events/shared?Collection=nowhere')).status).toBe(404)
  })

  test('an id with characters of its own', async () => {
    const id = 'a/b %é?'
    await post(event(id))
    expect((await get(`/events/${encodeURIComponent(id)}`)).json()).toMatchObject({ id })
  })
})

describe('who may tell of events (spec 3.3)', () => {
  let server: Running
  beforeAll(async () => {
    server = await start({ 'subscriptions.identity.header': 'x-user' })
  })
  afterAll(() => server?.stop())

  test.each([
    [undefined, 401],
    ['ann', 403],
    ['admin', 404],
  ])('%s', async (user, status) => {
    const headers: Record<string, string> = user === undefined ? {} : { 'x-user': user }
    // The administrator gets to the collection, which does not exist.
    const posted = await call(server.base, { method: 'POST', path: '/events', body: event('e'), headers })
    expect(posted.status, posted.text).toBe(status)
    const read = await call(server.base, { path: '/events/e', headers })
    expect(read.status).toBe(status)
  })
})
