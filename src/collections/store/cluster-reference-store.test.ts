import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTransportClient } from '../../cluster-client/transport-client.ts'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import type { CollectionReference } from '../../model/collection.ts'
import { openClusterReferenceStore } from './cluster-reference-store.ts'
import type { ReferenceStore } from './reference-store.ts'

const { client } = clusterUnderTest()
let index: string
let store: ReferenceStore
let unreadable: string[]
/** Milliseconds. Longer than any test, so that cached references do not expire. */
const KEEP_MS = 60_000

beforeEach(() => {
  index = `.t-cluster-reference-store-${randomUUID()}`
  unreadable = []
  store = openClusterReferenceStore({ client, index, keepMs: KEEP_MS, onUnreadable: (name) => unreadable.push(name) })
})
afterEach(() => client.send({ method: 'DELETE', path: `/${index}`, query: { ignore_unavailable: true } }))
afterAll(() => client.close())

const reference = (name: string, title = name): CollectionReference => ({
  collection_name: name,
  params: {
    index_name: 'dataset',
    id_path: 'id',
    geometry_path: 'g',
    centroid_path: 'c',
    timestamp_path: 't',
    license_name: title,
  },
})

const names = (references: readonly CollectionReference[]): string[] => references.map((r) => r.collection_name)

/** A document as written by a compatible server. */
const putForeign = (name: string, source: object, of = index) =>
  client.send({ method: 'PUT', path: `/${of}/_doc/${name}`, query: { refresh: true }, body: { ...source } })

