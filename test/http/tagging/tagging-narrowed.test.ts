import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../../support/engines.ts'
import { type GuardedServer, loadTwoCollections, startGuardedServer } from '../access/guarded-server.ts'
import { listed, post, type State } from './tagging-client.ts'

const places = {
  index_name: 'things',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'time',
}
const only = (kind: string) => `{"f":[[{"field":"kind","op":"eq","value":"${kind}"}]]}`
const written = { 'partition-filter': '{"f":[[{"op":"eq","value":"a","field":"kind"}]]}' }

/** Nothing is carried out here: requests wait, and what is told of them is what was logged. */
describeEach(engines)('on the $name engine, the tags of a caller who sees a part of a collection', (engine) => {
  let server: GuardedServer
  const callers = {
    all: {},
    a: { 'partition-filter': only('a') },
    b: { 'partition-filter': only('b') },
    columns: { 'column-filter': 'shut:labels,shut:kind' },
    both: { 'partition-filter': only('a'), 'column-filter': 'shut:labels,shut:kind' },
  }
  type Caller = keyof typeof callers
  const ids = new Map<Caller, string[]>()

  beforeAll(async () => {
    server = await startGuardedServer({}, Date.now, engine.space?.())
    await loadTwoCollections(server)
    const body = { ...places, taggable_fields: 'labels' }
    for (const name of ['shut', 'gone']) {
      expect((await server.ask(`/collections/${name}`, {}, { method: 'PUT', body })).status).toBe(200)
    }
    for (const [i, name] of (['all', 'b', 'a', 'columns', 'both', 'a', 'all', 'b', 'a'] as const).entries()) {
      const id = await tag(name, `v${i}`)
      ids.set(name, [...(ids.get(name) ?? []), id])
    }
  })
  afterAll(() => server?.stop())

  async function tag(name: Caller, value: string, collection = 'shut'): Promise<string> {
    const answer = await post(
      server.base,
      `/write/${collection}/_tag`,
      { tag: { path: 'labels', value } },
      callers[name],
    )
    expect(answer.status, answer.text).toBe(200)
    return (answer.json() as State).id
  }

  const of = (name: Caller): readonly string[] => ids.get(name) ?? []

  test('are listed to those who see the same, numbered among themselves', async () => {
    for (const name of ['a', 'b', 'columns', 'both'] as const) {
      const list = await listed(server.base, 'shut', callers[name])
      expect(list.map(({ id }) => id)).toEqual(of(name))
      expect(list.map(({ offset }) => offset)).toEqual(of(name).map((_, i) => i))
    }
    expect((await listed(server.base, 'shut', written)).map(({ id }) => id)).toEqual(of('a'))
    const page = await server.ask('/status/shut/_taglist?from=1&size=1', callers.a)
    expect(page.json()).toMatchObject([{ id: of('a')[1], offset: 1 }])
    expect((await server.ask('/status/shut/_taglist?from=3', callers.a)).json()).toEqual([])
    expect((await server.ask('/status/shut/_taglist?from=1&size=9', callers.a)).json()).toMatchObject([
      { offset: 1 },
      { offset: 2 },
    ])
  })

  test('are all listed to whoever sees everything, with their places in the log', async () => {
    const list = await listed(server.base, 'shut')
    expect(list).toHaveLength(9)
    expect(list.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    for (const lifting of ['{}', '{"other":{"q":[["x"]]}}', `${only('a')},{}`]) {
      expect(await listed(server.base, 'shut', { 'partition-filter': lifting })).toEqual(list)
    }
    expect(await listed(server.base, 'shut', { 'column-filter': 'shut:*' })).toEqual(list)
  })

  test('have a status for those who see the same, and for whoever sees everything', async () => {
    for (const [asker, headers] of Object.entries(callers)) {
      for (const [name, own] of ids) {
        for (const id of own) {
          const answer = await server.ask(`/status/shut/_tag/${id}`, headers)
          const isSeen = asker === 'all' || asker === name
          expect([asker, name, answer.status]).toEqual([asker, name, isSeen ? 200 : 404])
          if (!isSeen) expect(answer.json()).toMatchObject({ error: 'TAG_REQUEST_NOT_FOUND' })
        }
      }
    }
  })

  test('are not replayed by them, nor are those of others', async () => {
    for (const name of ['a', 'columns', 'both'] as const) {
      for (const offset of ['0', '2', '99', 'x']) {
        const answer = await post(server.base, `/write/shut/_tagreplay?offset=${offset}`, undefined, callers[name])
        expect(answer.json()).toEqual({
          status: 403,
          error: 'FORBIDDEN',
          message: 'Tags cannot be replayed, because the view of the caller is narrowed',
        })
      }
    }
    const whole = { 'column-filter': 'shut:*' }
    expect((await post(server.base, '/write/shut/_tagreplay?offset=99', undefined, whole)).status).toBe(200)
  })

  test('stay theirs when the collection is gone', async () => {
    const id = await tag('a', 'x', 'gone')
    expect((await server.ask('/collections/gone', {}, { method: 'DELETE' })).status).toBe(200)
    expect((await server.ask(`/status/gone/_tag/${id}`, callers.a)).status).toBe(200)
    expect((await listed(server.base, 'gone', callers.a)).map((one) => one.id)).toEqual([id])
    expect((await server.ask(`/status/gone/_tag/${id}`, callers.b)).json()).toMatchObject({
      error: 'TAG_REQUEST_NOT_FOUND',
    })
    expect(await listed(server.base, 'gone', callers.b)).toEqual([])
    expect((await server.ask(`/status/gone/_tag/${id}`)).status).toBe(200)
    expect(await listed(server.base, 'gone')).toHaveLength(1)
  })
})
