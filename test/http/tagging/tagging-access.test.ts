import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GuardedServer, loadTwoCollections, startGuardedServer } from '../access/guarded-server.ts'
import { listed, post, type State } from './tagging-client.ts'

const tag = { path: 'labels', value: 'v1' }
const places = {
  index_name: 'things',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'time',
}
const ofA = '{"f":[[{"field":"kind","op":"eq","value":"a"}]]}'

/** Nothing is carried out here: requests wait, and what is told of them is what was logged. */
describe('tagging with authentication', () => {
  let server: GuardedServer
  let admin: string
  let ann: string
  let bob: string
  let limited: string
  const as = (key: string): Record<string, string> => ({ 'x-api-key': key })

  beforeAll(async () => {
    server = await startGuardedServer({ 'auth.modes': 'apikey', 'log.level': 'info' })
    admin = server.addKey({ user: 'root', roles: ['role/periplus/admin'] })
    const narrowed = [`header:partition-filter:${ofA}`, 'header:column-filter:open:*,shut:labels,shut:kind']
    ann = server.addKey({ user: 'ann', roles: ['role/arlas/tagger'], permissions: narrowed, organisations: ['foo'] })
    bob = server.addKey({ user: 'bob', roles: ['role/arlas/tagger'], organisations: ['bar'] })
    limited = server.addKey({ user: 'eve', permissions: ['rule:write/[^/]+/_(un)?tag:POST'], organisations: ['foo'] })
    await loadTwoCollections(server, as(admin))
    for (const [name, organisations] of [
      ['open', { owner: 'foo', public: true }],
      ['shut', { owner: 'foo', shared: ['bar'] }],
    ] as const) {
      const body = { ...places, organisations, taggable_fields: 'labels,secret' }
      expect((await server.ask(`/collections/${name}`, as(admin), { method: 'PUT', body })).status).toBe(200)
    }
  })
  afterAll(() => server?.stop())

  test('needs credentials, then a rule, before anything is read', async () => {
    for (const path of ['/write/nowhere/_tag', '/write/nowhere/_untag', '/write/nowhere/_tagreplay']) {
      const headers = { 'content-type': 'text/plain' }
      expect((await post(server.base, path, '{', headers)).json()).toMatchObject({ error: 'UNAUTHORIZED' })
    }
    expect((await server.ask('/status/shut/_taglist')).status).toBe(401)
    expect((await server.ask('/arlas_tagger/status/shut/_taglist')).status).toBe(401)
    const user = server.addKey({ user: 'u', roles: ['role/arlas/user'] })
    expect((await post(server.base, '/write/shut/_tag', { tag }, as(user))).json()).toMatchObject({
      error: 'FORBIDDEN',
    })
    expect((await server.ask('/status/shut/_taglist', as(user))).status).toBe(403)
  })

  test('a rule can let someone tag and not replay', async () => {
    expect((await post(server.base, '/write/shut/_tag', { tag }, as(limited))).status).toBe(200)
    expect((await post(server.base, '/arlas_tagger/write/shut/_untag', { tag }, as(limited))).status).toBe(200)
    expect((await post(server.base, '/write/shut/_tagreplay?offset=0', undefined, as(limited))).status).toBe(403)
    expect((await server.ask('/status/shut/_taglist', as(limited))).status).toBe(403)
  })

  test('reading is enough, ownership is not needed; others are refused', async () => {
    expect((await post(server.base, '/write/shut/_tag', { tag }, as(bob))).status).toBe(200)
    const stranger = server.addKey({ user: 's', roles: ['role/arlas/tagger'], organisations: ['none'] })
    const refused = await post(server.base, '/write/shut/_tag', { tag }, as(stranger))
    expect(refused.json()).toMatchObject({ status: 403, error: 'COLLECTION_NOT_AVAILABLE' })
    expect((await post(server.base, '/write/open/_tag', { tag }, as(stranger))).status).toBe(200)
  })

  test('the columns of the caller count, and the headers it sends do not', async () => {
    const hidden = { tag: { path: 'secret', value: 'x' } }
    expect((await post(server.base, '/write/shut/_tag', hidden, as(ann))).json()).toMatchObject({
      error: 'COLUMN_NOT_AVAILABLE',
    })
    const widened = { ...as(ann), 'column-filter': '*' }
    expect((await post(server.base, '/write/shut/_tag', hidden, widened)).json()).toMatchObject({
      error: 'COLUMN_NOT_AVAILABLE',
    })
    expect((await post(server.base, '/write/open/_tag', hidden, as(ann))).status).toBe(200)
  })

  test('a partition filter is shown to its author and to administrators', async () => {
    const { id } = (await post(server.base, '/write/shut/_tag', { tag, label: 'narrow' }, as(ann))).json() as State
    const shownTo = async (key: string): Promise<unknown> =>
      (await listed(server.base, 'shut', as(key))).find((one) => one.id === id)?.partitionFilter
    expect(await shownTo(ann)).toBe(ofA)
    expect(await shownTo(admin)).toBe(ofA)
    expect(await shownTo(bob)).toBeUndefined()
    const named = server.addKey({ user: 'admin', roles: ['role/arlas/tagger'] })
    expect(await shownTo(named)).toBe(ofA)
    const list = await server.ask('/status/shut/_taglist', as(admin))
    expect(list.text).not.toMatch(/principal|"ann"/)
  })

  test('permissions that cannot be applied close', async () => {
    const broken = ['header:partition-filter:{"hush":', 'rule:write/.*:POST']
    const key = server.addKey({ user: 'b', permissions: broken, organisations: ['foo'] })
    const answer = await post(server.base, '/write/shut/_tag', { tag }, as(key))
    expect(answer.json()).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    expect(answer.text).not.toContain('hush')
  })

  test('who tagged is in the audit log', async () => {
    const from = server.lines.length
    await post(server.base, '/write/shut/_tag', { tag, label: 'hush' }, as(ann))
    await post(server.base, '/write/shut/_tagreplay?offset=0', undefined, as(limited))
    const lines = server.lines.slice(from).filter((line) => line.audit === true)
    expect(lines).toMatchObject([
      { who: 'ann', what: 'POST /write/:collection/_tag', collection: 'shut', outcome: 'done', status: 200 },
      { who: 'eve', what: 'POST /write/:collection/_tagreplay', collection: 'shut', outcome: 'refused', status: 403 },
    ])
    expect(JSON.stringify(lines)).not.toContain('hush')
  })
})

describe('tagging without authentication', () => {
  let server: GuardedServer
  beforeAll(async () => {
    server = await startGuardedServer({ 'tagging.maxPending': '2' })
    await loadTwoCollections(server)
    const body = { ...places, taggable_fields: 'labels' }
    await server.ask('/collections/open', {}, { method: 'PUT', body })
  })
  afterAll(() => server?.stop())

  test('a partition filter is shown to everybody, and too many requests must wait', async () => {
    await post(server.base, '/write/open/_tag', { tag }, { 'partition-filter': ofA })
    expect((await listed(server.base, 'open'))[0]?.partitionFilter).toBe(ofA)
    expect((await post(server.base, '/write/open/_tag', { tag })).status).toBe(200)
    const refused = await post(server.base, '/write/open/_tag', { tag })
    expect(refused.json()).toMatchObject({ status: 429, error: 'TOO_MANY_REQUESTS' })
    expect(refused.headers['retry-after']).toBe('5')
    expect(await listed(server.base, 'open')).toHaveLength(2)
    expect((await post(server.base, '/write/open/_tag', {})).json()).toMatchObject({ error: 'INVALID_TAG' })
  })
})
