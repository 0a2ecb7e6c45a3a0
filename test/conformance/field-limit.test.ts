import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { type Answer, call, must } from '../support/http-client.ts'
import { createIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

const MOST = 8
const fields = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: 'keyword' }]))
const properties = { ...fields('id', 'a'), at: { type: 'date' }, where: { type: 'geo_point' } }
const params = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }
const line = (document: object): string => `{"index":{}}\n${JSON.stringify(document)}\n`

describeEach(engines)('limits.fields on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start({ 'limits.fields': String(MOST) })
  })
  afterAll(() => server.stop())

  const put = (path: string, body: object): Promise<Answer> => call(server.base, { method: 'PUT', path, body })
  const refused = ({ status, json }: Answer): unknown => [status, (json() as { error?: unknown }).error]
  const names = async (collection: string): Promise<readonly string[]> => {
    const answer = await must(server.base, { path: `/explore/${collection}/_describe` })
    return Object.keys((answer as { properties: object }).properties).toSorted()
  }

  it('refuses mappings with more fields, objects and those they have counted', async () => {
    const within = { ...fields('a', 'b', 'c', 'd', 'e'), o: { properties: fields('f', 'g') } }
    expect((await put('/index/full', { mappings: { properties: within } })).status).toBe(200)
    const beyond = await put('/index/fuller', { mappings: { properties: { ...within, h: { type: 'long' } } } })
    expect(refused(beyond)).toEqual([400, 'LIMIT_EXCEEDED'])
    expect(beyond.text).toContain('limits.fields')
    expect((await call(server.base, { path: '/index/fuller' })).status).toBe(404)
    expect(refused(await put('/index/full/_mapping', { properties: fields('h') }))).toEqual([400, 'LIMIT_EXCEEDED'])
    expect((await put('/index/full/_mapping', { properties: fields('a', 'b') })).status).toBe(200)
  })

  it('stores what documents bring beyond it, as no fields', async () => {
    await createIndex(server.base, 'open', { properties }, line({ id: '1', at: 1, where: [1, 2], b: 'x' }))
    const more = { id: '2', at: 2, where: [1, 2], c: 'x', o: { d: 'x', e: 'x' }, f: 'x' }
    await loadBulk(server.base, 'open', line(more) + line({ ...more, id: '3', g: 'x', h: 'x' }))
    await putCollection(server.base, 'open', { index_name: 'open', ...params })
    expect(await names('open')).toEqual(['a', 'at', 'b', 'c', 'id', 'o', 'where'])
    const count = (filter: string): Promise<Answer> => call(server.base, { path: `/explore/open/_count?f=${filter}` })
    expect((await count('o.d:eq:x')).json()).toMatchObject({ totalnb: 2 })
    expect((await count('o.e:eq:x')).json()).toMatchObject({ totalnb: 0 })
    const stored = await must(server.base, { path: '/explore/open/_search?f=id:eq:2' })
    expect(stored).toMatchObject({ hits: [{ data: more }] })
  })

  it('makes an index of documents that have more', async () => {
    const wide = Object.fromEntries(Array.from({ length: 3 * MOST }, (_, i) => [`k${i}`, i]))
    await loadBulk(server.base, 'made', line({ id: '1', at: '2020-01-01', where: { lat: 1, lon: 2 }, ...wide }))
    await putCollection(server.base, 'made', { index_name: 'made', ...params })
    expect(await names('made')).toHaveLength(MOST)
  })
})
