import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCollections } from '../../collections/collections.ts'
import { geodataBody, sampleMapping, smallBody } from '../../collections/sample-collection.fixture.ts'
import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import { openSqliteReferenceStore } from '../../collections/store/sqlite-reference-store.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { openDuckdbEngine } from '../../engine/duckdb/open-engine.ts'
import type { Engine } from '../../engine/engine.ts'
import { buildApp } from '../server/app.ts'
import { collectionRoutes } from './collection-routes.ts'

const directory = mkdtempSync(join(tmpdir(), 'periplus-collection-routes-'))
let app: FastifyInstance
let engine: Engine
let store: ReferenceStore

beforeAll(async () => {
  const settings = loadSettings({ cwd: directory, flags: { 'log.level': 'silent' } })
  engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 1, concurrency: 1 })
  await engine.createIndex('dataset', sampleMapping)
  store = openSqliteReferenceStore(join(directory, 'metadata.sqlite'))
  const now = () => Date.UTC(2024, 4, 6, 23, 59)
  const collections = createCollections({ store, engine, settings, now })
  const services = { settings, engine, collections, store, now, version: '0' }
  app = await buildApp(services, {
    aliased: [{ prefixes: settings.server.aliases, routes: [collectionRoutes] }],
    root: [],
  })
})
afterAll(async () => {
  await app.close()
  await store.close()
  await engine.close()
  rmSync(directory, { recursive: true })
})
beforeEach(async () => {
  for (const { collection_name: name } of await store.list()) await store.delete(name)
  await app.inject({ method: 'PUT', url: '/collections/geodata', payload: geodataBody })
})

const outcome = (response: LightMyRequestResponse): string =>
  response.statusCode === 200 ? '200' : `${response.statusCode} ${response.json().error}`

function multipart(parts: Readonly<Record<string, string | Blob>>) {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part)
    else form.append(name, part, 'collections.json')
  }
  return form
}

async function sendForm(url: string, form: FormData | URLSearchParams): Promise<LightMyRequestResponse> {
  const body = new Response(form)
  const headers = { 'content-type': body.headers.get('content-type') ?? '' }
  return app.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
}

