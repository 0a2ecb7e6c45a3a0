import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GuardedServer, startGuardedServer } from './guarded-server.ts'

const properties = { id: { type: 'keyword' }, time: { type: 'date' }, place: { type: 'geo_point' } }
const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
const mine = { owner: 'a' }
const column = (text: string) => `header:column-filter:${text}`
const partition = (text: string) => `header:partition-filter:${text}`
const some = '{"f":[[{"field":"id","op":"eq","value":"x"}]]}'

/**
 * Indices `plain` (of the collection `plain`, of a), `secret` and `other-1` (of `theirs` and `others`, of b), `free` and
 * `freedom` (of no collection).
 */
describe('whoever sees a part of the collections', () => {
  let server: GuardedServer
  let admin: Record<string, string>
  const as = (rights: Parameters<GuardedServer['addKey']>[0]) => ({ 'x-api-key': server.addKey(rights) })

  beforeAll(async () => {
    server = await startGuardedServer({ 'auth.modes': 'apikey', 'engine.memoryMiB': '128' })
    admin = as({ user: 'root', roles: ['role/periplus/admin'] })
    for (const index of ['plain', 'secret', 'other-1', 'free', 'freedom']) {
      await must('PUT', `/index/${index}`, { mappings: { properties } })
    }
    await must('PUT', '/collections/plain', { ...paths, index_name: 'plain', organisations: mine })
    await must('PUT', '/collections/theirs', { ...paths, index_name: 'secret', organisations: { owner: 'b' } })
    await must('PUT', '/collections/others', { ...paths, index_name: 'other-*', organisations: { owner: 'b' } })
  })
  afterAll(() => server?.stop())

  async function must(method: string, path: string, body?: unknown): Promise<void> {
    const answer = await server.ask(path, admin, { method, ...(body === undefined ? {} : { body }) })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  }

  /** Every way to change the collection `plain`. */
  const changes: readonly (readonly [string, string, unknown, Record<string, string>?])[] = [
    ['PUT', '/collections/plain', { ...paths, index_name: 'plain', organisations: mine }],
    ['PATCH', '/collections/plain/organisations', { shared: ['c'] }],
    ['PATCH', '/collections/plain/display_names/collection', 'Plain'],
    ['PATCH', '/collections/plain/display_names/fields', { id: 'Name' }],
    ['PATCH', '/collections/plain/display_names/shape_columns', { id: 'Name' }],
    ['POST', '/collections/_import', importing('plain', 'plain').body, importing('plain', 'plain').headers],
    ['DELETE', '/collections/plain', undefined],
  ]

  function importing(...entries: readonly string[]) {
    const [name, index_name] = entries
    const file = JSON.stringify([{ collection_name: name, params: { ...paths, index_name, organisations: mine } }])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', body: new URLSearchParams({ file }).toString(), headers }
  }

  const send = async (change: (typeof changes)[number], caller: Record<string, string>) => {
    const [method, path, body, headers = {}] = change
    return server.ask(path, { ...caller, ...headers }, { method, ...(body === undefined ? {} : { body }) })
  }

  test.each([
    ['some columns', [column('plain:id')]],
    ['some columns of every collection', [column('id,place')]],
    ['some documents', [partition(some)]],
    ['some documents of this collection', [partition(`{"plain":${some}}`)]],
    ['some documents, in several ways', [partition(some), partition('{"q":[["x"]]}')]],
  ])('does not change a collection of which it sees %s', async (_title, permissions) => {
    const before = (await server.ask('/collections', admin)).text
    const narrowed = as({ roles: ['role/arlas/builder'], permissions, organisations: ['a'] })
    for (const change of changes) {
      const { status, text } = await send(change, narrowed)
      expect([change[0], change[1], status, text]).toEqual([change[0], change[1], 403, expect.any(String)])
      expect(JSON.parse(text)).toMatchObject({
        error: 'FORBIDDEN',
        message: 'The collection cannot be changed, because the view of the caller is narrowed',
      })
    }
    expect((await server.ask('/collections', admin)).text).toBe(before)
  })

  test.each([
    ['nothing narrows it', []],
    ['all columns', [column('plain:*')]],
    ['every document, among filters', [partition(some), partition('{}')]],
    ['filters of other collections', [partition(`{"theirs":${some}}`)]],
  ])('changes one of which it sees all: %s', async (_title, permissions) => {
    const builder = as({ roles: ['role/arlas/builder'], permissions, organisations: ['a'] })
    for (const change of changes) {
      const { status, text } = await send(change, builder)
      expect([change[0], change[1], status], text).toEqual([change[0], change[1], 200])
    }
    await must('PUT', '/collections/plain', { ...paths, index_name: 'plain', organisations: mine })
  })

  describe('registers no index of a collection that is hidden from it', () => {
    const refusal = {
      status: 403,
      error: 'FORBIDDEN',
      message: 'index_name must not match an index that the caller is not allowed to read',
    }
    /** Callers with the same right to register, and what hides `theirs` and `others` from them. */
    const callers: readonly (readonly [string, Parameters<GuardedServer['addKey']>[0]])[] = [
      ['its organisation', { roles: ['role/arlas/builder'], organisations: ['a'] }],
      ['no column of it', { roles: ['role/arlas/builder'], permissions: [column('plain:*,mine*:*')] }],
      [
        'some columns of it',
        {
          roles: ['role/arlas/builder'],
          permissions: [column('plain:*,mine*:*,theirs:id,others:id')],
        },
      ],
      [
        'some documents of it',
        { roles: ['role/arlas/builder'], permissions: [partition(`{"theirs":${some},"others":${some}}`)] },
      ],
      ['its rules', { permissions: ['rule:collections.*:*', 'rule:explore/(plain|mine.*)/.*:GET'] }],
    ]

    test.each(callers)('by %s', async (_title, rights) => {
      const caller = as(rights)
      const put = (name: string, index_name: string, query = '') =>
        server.ask(`/collections/${name}${query}`, caller, {
          method: 'PUT',
          body: { ...paths, index_name, organisations: mine },
        })
      const reaching = ['secret', '*', 's*', '*t', 'other-1', 'other-2', 'o*', '*-*', 'other-*', 'other-2*']
      for (const index_name of reaching) {
        for (const query of ['', '?checkfields=false']) {
          expect((await put('mine', index_name, query)).json(), `${index_name}${query}`).toEqual(refusal)
        }
        expect((await put('plain', index_name)).json(), `plain on ${index_name}`).toEqual(refusal)
        const { headers, ...call } = importing('mine', index_name)
        expect((await server.ask('/collections/_import', { ...caller, ...headers }, call)).json()).toEqual(refusal)
      }
      expect((await server.ask('/collections/mine', admin)).status).toBe(404)
      expect((await server.ask('/collections/plain', admin)).json()).toMatchObject({ params: { index_name: 'plain' } })
      // An index of nobody, and one of a collection it sees, are open; a missing one is 404.
      for (const index_name of ['free', 'free*', 'plain']) expect((await put('mine', index_name)).status).toBe(200)
      expect((await put('mine', 'nowhere')).json()).toMatchObject({ status: 404, error: 'INDEX_NOT_FOUND' })
      expect((await put('mine', 'secret,free')).json()).toMatchObject({ status: 404, error: 'INDEX_NOT_FOUND' })
      await must('DELETE', '/collections/mine')
    })

    test('nor one that appears later under its pattern', async () => {
      const ofA = as({ roles: ['role/arlas/builder'], organisations: ['a'] })
      const ofB = as({ roles: ['role/arlas/builder'], organisations: ['b'] })
      const put = (caller: Record<string, string>, name: string, index_name: string, owner: string) =>
        server.ask(`/collections/${name}?checkfields=false`, caller, {
          method: 'PUT',
          body: { ...paths, index_name, organisations: { owner } },
        })
      expect((await put(ofB, 'later', 'later-*', 'b')).status).toBe(200)
      for (const index_name of ['later-1', 'late*', '*-1']) {
        expect((await put(ofA, 'mine', index_name, 'a')).json()).toEqual(refusal)
      }
      await must('PUT', '/index/later-1', { mappings: { properties } })
      expect((await put(ofA, 'mine', 'later-1', 'a')).json()).toEqual(refusal)
      await must('DELETE', '/collections/later')
      expect((await put(ofA, 'mine', 'later-1', 'a')).status).toBe(200)
      // Now it is the other who must not.
      expect((await put(ofB, 'later', 'later-*', 'b')).json()).toEqual(refusal)
      await must('DELETE', '/collections/mine')
    })

    test('however wide it makes its own columns by calling a collection public', async () => {
      const caller = as({ roles: ['role/arlas/builder'], permissions: [column('plain:id')], organisations: ['a'] })
      const body = { ...paths, index_name: 'free', organisations: { owner: 'a', public: true } }
      expect((await server.ask('/collections/mine', caller, { method: 'PUT', body })).json()).toMatchObject({
        error: 'FORBIDDEN',
      })
    })
  })

  test('a whole import is refused for one entry', async () => {
    const builder = as({ roles: ['role/arlas/builder'], organisations: ['a'] })
    const entry = (name: string, index_name: string) => ({
      collection_name: name,
      params: { ...paths, index_name, organisations: mine },
    })
    const file = JSON.stringify([entry('mine', 'free'), entry('mine2', 'secret')])
    const headers = { ...builder, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ file }).toString()
    expect((await server.ask('/collections/_import', headers, { method: 'POST', body })).status).toBe(403)
    expect((await server.ask('/collections/mine', admin)).status).toBe(404)
  })
})
