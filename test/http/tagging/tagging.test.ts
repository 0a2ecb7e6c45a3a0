import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collections as bodies } from '../../conformance/dataset.ts'
import { loadEdge, loadSample } from '../../conformance/fixtures.ts'
import { startEmbeddedServer } from '../../support/embedded-server.ts'
import { call, must } from '../../support/http-client.ts'
import { deleteCollection, putCollection } from '../../support/index-loading.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { finished, listed, post, type State, tagged } from './tagging-client.ts'

// Requests wait for those before them.
const tag = { path: 'params.tags', value: 'v1' }
const actors = { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] }

describe('tagging over HTTP', () => {
  let server: RunningServer
  let base: string
  beforeAll(async () => {
    server = await startEmbeddedServer()
    base = server.base
    await loadSample(base)
  })
  afterAll(() => server?.stop())

  /** A collection on the sample whose list is its own. */
  const make = async (name: string): Promise<string> => {
    await putCollection(base, name, { ...bodies.geodata, index_name: 'dataset' })
    return name
  }

  test('answers at once, then tells how far it is, then what came of it', async () => {
    const before = Date.now()
    const answer = await post(base, '/write/geodata/_tag', { tag, label: 'pinktag', search: { filter: actors } })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json;charset=utf-8')
    const { id, startTime, ...first } = answer.json() as State & { readonly startTime: number }
    expect(first).toEqual({
      label: 'pinktag',
      action: 'ADD',
      failed: 0,
      updated: 0,
      progress: 0,
      nbRequest: 0,
      propagated: -1,
      endTime: startTime,
      processingTimeMs: 0,
    })
    expect(startTime).toBeGreaterThanOrEqual(before)
    const { endTime, processingTimeMs, ...last } = await finished(base, 'geodata', id)
    expect(last).toEqual({
      id,
      label: 'pinktag',
      action: 'ADD',
      failed: 0,
      updated: 59,
      progress: 100,
      nbRequest: 1,
      propagated: 1,
      startTime,
    })
    expect(processingTimeMs).toBe(Number(endTime) - startTime)
    const found = await must(base, { path: '/explore/geodata/_count?f=params.tags:eq:v1' })
    expect(found).toMatchObject({ totalnb: 59 })
  })

  test('untag without a value removes all', async () => {
    const answer = await post(base, '/write/geodata/_untag', { tag: { path: 'params.tags', value: null } })
    const { id, action } = answer.json() as State
    expect(action).toBe('REMOVEALL')
    expect(await finished(base, 'geodata', id)).toMatchObject({ updated: 595 })
    expect(await must(base, { path: '/explore/geodata/_count?f=params.tags:eq:v1' })).toMatchObject({ totalnb: 0 })
  })

  test('a body without media type, compressed, or under the prefix of the client', async () => {
    const name = await make('forms')
    const plain = JSON.stringify({ tag, search: { filter: { f: [[{ field: 'id', op: 'eq', value: 'nobody' }]] } } })
    for (const path of ['/write/forms/_tag', '/write/forms/_tag/', '/arlas_tagger/write/forms/_tag']) {
      expect((await call(base, { method: 'POST', path, body: plain })).status).toBe(200)
      const typed = { 'content-type': 'application/json; charset=UTF-8' }
      expect((await call(base, { method: 'POST', path, body: plain, headers: typed })).status).toBe(200)
    }
    const packed = { 'content-encoding': 'gzip' }
    expect((await post(base, '/write/forms/_tag', gzipSync(plain), packed)).status).toBe(200)
    const nothing = await call(base, {
      method: 'POST',
      path: '/write/forms/_tag',
      headers: { 'content-type': 'text/plain' },
    })
    expect(nothing.json()).toMatchObject({ status: 400, error: 'INVALID_TAG' })
    expect(await listed(base, name)).toHaveLength(7)
  })

  test('pretty by parameter or by form', async () => {
    const name = await make('prettily')
    expect((await post(base, `/write/${name}/_tag?Pretty=TRUE`, { tag })).text).toMatch(/^\{\n {2}"id"/)
    const { text } = await post(base, `/write/${name}/_tag`, { tag, form: { pretty: true } })
    expect(text).toMatch(/^\{\n {2}"id"/)
    const { id } = JSON.parse(text) as State
    expect((await call(base, { path: `/status/${name}/_tag/${id}?pretty=true` })).text).toMatch(/^\{\n {2}"id"/)
    const list = await call(base, { path: `/status/${name}/_taglist?pretty=true` })
    expect(list.text).toBe(JSON.stringify(list.json(), null, 2))
    expect((await call(base, { path: `/status/${name}/_taglist` })).text).toBe(JSON.stringify(list.json()))
  })

  test('HEAD works where GET does', async () => {
    const answer = await call(base, { method: 'HEAD', path: '/status/geodata/_taglist' })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await call(base, { method: 'HEAD', path: '/status/geodata/_tag/nope' })).status).toBe(404)
  })

  describe('the list', () => {
    test('shows requests as they were logged', async () => {
      const name = await make('listed')
      expect((await call(base, { path: `/status/${name}/_taglist?pretty=true` })).text).toBe('[]')
      const first = (await post(base, `/write/${name}/_tag`, { tag })).json() as State
      const whole = {
        tag: { path: 'params.tags', value: 7 },
        label: 'all of it',
        search: { filter: actors, partitionFilter: [{}], page: { size: 5 } },
        filter: { q: [['fullname:name']] },
        form: { flat: true },
        propagation: { field: 'params.job', filter: {} },
      }
      const second = (await post(base, `/write/${name}/_untag`, whole)).json() as State
      const [one, two, ...rest] = await listed(base, name)
      expect(rest).toEqual([])
      expect(one).toEqual({
        id: first.id,
        action: 'ADD',
        collection: name,
        offset: expect.any(Number),
        creationTime: first.startTime,
        propagated: -1,
        tag,
      })
      expect(two).toEqual({
        id: second.id,
        action: 'REMOVE',
        collection: name,
        offset: Number(one?.offset) + 1,
        creationTime: second.startTime,
        propagated: -1,
        ...whole,
      })
      await finished(base, name, second.id)
      expect(await listed(base, name)).toEqual([one, two])
    })

    test('is cut by from and size', async () => {
      const name = await make('cut')
      for (let i = 0; i < 5; i++)
        await post(base, `/write/${name}/_untag`, { tag: { path: 'params.tags' }, label: `${i}` })
      const all = await listed(base, name)
      const labels = async (query: string): Promise<unknown> => {
        const list = (await must(base, { path: `/status/${name}/_taglist?${query}` })) as { readonly label: string }[]
        return list.map(({ label }) => label)
      }
      expect(await labels('')).toEqual(['0', '1', '2', '3', '4'])
      expect(await labels('size=2')).toEqual(['0', '1'])
      expect(await labels(`from=${all[3]?.offset}`)).toEqual(['3', '4'])
      expect(await labels(`FROM=${all[1]?.offset}&size=2`)).toEqual(['1', '2'])
      expect(await labels('from=9007199254740991')).toEqual([])
    })

    test('is whole when it is long', async () => {
      // On an index of its own: what waits there keeps nobody else waiting.
      const name = 'long'
      await loadEdge(base, name)
      const label = 'x'.repeat(900)
      const body = {
        tag: { path: 'tags', value: 'v1' },
        label,
        search: { filter: { f: [[{ field: 'id', op: 'eq', value: 'nobody' }]] } },
      }
      const sent = await Promise.all(Array.from({ length: 150 }, () => post(base, `/write/${name}/_tag`, body)))
      const list = await listed(base, name)
      expect(list.map(({ id }) => id).sort()).toEqual(sent.map((answer) => (answer.json() as State).id).sort())
      const offsets = list.map(({ offset }) => Number(offset))
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
    })

    test('tells partition filters as text', async () => {
      const name = await make('partitioned')
      const header = `{"f":[[{"field":"params.job","op":"eq","value":"Actor"}]]}, {"${name}":{}}`
      const entries = [{ q: [['fullname:name']] }, actors]
      const texts = entries.map((entry) => JSON.stringify(entry)).join(',')
      await post(base, `/write/${name}/_tag`, { tag }, { 'partition-filter': header })
      await post(base, `/write/${name}/_tag`, { tag, partition_filter: entries })
      await post(base, `/write/${name}/_tag`, { tag, partitionFilter: entries }, { 'partition-filter': header })
      await post(base, `/write/${name}/_tag`, { tag, partitionFilter: [] })
      const shown = (await listed(base, name)).map(({ partitionFilter }) => partitionFilter)
      expect(shown).toEqual([header, texts, `[${JSON.stringify(JSON.parse(`[${header}]`))},[${texts}]]`, undefined])
    })
  })

  describe('a replay', () => {
    test('answers the offset, whatever else is sent', async () => {
      const name = await make('replayed')
      for (const [query, offset] of [
        ['offset=0', 0],
        ['OFFSET=7', 7],
        ['offset=9007199254740991', 9007199254740991],
      ] as const) {
        const answer = await call(base, { method: 'POST', path: `/write/${name}/_tagreplay?${query}` })
        expect([answer.status, answer.text]).toEqual([200, String(offset)])
        expect(answer.headers['content-type']).toBe('application/json;charset=utf-8')
      }
      for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
        const answer = await call(base, {
          method: 'POST',
          path: `/write/${name}/_tagreplay?offset=3`,
          headers: { 'content-type': type },
          body: '{'.repeat(2 << 20),
        })
        expect([answer.status, answer.text]).toEqual([200, '3'])
      }
    })

    test('begins the status anew, and carries out once more', async () => {
      const name = await make('anew')
      const only = { f: [[{ field: 'id', op: 'eq', value: 'ID_0_0DI' }]] }
      const { id, startTime } = await tagged(base, name, { tag: { ...tag, value: 'again' }, search: { filter: only } })
      const [first] = await listed(base, name)
      await call(base, { method: 'POST', path: `/write/${name}/_tagreplay?offset=${first?.offset}` })
      const again = await finished(base, name, id)
      expect(Number(again.startTime)).toBeGreaterThanOrEqual(Number(startTime))
      expect(again).toMatchObject({ updated: 1, nbRequest: 1 })
      expect(await listed(base, name)).toEqual([first])
    })
  })

  test('the requests of a deleted collection can still be read', async () => {
    const name = await make('gone')
    const other = await make('staying')
    const { id } = await tagged(base, name, { tag: { ...tag, value: 'g' } })
    await deleteCollection(base, name)
    expect(await finished(base, name, id)).toMatchObject({ updated: 595 })
    expect(await listed(base, name)).toHaveLength(1)
    for (const [header, status] of [
      [{ 'arlas-organization': 'foo' }, 403],
      [{ 'column-filter': 'other:x' }, 403],
      [{ 'column-filter': 'gone:*' }, 200],
    ] as const) {
      expect((await call(base, { path: `/status/${name}/_taglist`, headers: header })).status).toBe(status)
      expect((await call(base, { path: `/status/${name}/_tag/${id}`, headers: header })).status).toBe(status)
    }
    const narrowed = { 'column-filter': 'gone:params.tags' }
    expect(await listed(base, name, narrowed)).toEqual([])
    expect((await call(base, { path: `/status/${name}/_tag/${id}`, headers: narrowed })).status).toBe(404)
    for (const path of ['_tag', '_untag', '_tagreplay?offset=0']) {
      const answer = await post(base, `/write/${name}/${path}`, { tag })
      expect(answer.json()).toMatchObject({ status: 404, error: 'COLLECTION_NOT_FOUND' })
    }
    const elsewhere = await call(base, { path: `/status/${other}/_tag/${id}` })
    expect(elsewhere.json()).toMatchObject({ status: 404, error: 'TAG_REQUEST_NOT_FOUND' })
  })

  test('is described', async () => {
    const { paths } = (await must(base, { path: '/openapi.json' })) as {
      paths: Record<string, Record<string, { tags: string[] }>>
    }
    const routes = Object.entries(paths).filter(([, methods]) => Object.values(methods)[0]?.tags?.includes('Tagging'))
    expect(routes.map(([path, methods]) => `${Object.keys(methods).join()} ${path}`).sort()).toEqual([
      'get /status/{collection}/_tag/{id}',
      'get /status/{collection}/_taglist',
      'post /write/{collection}/_tag',
      'post /write/{collection}/_tagreplay',
      'post /write/{collection}/_untag',
    ])
  })
})
