import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach } from '../../support/engines.ts'
import { call, must } from '../../support/http-client.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { collections } from '../dataset.ts'
import { sampleLayouts } from '../sample-layouts.ts'
import { actorReference, geodataReference } from '../sample-references.ts'

describeEach(sampleLayouts)('collections, $name', (layout) => {
  let server: RunningServer
  const body = { ...collections.geodata, index_name: layout.indexName }
  const reference = geodataReference(layout.indexName)
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  const put = (changes: object, path = '/collections/foo') =>
    call(server.base, { method: 'PUT', path, body: { ...body, ...changes } })

  test('PUT answers the reference with its defaults filled in', async () => {
    expect((await put({}, '/collections/geodata')).json()).toEqual(reference)
  })

  test('GET answers what PUT stored, the list in creation order', async () => {
    expect(await must(server.base, { path: '/collections/geodata' })).toEqual(reference)
    const both = [reference, actorReference(layout.indexName)]
    expect(await must(server.base, { path: '/collections' })).toEqual(both)
    expect(await must(server.base, { path: '/collections/_export' })).toEqual(both)
  })

  test.each<[string, object, string, string]>([
    ['no index_name', { index_name: undefined }, '400 INVALID_BODY', 'index_name'],
    ['a blank id_path', { id_path: ' ' }, '400 INVALID_BODY', 'id_path'],
    ['an unknown id_path', { id_path: 'unknownId' }, '404 FIELD_NOT_FOUND', 'unknownId'],
    ['an unknown geometry_path', { geometry_path: 'geom' }, '404 FIELD_NOT_FOUND', 'dataset'],
    ['a timestamp_path that is no date', { timestamp_path: 'params.job' }, '400 INVALID_COLLECTION', 'params.job'],
    ['an unknown index', { index_name: 'nowhere' }, '404 INDEX_NOT_FOUND', 'nowhere'],
    ['the id excluded', { exclude_fields: 'id' }, '400 INVALID_COLLECTION', 'exclude_fields'],
    ['an ancestor of the geometry excluded', { exclude_fields: 'geo_params' }, '400 INVALID_COLLECTION', ''],
    ['a pattern over the geometry excluded', { exclude_fields: 'geo*' }, '400 INVALID_COLLECTION', ''],
    ['a topic that does not exist', { inspire: { topic_categories: ['foo'] } }, '400 INVALID_COLLECTION', 'foo'],
    [
      'a filter that does not parse',
      { filter: { f: [[{ field: 'id', op: 'foo', value: 'x' }]] } },
      '400 INVALID_FILTER',
      'foo',
    ],
  ])('PUT with %s is refused and stores nothing', async (_, changes, expected, contained) => {
    const answer = await put(changes)
    const problem = answer.json() as { readonly error: string; readonly message: string }
    expect(`${answer.status} ${problem.error}`, answer.text).toBe(expected)
    expect(problem.message).toContain(contained)
    expect((await call(server.base, { path: '/collections/foo' })).status).toBe(404)
  })

  test('PUT with a body that is no JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await call(server.base, { method: 'PUT', path: '/collections/foo', headers, body: '{"index_name":' })
    expect(answer.json()).toMatchObject({ status: 400, error: 'MALFORMED_JSON' })
  })

  test.each<[string, object, object]>([
    ['a pattern that matches nothing excluded', { exclude_fields: 'geo' }, { exclude_fields: 'geo' }],
    [
      'custom parameters',
      { custom_params: { a: 'b' } },
      { custom_params: { a: 'b', timestamp_format: 'epoch_millis' } },
    ],
    ['a key of another revision', { type_name: 'doc', include_fields: 'x' }, reference.params],
  ])('PUT with %s is stored', async (_, changes, expected) => {
    const answer = await put(changes, '/collections/changed')
    expect(answer.status, answer.text).toBe(200)
    const { params } = answer.json() as { readonly params: object }
    if (expected === reference.params) {
      expect(Object.keys(params).sort()).toEqual(Object.keys(reference.params).sort())
    } else expect(params).toMatchObject(expected)
    await must(server.base, { method: 'DELETE', path: '/collections/changed' })
  })

  test('checkfields=false registers a collection before its index', async () => {
    const answer = await put({ index_name: 'nowhere' }, '/collections/early?checkfields=false')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject({
      params: { custom_params: { timestamp_format: 'strict_date_optional_time||epoch_millis' } },
    })
    expect((await call(server.base, { path: '/explore/early/_count' })).json()).toMatchObject({
      status: 404,
      error: 'INDEX_NOT_FOUND',
    })
    const listed = (await must(server.base, { path: '/explore/_list' })) as readonly { collection_name: string }[]
    expect(listed.map((c) => c.collection_name)).not.toContain('early')
    await must(server.base, { method: 'DELETE', path: '/collections/early' })
  })

  test('PATCH changes one member and keeps the rest', async () => {
    await put({}, '/collections/patched')
    const patch = (path: string, change: unknown, type = 'application/json') =>
      must(server.base, {
        method: 'PATCH',
        path: `/collections/patched/${path}`,
        headers: { 'content-type': type },
        body: change,
      })
    const organisations = { owner: 'foo', shared: ['foo.com'], public: true }
    expect(await patch('organisations', JSON.stringify({ shared: ['foo.com'], public: true }))).toMatchObject({
      params: { organisations, index_name: layout.indexName },
    })
    const named = { params: { organisations, display_names: { collection: 'My grid' } } }
    expect(await patch('display_names/collection', 'My grid', 'text/plain')).toMatchObject(named)
    expect(await patch('display_names/collection', '"My grid"')).toMatchObject(named)
    expect(await patch('display_names/fields', JSON.stringify({ id: 'Name' }))).toMatchObject({
      params: { display_names: { collection: 'My grid', fields: { id: 'Name' } } },
    })
    const gone = await must(server.base, { method: 'DELETE', path: '/collections/patched' })
    expect(gone).toEqual({ status: 200, message: 'Collection patched deleted' })
  })

  test('_describe shows every visible field', async () => {
    const plain = (type: string) => ({ type, taggable: false, indexed: true })
    const date = { ...plain('DATE'), format: 'epoch_millis' }
    const tagField = (name: string) => ({ ...plain('KEYWORD'), taggable: name === 'tags' })
    const description = (of: { collection_name: string; params: object }) => ({
      ...of,
      properties: {
        id: plain('KEYWORD'),
        fullname: plain('TEXT'),
        text_search: plain('TEXT'),
        params: {
          ...plain('OBJECT'),
          properties: {
            job: { ...plain('KEYWORD'), taggable: true },
            country: plain('KEYWORD'),
            age: plain('INTEGER'),
            startdate: date,
            stopdate: date,
            weight: plain('INTEGER'),
            ...Object.fromEntries(layout.tagFields.map((name) => [name, tagField(name)])),
            not_indexed: { ...plain('KEYWORD'), indexed: false },
            not_enabled: { ...plain('OBJECT'), indexed: false },
          },
        },
        geo_params: {
          ...plain('OBJECT'),
          properties: {
            centroid: plain('GEO_POINT'),
            other_geopoint: plain('GEO_POINT'),
            geometry: plain('GEO_SHAPE'),
            second_geometry: plain('GEO_SHAPE'),
            wktgeometry: plain('GEO_SHAPE'),
          },
        },
      },
    })
    expect(await must(server.base, { path: '/explore/geodata/_describe' })).toEqual(description(reference))
    const both = [description(reference), description(actorReference(layout.indexName))]
    expect(await must(server.base, { path: '/explore/_list' })).toEqual(both)
  })
})
