import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeLocalServices, openLocalServices } from '../../../cli/serve/local-services.ts'
import { loadSettings } from '../../../config/load-settings.ts'
import { buildServer } from '../../server/server.ts'
import type { Services } from '../../services.ts'

let directory = ''
let services: Services
let app: FastifyInstance

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-index-'))
  const flags = { 'data.directory': directory, 'log.level': 'silent', 'limits.size': '3' }
  services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  app = await buildServer(services)
  await ask('PUT', 'trips/_doc/1', { n: 1, of: { a: 1 } })
  await ask('PUT', 'ports/_doc/1', { name: 'Brest' })
})
afterAll(async () => {
  await app.close()
  await closeLocalServices(services)
  rmSync(directory, { recursive: true, force: true })
})

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const headers = { 'content-type': 'application/vnd.elasticsearch+json; compatible-with=8' }
  const response = await app.inject({ method, url: `/index/${url}`, ...(payload ? { payload, headers } : {}) })
  return { status: response.statusCode, body: response.json() }
}

describe('_mget', () => {
  it('returns documents in the order of the request', async () => {
    const docs = [
      { _index: 'ports', _id: '1' },
      { _index: 'trips', _id: 'no' },
      { _index: 'none', _id: '1' },
    ]
    expect((await ask('POST', '_mget', { docs })).body.docs).toMatchObject([
      { _index: 'ports', _id: '1', found: true, _source: { name: 'Brest' } },
      { _index: 'trips', _id: 'no', found: false },
      { _index: 'none', _id: '1', error: { type: 'index_not_found_exception' } },
    ])
    const expected = [
      { _id: 'no', found: false },
      { _id: '1', found: true },
    ]
    expect((await ask('POST', 'trips/_mget', { ids: ['no', '1'] })).body.docs).toMatchObject(expected)
    expect((await ask('POST', 'trips/_mget', { docs: [{ _id: 'no' }, { _id: 1 }] })).body.docs).toMatchObject(expected)
  })

  it.each([
    ['trips/_mget', { docs: [{ _index: 'ports', _id: '1' }] }, 'INVALID_BODY'],
    ['trips/_mget', { ids: ['1', '2', '3', '4'] }, 'LIMIT_EXCEEDED'],
    ['trips/_mget', { ids: [null] }, 'INVALID_BODY'],
    ['trips/_mget', { ids: [], docs: [] }, 'INVALID_BODY'],
    ['trips/_mget', { docs: [1] }, 'INVALID_BODY'],
    ['trips/_mget', { docs: [{ _id: '1', stored_fields: ['n'] }] }, 'INVALID_BODY'],
    ['_mget', { ids: ['1'] }, 'INVALID_BODY'],
    ['_mget', {}, 'INVALID_BODY'],
  ])('%s %j is refused with %s', async (url, body, error) => {
    expect(await ask('POST', url, body)).toMatchObject({ status: 400, body: { error } })
  })
})

describe('_update', () => {
  it('changes members, and writes missing documents on demand', async () => {
    const changed = await ask('POST', 'trips/_update/1?refresh=true', { doc: { of: { b: 2 } } })
    expect(changed).toMatchObject({ status: 200, body: { _index: 'trips', _id: '1', result: 'updated' } })
    expect((await ask('GET', 'trips/_doc/1')).body._source).toEqual({ n: 1, of: { a: 1, b: 2 } })
    const made = await ask('POST', 'fresh/_update/x', { doc: { n: 5 }, doc_as_upsert: true })
    expect(made).toMatchObject({ status: 201, body: { result: 'created' } })
    expect((await ask('GET', 'fresh/_doc/x')).body._source).toEqual({ n: 5 })
  })

  it.each<[string, object, number, string]>([
    ['trips/_update/no', { doc: { n: 2 } }, 404, 'DOCUMENT_NOT_FOUND'],
    ['none/_update/1', { doc: { n: 2 } }, 404, 'INDEX_NOT_FOUND'],
    ['trips/_update/1', { script: 'ctx._source.n++' }, 400, 'INVALID_BODY'],
    ['trips/_update/1', { doc: { n: 'text' } }, 400, 'INVALID_BODY'],
    ['trips/_update/1', {}, 400, 'INVALID_BODY'],
  ])('%s %j is refused with %i %s', async (url, body, status, error) => {
    expect(await ask('POST', url, body)).toMatchObject({ status, body: { error } })
  })
})

describe('administration', () => {
  it('accepts settings without effect', async () => {
    for (const body of [
      { index: { refresh_interval: '-1', number_of_replicas: 0 } },
      { 'index.translog.durability': 'async' },
      { settings: { index: { number_of_replicas: '1' } } },
    ]) {
      expect(await ask('PUT', 'trips/_settings', body)).toMatchObject({ status: 200, body: { acknowledged: true } })
    }
    for (const body of [{ index: { blocks: { write: true } } }, { 'index.blocks.read_only': true }, { max: 1 }]) {
      expect(await ask('PUT', 'trips/_settings', body)).toMatchObject({ status: 400, body: { error: 'INVALID_BODY' } })
    }
    expect((await ask('PUT', 'none/_settings', {})).status).toBe(404)
  })

  it.each([
    ['POST', '_delete_by_query', 'with _bulk'],
    ['POST', '_update_by_query', 'with _bulk'],
    ['PUT', '_block/write', 'read-only'],
  ] as const)('%s %s is refused with words', async (method, route, words) => {
    const { status, body } = await ask(method, `trips/${route}`, { query: { match_all: {} } })
    expect([status, body.error]).toEqual([400, 'INVALID_PARAMETER'])
    expect(body.message).toContain(words)
    expect((await ask(method, `none/${route}`)).status).toBe(404)
  })

  it('names version and licence', async () => {
    expect((await ask('GET', '_license')).body.license).toMatchObject({ status: 'active', type: 'basic' })
    const { version, cluster_uuid, tagline } = (await ask('GET', '')).body
    expect(version).toMatchObject({ number: expect.stringMatching(/^8\./), build_flavor: 'default' })
    expect([cluster_uuid, tagline]).toEqual(['_na_', 'You Know, for Search'])
  })
})
