import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { call } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

const mapping = { properties: { id: { type: 'keyword' }, at: { type: 'date' }, place: { type: 'geo_point' } } }
const wider = { properties: { ...mapping.properties, n: { type: 'long' } } }
const params = {
  index_name: 'old',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'at',
}
const bulkOf = (...ids: readonly string[]): string =>
  ids.map((id, n) => `{"index":{"_id":"${id}"}}\n${JSON.stringify({ id, at: 1, place: '1,2', n })}\n`).join('')

describeEach(engines)('an index that is replaced on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await createIndex(server.base, 'old', mapping, bulkOf('a', 'b'))
    await putCollection(server.base, 'old', params)
  })
  afterAll(() => server.stop())

  const send = async (method: string, path: string, body?: string, type = 'application/x-ndjson') => {
    const headers = { 'content-type': type }
    const answer = await call(server.base, { method, path, ...(body === undefined ? {} : { body, headers }) })
    return { status: answer.status, body: answer.json() }
  }
  const idsOf = async (query = ''): Promise<readonly unknown[]> => {
    await send('POST', '/index/old/_refresh')
    const { body } = await send('GET', `/explore/old/_search?sort=id${query}`)
    return (body as { hits: { data: { id: unknown } }[] }).hits.map(({ data }) => data.id)
  }

  it('has the documents and fields of the other, also after a restart, and takes writes', async () => {
    expect(await idsOf()).toEqual(['a', 'b'])
    await createIndex(server.base, 'new', wider, bulkOf('c', 'd', 'e'))
    expect(await send('POST', '/index/old/_replace?by=new')).toMatchObject({ status: 200 })
    expect((await send('GET', '/index/new')).status).toBe(404)
    expect(await idsOf('&f=n:gte:1')).toEqual(['d', 'e'])
    await send('POST', '/index/old/_bulk', bulkOf('c', 'f'))
    expect(await idsOf()).toEqual(['c', 'd', 'e', 'f'])
    await send('POST', '/index/old/_forcemerge')
    expect(await idsOf()).toEqual(['c', 'd', 'e', 'f'])
    server = await server.restart()
    expect(await idsOf('&f=n:gte:1')).toEqual(['d', 'e', 'f'])
    // nothing of it is in the way of another one
    await createIndex(server.base, 'new', mapping, bulkOf('x'))
    expect(await send('POST', '/index/old/_replace?by=new')).toMatchObject({ status: 200 })
    expect(await idsOf()).toEqual(['x'])
  })

  it('stays if the other does not exist, or is itself', async () => {
    const before = await idsOf()
    expect(await send('POST', '/index/old/_replace?by=nothing')).toMatchObject({
      status: 404,
      body: { error: 'INDEX_NOT_FOUND' },
    })
    expect(await send('POST', '/index/nothing/_replace?by=old')).toMatchObject({ status: 404 })
    expect(await send('POST', '/index/old/_replace?by=old')).toMatchObject({ status: 409 })
    expect(await send('POST', '/index/old/_replace')).toMatchObject({ status: 400 })
    expect(await idsOf()).toEqual(before)
  })

  it('stays if loading the new documents fails', async () => {
    const csv = (id: string) => `id,lat,lon\n1,1,2\n${id},1,2\n`
    expect(await send('POST', '/load?name=loaded', csv('2'))).toMatchObject({ status: 200 })
    // longer than an id may be
    const long = 'x'.repeat(600)
    const count = async (): Promise<unknown> => {
      await send('POST', '/index/loaded/_refresh')
      return ((await send('GET', '/index/loaded/_count')).body as { count: unknown }).count
    }
    expect(await count()).toBe(2)
    const failed = await send(
      'POST',
      '/load?name=loaded&replace=true&idPath=id',
      `id,lat,lon\n${long}1,1,2\n${long}2,1,2\n`,
    )
    expect(failed).toMatchObject({ status: 400 })
    expect(await count()).toBe(2)
    expect(await send('POST', '/load?name=loaded&replace=true', `${csv('7')}8,1,1\n`)).toMatchObject({ status: 200 })
    expect(await count()).toBe(3)
    const { body } = await send('GET', '/index/_cat/indices?format=json')
    expect((body as { index: string }[]).filter(({ index }) => index.startsWith('loading-'))).toEqual([])
  })
})
