import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClusterCall,
  type ClusterClient,
  ClusterRefusal,
  type WireObject,
} from '../../../cluster-client/cluster-client.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import { BodyDocument, BodyDocumentWrite } from '../../body-document.ts'
import type { WriteOperation } from '../../engine.ts'
import { IndexCatalog } from '../catalog/index-catalog.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { write } from './bulk-writer.ts'

const context = { ...clusterUnderTest(), newIndices: { replicas: 0 } }
const { client } = context
const catalog = new IndexCatalog(context)
const base = `t-bulk-writer-${randomBytes(4).toString('hex')}`
const made: string[] = []

async function newIndex(mapping: Parameters<IndexCatalog['create']>[1] = { properties: {} }): Promise<string> {
  const name = `${base}-${made.length}`
  made.push(name)
  await catalog.create(name, mapping)
  return name
}

const sourceOf = async (index: string, id: string) =>
  (await client.send<{ _source: WireObject }>({ method: 'GET', path: `/${index}/_doc/${id}` }))._source
const count = async (index: string, query: WireObject = { match_all: {} }) => {
  await client.send({ method: 'POST', path: `/${index}/_refresh` })
  const path = `/${index}/_count`
  return (await client.send<{ count: number }>({ method: 'POST', path, body: { query }, repeatable: true })).count
}
const put = (id: string, source: JsonObject): WriteOperation => ({ kind: 'index', id, source })

/** The same cluster behind a client that lets a test intercept calls. */
const behind = (send: (call: ClusterCall, pass: () => Promise<unknown>) => Promise<unknown>) => ({
  ...context,
  client: {
    send: (call) => send(call, () => client.send(call)),
    close: () => client.close(),
  } as ClusterClient,
})

beforeAll(async () => {
  made.push(`${base}-foreign`)
  const mappings = { properties: { n: { type: 'long' } } }
  const body = { mappings, settings: { number_of_replicas: 0 } }
  await client.send({ method: 'PUT', path: `/${base}-foreign`, body })
})
afterAll(async () => {
  for (const name of made)
    await client.send({ method: 'DELETE', path: `/${name}`, query: { ignore_unavailable: true } })
  await client.close()
})

describe('writing to a cluster', () => {
  test('answers every operation in order, in the words of the embedded engine', async () => {
    const index = await newIndex({ properties: { n: { type: 'long' } } })
    const results = await write(context, catalog, index, [
      put('1', { n: 1 }),
      { kind: 'create', id: '1', source: { n: 2 } },
      { kind: 'index', source: { n: 3 }, text: '{\n  "n": 3\n}' },
      put('bad', { n: 'x' }),
      { kind: 'update', id: '1', doc: { tag: 'x' } },
      { kind: 'update', id: '1', doc: { tag: 'x' } },
      { kind: 'update', id: 'new', doc: { n: 5 }, upsert: true },
      { kind: 'update', id: 'missing', doc: { n: 5 } },
      { kind: 'delete', id: 'missing' },
      { kind: 'delete', id: 'new' },
    ])
    expect(results).toEqual([
      { ok: true, id: '1', result: 'created', version: 1 },
      {
        ok: false,
        id: '1',
        status: 409,
        type: 'version_conflict_engine_exception',
        reason: 'document already exists',
      },
      { ok: true, id: expect.stringMatching(/^[\w-]{20}$/), result: 'created', version: 1 },
      {
        ok: false,
        id: 'bad',
        status: 400,
        type: 'document_parsing_exception',
        reason: 'failed to parse field [n] of type [long], got "x"',
      },
      { ok: true, id: '1', result: 'updated', version: 2 },
      { ok: true, id: '1', result: 'noop', version: 2 },
      { ok: true, id: 'new', result: 'created', version: 1 },
      { ok: false, id: 'missing', status: 404, type: 'document_missing_exception', reason: 'document missing' },
      { ok: false, id: 'missing', status: 404, type: 'not_found', reason: 'document missing' },
      { ok: true, id: 'new', result: 'deleted', version: 2 },
    ])
    expect(await sourceOf(index, '1')).toEqual({ n: 1, tag: 'x' })
    expect(await count(index)).toBe(2)
  })

  test('takes documents where they lie in a body, digit for digit', async () => {
    const index = await newIndex()
    const body = Buffer.from('{"n":9223372036854775807,"k":"é"}{"n":1,"other":true}')
    const end = body.indexOf('}{') + 1
    const results = await write(context, catalog, index, [
      new BodyDocumentWrite('index', 'a', new BodyDocument(body, 0, end)),
      new BodyDocumentWrite('index', undefined, new BodyDocument(body, end, body.length)),
    ])
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect(await sourceOf(index, 'a')).toEqual({ n: 9223372036854775807n, k: 'é' })
    expect(await count(index, { term: { n: 9223372036854775807n } })).toBe(1)
    expect(await count(index, { term: { other: true } })).toBe(1)
  })

  test('keeps the order of operations on the same id, over several requests', async () => {
    const index = await newIndex({ dynamic: false, properties: {} })
    const bodies: number[] = []
    const counted = behind((call, pass) => {
      if (call.path.endsWith('/_bulk')) bodies.push(String(call.body).length)
      return pass()
    })
    const filler = 'x'.repeat(1_000_000)
    const operations = Array.from({ length: 30 }, (_, i) => put(`id${i % 3}`, { i, filler }))
    const results = await write(counted, catalog, index, operations)
    expect(results.map((r) => r.ok && r.version)).toEqual(operations.map((_, i) => Math.floor(i / 3) + 1))
    expect(await sourceOf(index, 'id2')).toMatchObject({ i: 29 })
    expect(bodies.length).toBe(4)
    expect(Math.max(...bodies)).toBeLessThan(8.1 * 1024 * 1024)
  })

  test('a missing index is told, and not made', async () => {
    const index = `${base}-none`
    await expect(write(context, catalog, index, [put('1', {})])).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    await expect(write(context, catalog, '*', [put('1', {})])).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    expect(await catalog.indices(index)).toEqual([])
  })

  test('a mapping made elsewhere has its own rules', async () => {
    const index = `${base}-foreign`
    const results = await write(context, catalog, index, [put('1', { n: '', d: '2024-01-01' }), put('2', { n: 'x' })])
    expect(results).toMatchObject([
      { ok: true, result: 'created' },
      { ok: false, status: 400, type: 'document_parsing_exception', reason: expect.stringContaining('[n]') },
    ])
    const mappings = await client.send<Record<string, WireObject>>({ method: 'GET', path: `/${index}/_mapping` })
    expect(mappings[index]).toMatchObject({ mappings: { properties: { d: { type: 'date' } } } })
  })
})

