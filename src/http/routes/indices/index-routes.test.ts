import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
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
  const flags = { 'data.directory': directory, 'log.level': 'silent', 'limits.bulkBytes': '100000' }
  services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  app = await buildServer(services)
})
afterAll(async () => {
  await app.close()
  await closeLocalServices(services)
  rmSync(directory, { recursive: true, force: true })
})

async function ask(method: InjectOptions['method'] & string, url: string, body?: unknown, type = 'application/json') {
  const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const response = await app.inject({
    method: method as 'GET',
    url,
    ...(payload === undefined ? {} : { payload, headers: { 'content-type': type } }),
  })
  expect(response.headers['x-elastic-product']).toBe('Elasticsearch')
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  return { status: response.statusCode, body: method === 'HEAD' ? undefined : response.json() }
}

const bulk = (url: string, lines: readonly unknown[]) =>
  ask(
    'POST',
    url,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    'application/x-ndjson',
  )

describe('indices', () => {
  it('are created, described, extended and dropped', async () => {
    const mappings = {
      properties: { id: { type: 'keyword', fields: { raw: { type: 'keyword' } } }, when: { type: 'date' } },
    }
    expect(await ask('PUT', '/index/one', { mappings, settings: { number_of_shards: 3 } })).toEqual({
      status: 200,
      body: { acknowledged: true, shards_acknowledged: true, index: 'one', notes: ['id: its sub-fields are ignored'] },
    })
    const expected = { properties: { id: { type: 'keyword' }, when: { type: 'date' } } }
    expect((await ask('GET', '/index/one/_mapping')).body).toEqual({ one: { mappings: expected } })
    expect((await ask('GET', '/index/one')).body).toMatchObject({ one: { aliases: {}, mappings: expected } })
    expect((await ask('HEAD', '/index/one')).status).toBe(200)
    expect((await ask('PUT', '/index/one/_mapping', { properties: { n: { type: 'long' } } })).body).toEqual({
      acknowledged: true,
    })
    expect((await ask('GET', '/index/one/_mapping')).body.one.mappings.properties.n).toEqual({ type: 'long' })
    expect((await ask('GET', '/index/_cat/indices?format=json')).body).toEqual([
      expect.objectContaining({ health: 'green', status: 'open', index: 'one', pri: '1', rep: '0', 'docs.count': '0' }),
    ])
    expect(await ask('DELETE', '/index/one')).toEqual({ status: 200, body: { acknowledged: true } })
    expect((await ask('HEAD', '/index/one')).status).toBe(404)
  })

  it('name the type of objects only if they have no fields, as Elasticsearch does', async () => {
    const properties = {
      inner: {
        type: 'object',
        properties: { deep: { properties: { n: { type: 'long' } } }, none: { type: 'object' } },
      },
      list: { type: 'nested', properties: { n: { type: 'long' } } },
      closed: { type: 'object', enabled: false },
    }
    await ask('PUT', '/index/objects', { mappings: { properties } })
    const mappings = {
      properties: {
        inner: { properties: { deep: { properties: { n: { type: 'long' } } }, none: { type: 'object' } } },
        list: { type: 'nested', properties: { n: { type: 'long' } } },
        closed: { type: 'object', enabled: false },
      },
    }
    for (const url of ['/index/objects/_mapping', '/index/_mapping', '/index/objects']) {
      expect((await ask('GET', url)).body.objects.mappings).toEqual(mappings)
    }
    await ask('PUT', '/index/objects2', { mappings })
    expect((await ask('GET', '/index/objects2/_mapping')).body).toEqual({ objects2: { mappings } })
    for (const name of ['objects', 'objects2']) await ask('DELETE', `/index/${name}`)
  })

  it.each<[string, string, unknown, number, string]>([
    ['PUT', '/index/UPPER', undefined, 400, 'INVALID_INDEX'],
    ['PUT', '/index/a%20b', undefined, 400, 'INVALID_INDEX'],
    ['PUT', '/index/-a', undefined, 400, 'INVALID_INDEX'],
    ['PUT', '/index/bad', { mappings: { properties: { a: { type: 'vector' } } } }, 400, 'INVALID_INDEX'],
    ['PUT', '/index/bad', '{', 400, 'MALFORMED_JSON'],
    ['PUT', '/index/bad', '[]', 400, 'INVALID_BODY'],
    ['GET', '/index/none', undefined, 404, 'INDEX_NOT_FOUND'],
    ['DELETE', '/index/none', undefined, 404, 'INDEX_NOT_FOUND'],
    ['GET', '/index/none/_mapping', undefined, 404, 'INDEX_NOT_FOUND'],
    ['PUT', '/index/none/_mapping', { properties: {} }, 404, 'INDEX_NOT_FOUND'],
    ['GET', '/index/none/_count', undefined, 404, 'INDEX_NOT_FOUND'],
    ['GET', '/index/none/_search', undefined, 404, 'INDEX_NOT_FOUND'],
    ['POST', '/index/none/_refresh', undefined, 404, 'INDEX_NOT_FOUND'],
    ['GET', '/index/none/_doc/1', undefined, 404, 'INDEX_NOT_FOUND'],
  ])('%s %s %j answers %i %s', async (method, url, body, status, error) => {
    const answer = await ask(method, url, body)
    expect(answer).toMatchObject({ status, body: { status, error } })
  })

  it('exist once', async () => {
    await ask('PUT', '/index/twice')
    const again = await ask('PUT', '/index/twice')
    expect(again).toMatchObject({ status: 400, body: { error: 'INVALID_INDEX' } })
    expect(again.body.message).toContain('resource_already_exists_exception')
  })

  it('tell loaders which version they speak', async () => {
    for (const url of ['/index', '/index/']) expect((await ask('GET', url)).body.version.number).toMatch(/^8\./)
  })
})

