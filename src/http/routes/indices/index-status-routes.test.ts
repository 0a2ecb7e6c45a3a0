import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeLocalServices, openLocalServices } from '../../../cli/serve/local-services.ts'
import { loadSettings } from '../../../config/load-settings.ts'
import { buildServer } from '../../server/server.ts'
import type { Services } from '../../services.ts'
import { printBytes } from './text-table.ts'

let directory = ''
let services: Services
let app: FastifyInstance

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-index-'))
  const flags = { 'data.directory': directory, 'log.level': 'silent' }
  services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  app = await buildServer(services)
  const lines = Array.from({ length: 300 }, (_, n) => `{"index":{"_index":"trips"}}\n{"n":${n},"text":"a trip"}\n`)
  const payload = `${lines.join('')}{"index":{"_index":"ports"}}\n{"name":"Brest"}\n`
  await app.inject({
    method: 'POST',
    url: '/index/_bulk',
    payload,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  await app.inject({ method: 'PUT', url: '/index/empty' })
})
afterAll(async () => {
  await app.close()
  await closeLocalServices(services)
  rmSync(directory, { recursive: true, force: true })
})

const get = (url: string, accept?: string) =>
  app.inject({ method: 'GET', url: `/index/${url}`, ...(accept === undefined ? {} : { headers: { accept } }) })

describe('_cat/indices', () => {
  it('prints aligned text, with titles on demand', async () => {
    const { headers, body } = await get('_cat/indices?v')
    expect(headers['content-type']).toBe('text/plain; charset=UTF-8')
    const [titles = '', ...lines] = body.trimEnd().split('\n')
    expect(titles.split(/ +/)).toEqual(
      'health status index uuid pri rep docs.count docs.deleted store.size pri.store.size'.split(' '),
    )
    expect(lines.map((line) => line.split(/ +/)[2])).toEqual(['empty', 'ports', 'trips'])
    expect(
      new Set(
        body
          .trimEnd()
          .split('\n')
          .map((line) => line.length),
      ).size,
    ).toBe(1)
    expect((await get('_cat/indices')).body.split('\n')[0]).toMatch(/^green +open +empty/)
  })

  it('prints the columns asked for', async () => {
    expect((await get('_cat/indices?h=i')).body).toBe('empty\nports\ntrips\n')
    expect((await get('_cat/indices/t*?h=index,docs.count,no&v=true')).body).toBe(
      'index docs.count\ntrips        300\n',
    )
    expect((await get('_cat/indices?h=i,dc&s=docs.count:desc,i&format=json')).json()).toEqual([
      { i: 'trips', dc: '300' },
      { i: 'ports', dc: '1' },
      { i: 'empty', dc: '0' },
    ])
    expect((await get('_cat/indices/ports?h=doc*&format=json')).json()).toEqual([
      { 'docs.count': '1', 'docs.deleted': '0' },
    ])
  })

  it('is JSON for clients that accept no text', async () => {
    for (const type of ['application/json', 'application/vnd.elasticsearch+json; compatible-with=8']) {
      expect((await get('_cat/indices?h=i', type)).json()).toHaveLength(3)
    }
    for (const type of ['text/plain,application/json', '*/*', 'image/png']) {
      expect((await get('_cat/indices?h=i', type)).body).toBe('empty\nports\ntrips\n')
    }
  })

  it('knows the size of indices', async () => {
    const size = async (name: string) => Number((await get(`_cat/indices/${name}?h=store.size&bytes=b`)).body)
    expect(await size('trips')).toBeGreaterThan(300 * '{"n":1,"text":"a trip"}'.length)
    expect(await size('ports')).toBeLessThan(await size('trips'))
    const { body } = await get('_cat/indices/trips?h=store.size')
    expect(body).toMatch(/^[0-9.]+kb\n$/)
    expect([0, 1023, 1024, 1500, 3 * 1024 ** 3].map(printBytes)).toEqual(['0b', '1023b', '1kb', '1.4kb', '3gb'])
  })

  it.each([
    ['_cat/indices?format=yaml', 400, 'INVALID_PARAMETER'],
    ['_cat/indices?bytes=stones', 400, 'INVALID_PARAMETER'],
    ['_cat/indices?s=no', 400, 'INVALID_PARAMETER'],
    ['_cat/indices?v=maybe', 400, 'INVALID_PARAMETER'],
    ['_cat/indices/none', 404, 'INDEX_NOT_FOUND'],
    ['none/_stats', 404, 'INDEX_NOT_FOUND'],
    ['_cluster/health/none', 404, 'INDEX_NOT_FOUND'],
  ])('%s is refused with %i %s', async (url, status, error) => {
    expect((await get(url)).json()).toMatchObject({ status, error })
  })
})

describe('health and statistics', () => {
  it('are those of one node', async () => {
    const health = (await get('_cluster/health?wait_for_status=yellow&timeout=5s')).json()
    expect(health).toMatchObject({ status: 'green', timed_out: false, number_of_nodes: 1, active_shards: 3 })
    expect((await get('_cluster/health/trips')).json()).toMatchObject({ status: 'green', active_shards: 1 })
    expect((await get('_cat/health?h=cluster,status')).body).toBe('periplus green\n')
    expect((await get('_cat/health')).body).toMatch(/^\d{10} \d\d:\d\d:\d\d periplus green 1 1 3 3 0 0 0 0 100.0%\n$/)
  })

  it('count documents and bytes', async () => {
    const all = (await get('_stats')).json()
    expect(all._all.primaries.docs).toEqual({ count: 301, deleted: 0 })
    expect(Object.keys(all.indices)).toEqual(['empty', 'ports', 'trips'])
    const { indices, _all } = (await get('trips/_stats')).json()
    expect(indices.trips.total.docs.count).toBe(300)
    expect(_all.total.store.size_in_bytes).toBe(indices.trips.primaries.store.size_in_bytes)
    expect(indices.trips.primaries.store.size_in_bytes).toBeGreaterThan(6000)
  })
})