describe('a cluster that has too much to do', () => {
  const busy = new ClusterRefusal(429, 'rejected_execution_exception', 'no room')

  test('is asked again', async () => {
    const index = await newIndex()
    let refusals = 2
    const slow = behind((call, pass) => {
      if (!call.path.endsWith('/_bulk') || refusals-- <= 0) return pass()
      return Promise.reject(busy)
    })
    expect(await write(slow, catalog, index, [put('1', { a: 1 })])).toMatchObject([{ ok: true, result: 'created' }])
    expect(refusals).toBe(-1)
  })

  test('is sent again only what it refused', async () => {
    const index = await newIndex()
    const sent: string[] = []
    const partly = behind(async (call, pass) => {
      if (!call.path.endsWith('/_bulk')) return pass()
      sent.push(String(call.body))
      if (sent.length > 1) return pass()
      const first = String(call.body).split('\n').slice(0, 2).join('\n')
      const answer = await client.send<{ items: unknown[] }>({ ...call, body: `${first}\n` })
      return { items: [...answer.items, { index: { status: 429, error: { type: 'rejected_execution_exception' } } }] }
    })
    const results = await write(partly, catalog, index, [put('1', { a: 1 }), put('2', { a: 2 })])
    expect(results).toMatchObject([
      { id: '1', result: 'created', version: 1 },
      { id: '2', result: 'created', version: 1 },
    ])
    expect(sent[1]).toBe('{"index":{"_id":"2"}}\n{"a":2}\n')
  })

  test('a request that arrives twice makes no document twice', async () => {
    const index = await newIndex()
    const twice = behind(async (call, pass) => {
      if (call.path.endsWith('/_bulk')) await pass()
      return pass()
    })
    const results = await write(twice, catalog, index, [{ kind: 'index', source: { a: 1 } }])
    expect(results).toMatchObject([{ ok: true, result: 'created', version: 1 }])
    expect(await count(index)).toBe(1)
  })
})

describe('new fields', () => {
  test('are inferred as on the embedded engine, and the same for all documents of a write', async () => {
    const index = await newIndex()
    const results = await write(context, catalog, index, [
      put('1', { when: '2024-05-01', where: { lat: 1, lon: 2 }, n: 1, o: { deep: 'x' } }),
      put('2', { n: 1.5, list: [1, 2], nothing: null }),
      put('3', { n: { a: 1 } }),
    ])
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false])
    const [info] = await catalog.indices(index)
    expect(info?.mapping.properties).toEqual({
      list: { type: 'long' },
      n: { type: 'double' },
      o: { type: 'object', properties: { deep: { type: 'keyword' } } },
      when: { type: 'date' },
      where: { type: 'geo_point' },
    })
    expect(await count(index, { term: { n: 1.5 } })).toBe(1)
    expect(await count(index, { term: { 'o.deep': 'x' } })).toBe(1)
  })

  test('are not taken where the mapping is closed, and refused where it is strict', async () => {
    const index = await newIndex({
      dynamic: false,
      properties: {
        open: { dynamic: true, properties: {} },
        strict: { dynamic: 'strict', properties: { a: { type: 'long' } } },
      },
    })
    const results = await write(context, catalog, index, [
      put('1', { x: 1, open: { y: 1 } }),
      put('2', { strict: { a: 1, b: 2 } }),
      put('3', { 'strict.c': 1 }),
      put('4', { strict: { b: null } }),
    ])
    expect(results).toMatchObject([
      { ok: true },
      {
        ok: false,
        reason: 'mapping set to strict, dynamic introduction of [b] within [strict] is not allowed',
        type: 'document_parsing_exception',
      },
      { ok: false },
      { ok: true },
    ])
    const [info] = await catalog.indices(index)
    expect(info?.mapping.properties).toMatchObject({ open: { properties: { y: { type: 'long' } } } })
    expect(info?.mapping.properties.x).toBeUndefined()
  })

  test('writers that bring the same field with another type agree on one', async () => {
    const index = await newIndex()
    const other = new IndexCatalog(context)
    await other.indices(index)
    const both = await Promise.all([
      write(context, catalog, index, [put('1', { f: 1 })]),
      write(context, other, index, [put('2', { f: 'one' })]),
    ])
    const [info] = await new IndexCatalog(context).indices(index)
    const isLong = info?.mapping.properties.f?.type === 'long'
    expect(both).toMatchObject([[{ ok: true }], [{ ok: !isLong }]])
  })
})