describe('documents', () => {
  it('are written in bulk, one result each', async () => {
    const { status, body } = await bulk('/index/docs/_bulk?refresh=true', [
      { index: { _id: '1' } },
      { n: 1, when: '2024-01-01', where: { lat: 1, lon: 2 } },
      { create: { _id: '1' } },
      { n: 2 },
      { index: {} },
      { n: 3 },
      { index: { _id: 'bad' } },
      '{"n":',
      { update: { _id: '1' } },
      { doc: { tag: 'x' } },
      { update: { _id: 'new' } },
      { doc: { n: 5 }, doc_as_upsert: true },
      { update: { _id: 'missing' } },
      { doc: { n: 5 } },
      { delete: { _id: 'missing' } },
      { index: { _index: 'docs2', _id: 'other' } },
      { n: 1 },
    ])
    expect(status).toBe(200)
    expect(body.errors).toBe(true)
    const outcomes = body.items.map(
      (item: Record<string, { status: number; result?: string; error?: { type: string } }>) => {
        const [[action, { status: code, result, error }] = ['', { status: 0 }]] = Object.entries(item)
        return [action, code, result ?? error?.type]
      },
    )
    expect(outcomes).toEqual([
      ['index', 201, 'created'],
      ['create', 409, 'version_conflict_engine_exception'],
      ['index', 201, 'created'],
      ['index', 400, 'document_parsing_exception'],
      ['update', 200, 'updated'],
      ['update', 201, 'created'],
      ['update', 404, 'document_missing_exception'],
      ['delete', 404, 'not_found'],
      ['index', 201, 'created'],
    ])
    expect(body.items[0].index).toMatchObject({ _index: 'docs', _id: '1', _version: 1, _primary_term: 1 })
    expect((await ask('GET', '/index/docs/_count')).body.count).toBe(3)
    expect((await ask('GET', '/index/docs2/_count')).body.count).toBe(1)
    expect((await ask('GET', '/index/docs*/_count')).body.count).toBe(4)
    expect((await ask('GET', '/index/docs/_mapping')).body.docs.mappings.properties).toMatchObject({
      n: { type: 'long' },
      when: { type: 'date' },
      where: { type: 'geo_point' },
      tag: { type: 'keyword' },
    })
    expect((await ask('GET', '/index/docs/_doc/1')).body._source).toMatchObject({ n: 1, tag: 'x' })
  })

  it('go into an index named by the action alone, or by none', async () => {
    expect((await bulk('/index/_bulk', [{ index: { _index: 'alone', _id: '1' } }, { a: 1 }])).body.errors).toBe(false)
    expect(await bulk('/index/_bulk', [{ index: {} }, { a: 1 }])).toMatchObject({
      status: 400,
      body: { error: 'INVALID_BODY' },
    })
    expect((await bulk('/index/alone/_bulk', ['not an action', { a: 1 }])).status).toBe(400)
    const refused = await bulk('/index/_bulk', [
      { index: { _index: 'Not*Good' } },
      { a: 1 },
      { delete: { _index: 'gone', _id: '1' } },
    ])
    expect(refused.body.items[0].index).toMatchObject({ status: 400, error: { type: 'invalid_index_name_exception' } })
    expect(refused.body.items[1].delete).toMatchObject({ status: 404, error: { type: 'index_not_found_exception' } })
  })

  it('may come without a content type, and must not be too many at once', async () => {
    const payload = '{"index":{"_index":"plain"}}\n{"a":1}\n'
    const response = await app.inject({ method: 'POST', url: '/index/_bulk', payload })
    expect(response.statusCode).toBe(200)
    expect((await bulk('/index/_bulk', ['x'.repeat(100_001)])).status).toBe(413)
  })

  it('are written and read one by one', async () => {
    const made = await ask('POST', '/index/single/_doc', { a: 1 })
    expect(made).toMatchObject({ status: 201, body: { _index: 'single', result: 'created' } })
    expect((await ask('GET', `/index/single/_doc/${made.body._id}`)).body).toMatchObject({
      found: true,
      _source: { a: 1 },
    })
    expect((await ask('PUT', '/index/single/_doc/k%2F1', { a: 2 })).status).toBe(201)
    expect(await ask('PUT', '/index/single/_doc/k%2F1', { a: 3 })).toMatchObject({
      status: 200,
      body: { result: 'updated' },
    })
    expect((await ask('GET', '/index/single/_doc/k%2F1')).body._source).toEqual({ a: 3 })
    expect((await ask('DELETE', '/index/single/_doc/k%2F1')).body.result).toBe('deleted')
    expect(await ask('GET', '/index/single/_doc/k%2F1')).toMatchObject({
      status: 404,
      body: { error: 'DOCUMENT_NOT_FOUND' },
    })
    expect((await ask('PUT', '/index/single/_doc/x', { a: 'text' })).status).toBe(400)
  })

  it('can be searched', async () => {
    const lines = Array.from({ length: 25 }, (_, i) => [{ index: { _id: `d${i}` } }, { n: i }]).flat()
    await bulk('/index/many/_bulk', lines)
    const found = await ask('GET', '/index/many/_search?size=20')
    expect(found.body.hits.total).toEqual({ value: 25, relation: 'eq' })
    expect(found.body.hits.hits).toHaveLength(20)
    expect(found.body.hits.hits[0]).toMatchObject({ _index: 'many', _source: expect.anything() })
    expect((await ask('GET', '/index/many/_search')).body.hits.hits).toHaveLength(10)
    expect((await ask('POST', '/index/many/_search', { query: { match_all: {} }, size: 0 })).body.hits.hits).toEqual([])
    expect((await ask('POST', '/index/many/_search', { query: { term: { n: 1 } } })).body.hits.total.value).toBe(1)
    expect((await ask('POST', '/index/many/_search', { suggest: {} })).status).toBe(400)
    expect((await ask('GET', '/index/many/_search?size=x')).status).toBe(400)
    // an invalid body is rejected, whatever the query contains
    for (const body of [{ from: -1 }, { from: null }, { size: 'x' }, { size: -1 }]) {
      expect((await ask('POST', '/index/many/_search?from=0&size=1', body)).status).toBe(400)
    }
    expect((await ask('POST', '/index/many/_search', { size: 10001 })).body.error).toBe('LIMIT_EXCEEDED')
    expect((await ask('GET', '/index/many/_count?q=n:1')).body.count).toBe(1)
    expect((await ask('GET', '/index/many/_count?q=n:')).status).toBe(400)
    expect((await ask('POST', '/index/many/_refresh')).status).toBe(200)
  })
})