describe('collection routes', () => {
  it('answer at the root and under the alias, with a trailing slash or without', async () => {
    for (const url of ['/collections', '/collections/', '/arlas/collections']) {
      expect((await app.inject(url)).json()).toMatchObject([{ collection_name: 'geodata' }])
    }
    expect((await app.inject('/arlas/collections/geodata')).json()).toMatchObject({ collection_name: 'geodata' })
    expect((await app.inject({ method: 'HEAD', url: '/collections/geodata' })).statusCode).toBe(200)
  })

  it('look at the rights of the caller before what it sent', async () => {
    const payload = { ...geodataBody, organisations: { owner: 'foo', shared: ['bar'] } }
    await app.inject({ method: 'PUT', url: '/collections/geodata', payload })
    const change = (method: 'PATCH' | 'DELETE', url: string, owner: string) =>
      app.inject({
        method,
        url: `/collections/${url}`,
        headers: { 'arlas-organization': owner, 'content-type': 'application/json' },
        ...(method === 'PATCH' ? { payload: '{' } : {}),
      })
    for (const path of ['organisations', 'display_names/fields', 'display_names/shape_columns']) {
      expect(outcome(await change('PATCH', `geodata/${path}`, 'bar'))).toBe('403 COLLECTION_NOT_AVAILABLE')
      expect(outcome(await change('PATCH', `geodata/${path}`, 'foo'))).toBe('400 MALFORMED_JSON')
      expect(outcome(await change('PATCH', `nope/${path}`, 'foo'))).toBe('404 COLLECTION_NOT_FOUND')
    }
    expect(outcome(await change('DELETE', 'geodata?pretty=x', 'bar'))).toBe('403 COLLECTION_NOT_AVAILABLE')
    expect(outcome(await change('DELETE', 'geodata?pretty=x', 'foo'))).toBe('400 INVALID_PARAMETER')
    expect(outcome(await change('DELETE', 'geodata', 'foo'))).toBe('200')
  })

  it('decode the name after splitting the path', async () => {
    const url = `/collections/${encodeURIComponent('données é')}`
    expect(outcome(await app.inject({ method: 'PUT', url, payload: smallBody }))).toBe('400 INVALID_COLLECTION')
    const good = await app.inject({
      method: 'PUT',
      url: `/collections/${encodeURIComponent('é%')}`,
      payload: smallBody,
    })
    expect(good.json().collection_name).toBe('é%')
  })

  it('export a file named after the day', async () => {
    const response = await app.inject('/collections/_export')
    expect(response.headers['content-disposition']).toBe('attachment; filename=collections-export_20240506.json')
    expect(response.json()).toEqual((await app.inject('/collections')).json())
  })

  it('change nothing when a parameter is wrong', async () => {
    for (const query of ['pretty=foo', 'checkfields=foo']) {
      const url = `/collections/foo?${query}`
      expect(outcome(await app.inject({ method: 'PUT', url, payload: smallBody }))).toBe('400 INVALID_PARAMETER')
    }
    const removal = await app.inject({ method: 'DELETE', url: '/collections/geodata?pretty=foo' })
    expect(outcome(removal)).toBe('400 INVALID_PARAMETER')
    expect((await app.inject('/collections')).json()).toHaveLength(1)
  })

  it('delete and say so', async () => {
    const remove = () => app.inject({ method: 'DELETE', url: '/collections/geodata' })
    expect((await remove()).json()).toEqual({ status: 200, message: 'Collection geodata deleted' })
    expect(outcome(await remove())).toBe('404 COLLECTION_NOT_FOUND')
  })

  it.each([
    ['application/json;charset=utf-8', 'My grid', '200'],
    ['application/json', '"My grid"', '200'],
    ['text/plain', 'My grid', '200'],
    [undefined, 'My grid', '200'],
    ['application/json', '', '400 INVALID_BODY'],
    ['application/json', '{"a":1}', '400 INVALID_BODY'],
    ['application/xml', 'My grid', '415 UNSUPPORTED_MEDIA_TYPE'],
  ])('take a display name as %s %j: %s', async (type, payload, expected) => {
    const url = '/collections/geodata/display_names/collection'
    const headers = type === undefined ? {} : { 'content-type': type }
    const response = await app.inject({ method: 'PATCH', url, headers, payload })
    expect(outcome(response)).toBe(expected)
    if (expected === '200') expect(response.json().params.display_names).toEqual({ collection: 'My grid' })
  })

  it('look for the collection before they read the body of a PATCH', async () => {
    const patch = (name: string) =>
      app.inject({
        method: 'PATCH',
        url: `/collections/${name}/organisations`,
        headers: { 'content-type': 'application/json' },
        payload: '{',
      })
    expect(outcome(await patch('nope'))).toBe('404 COLLECTION_NOT_FOUND')
    expect(outcome(await patch('geodata'))).toBe('400 MALFORMED_JSON')
  })

  const file = JSON.stringify([
    { collection_name: 'a', params: smallBody },
    { collection_name: 'b', params: smallBody },
  ])
  const forms: [string, FormData | URLSearchParams, string][] = [
    ['a file part', multipart({ file: new Blob([file]) }), '"2 collections imported: a, b"'],
    ['a text part', multipart({ file }), '"2 collections imported: a, b"'],
    ['an urlencoded field', new URLSearchParams({ file }), '"2 collections imported: a, b"'],
    ['an empty list', multipart({ file: '[]' }), '"0 collections imported"'],
    ['no file', multipart({ other: '[]' }), '400 INVALID_BODY'],
    ['an empty file', new URLSearchParams({ file: '' }), '400 INVALID_BODY'],
    ['no JSON', multipart({ file: 'not json' }), '400 MALFORMED_JSON'],
    ['no array', multipart({ file: '{}' }), '400 INVALID_BODY'],
  ]
  it.each(forms)('import %s', async (_name, form, expected) => {
    const response = await sendForm('/collections/_import', form)
    expect(response.statusCode === 200 ? response.body : outcome(response)).toBe(expected)
  })

  it('import nothing without a body', async () => {
    expect(outcome(await app.inject({ method: 'POST', url: '/collections/_import' }))).toBe('400 INVALID_BODY')
  })

  it('import with checkfields=false what has no index yet', async () => {
    const early = JSON.stringify([{ collection_name: 'early', params: { ...smallBody, index_name: 'nowhere' } }])
    const form = new URLSearchParams({ file: early })
    expect(outcome(await sendForm('/collections/_import', form))).toBe('400 INVALID_COLLECTION')
    expect(outcome(await sendForm('/collections/_import?checkfields=false', form))).toBe('200')
  })

  it('keep literal segments from being names', async () => {
    const response = await app.inject({ method: 'PUT', url: '/collections/_export', payload: smallBody })
    expect(outcome(response)).toBe('405 METHOD_NOT_ALLOWED')
  })
})