describe('the reference store of a cluster', () => {
  it('is empty while there is no index', async () => {
    expect(await store.list()).toEqual([])
    expect(await store.get('a')).toBeUndefined()
    expect(await store.delete('a')).toBe(false)
    expect(await client.send({ method: 'HEAD', path: `/${index}` })).toBe(false)
  })

  it('lists at once, in the order of creation, and keeps the place of what is replaced', async () => {
    for (const name of ['zz', 'mm', 'aa']) await store.putAll([reference(name)])
    await store.putAll([reference('mm', 'new')])
    expect(names(await store.list())).toEqual(['zz', 'mm', 'aa'])
    expect(await store.get('mm')).toEqual(reference('mm', 'new'))

    const other = openClusterReferenceStore({ client, index, keepMs: KEEP_MS })
    expect(await other.list()).toEqual([reference('zz'), reference('mm', 'new'), reference('aa')])
  })

  it('answers questions with what it has kept, unless it was changed here, or was not there', async () => {
    const other = openClusterReferenceStore({ client, index, keepMs: 0 })
    await other.putAll([reference('a', '1')])
    expect(await store.recent('a')).toEqual(reference('a', '1'))
    await other.putAll([reference('a', '2')])
    expect(await store.recent('a')).toEqual(reference('a', '1'))
    expect(await store.get('a')).toEqual(reference('a', '2'))
    await store.putAll([reference('b', '3')])
    expect(await store.recent('a')).toEqual(reference('a', '2'))
    expect(await store.recent('b')).toEqual(reference('b', '3'))
    await store.delete('b')
    expect(await store.recent('b')).toBeUndefined()
    await other.putAll([reference('b', '4')])
    expect(await store.recent('b')).toEqual(reference('b', '4'))
    await store.putAll([reference('a', '5')])
    expect(await other.recent('a')).toEqual(reference('a', '5'))
    await store.putAll([reference('a', '6')])
    expect(await other.recent('a')).toEqual(reference('a', '6'))
  })

  it('puts what was deleted and created again at the end', async () => {
    await store.putAll([reference('a'), reference('b')])
    expect(await store.delete('a')).toBe(true)
    expect(await store.delete('a')).toBe(false)
    expect(await store.get('a')).toBeUndefined()
    await store.putAll([reference('a')])
    expect(names(await store.list())).toEqual(['b', 'a'])
  })

  it('makes an index that is hidden and has no fields of its own accord', async () => {
    await store.putAll([reference('a')])
    type Settings = Record<string, { settings: { index: { hidden: string } }; mappings: object }>
    const answer = await client.send<Settings>({ method: 'GET', path: `/${index}` })
    expect(answer[index]?.settings.index.hidden).toBe('true')
    expect(answer[index]?.mappings).toEqual({ dynamic: 'false', properties: { periplus_created: { type: 'long' } } })
  })

  it('keeps names and texts of any script, and keys that are no paths', async () => {
    const strange = {
      ...reference('géo\u{1F30D}-données%2F', 'a"b\\c\n\u0000'),
    }
    const params = { ...strange.params, display_names: { fields: { '': 'a', '.b': 'c', 'd..e': 'f' } } }
    await store.putAll([{ ...strange, params }])
    expect(await store.list()).toEqual([{ ...strange, params }])
    expect(await store.get(strange.collection_name)).toEqual({ ...strange, params })
  })

  it('answers that there is none for names no document can have', async () => {
    await store.putAll([reference('a')])
    for (const name of ['', '\ud800', 'é'.repeat(257), 'x'.repeat(20_000), '..', 'a/b', '_search']) {
      expect(await store.get(name)).toBeUndefined()
      expect(await store.delete(name)).toBe(false)
    }
    expect(names(await store.list())).toEqual(['a'])
  })

  it('reads an index of other servers as it is, theirs first', async () => {
    const { params } = reference('x')
    const settings = { number_of_shards: 1, number_of_replicas: 0 }
    const mappings = {
      dynamic: 'strict',
      properties: Object.fromEntries(Object.keys(params).map((key) => [key, keyword])),
    }
    await client.send({ method: 'PUT', path: `/${index}`, body: { settings, mappings } })
    await putForeign('old-b', params)
    await putForeign('old-a', params)
    expect(names(await store.list())).toEqual(['old-a', 'old-b'])
    await store.putAll([reference('new')])
    await store.putAll([reference('old-b', 'changed')])
    expect(await store.list()).toEqual([
      { collection_name: 'old-a', params },
      reference('old-b', 'changed'),
      reference('new'),
    ])
  })

  it('leaves out what it does not know of a document', async () => {
    const { params } = reference('x')
    await store.putAll([reference('first')])
    await putForeign('x', { ...params, unknown_key: { a: 1 }, raster_tile_url: null })
    expect(await store.get('x')).toEqual({ collection_name: 'x', params })
  })

  it('lists without a document that is no reference, and says what is wrong with it when asked', async () => {
    await store.putAll([reference('good')])
    await putForeign('bad', { ...reference('bad').params, index_name: 5 })
    expect(names(await store.list())).toEqual(['good'])
    expect(unreadable).toEqual(['bad'])
    await expect(store.get('bad')).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('The reference of collection bad in the cluster is invalid: index_name must'),
    })
  })

  it('puts back what it has written when one of several is refused', async () => {
    const { params } = reference('x')
    const mappings = { dynamic: false, properties: { license_name: { type: 'long' } } }
    await client.send({ method: 'PUT', path: `/${index}`, body: { mappings } })
    await putForeign('a', { ...params, license_name: '1' })
    const wrong = reference('c', 'no number')
    await expect(store.putAll([reference('a', '2'), reference('b', '3'), wrong])).rejects.toThrow(/license_name/)
    expect(await store.list()).toEqual([reference('a', '1')])
  })

  it('is unavailable when the cluster is', async () => {
    const nobody = openTransportClient({ urls: ['http://127.0.0.1:1'] })
    const away = openClusterReferenceStore({ client: nobody, index, keepMs: KEEP_MS })
    const unavailable = { code: 'ENGINE_UNAVAILABLE', message: expect.stringContaining('cluster.urls') }
    await expect(away.get('a')).rejects.toMatchObject(unavailable)
    await expect(away.list()).rejects.toMatchObject(unavailable)
    await expect(away.putAll([reference('a')])).rejects.toMatchObject(unavailable)
    await nobody.close()
  })
})

const keyword = { type: 'keyword' }
