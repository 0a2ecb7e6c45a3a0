import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unrestricted } from '../query/access/access.ts'
import type { Collections } from './collections.ts'
import { geodataBody, smallBody } from './sample-collection.fixture.ts'
import { faultOf, openTemporaryCollections, type TemporaryCollections } from './temporary-collections.fixture.ts'

let temporary: TemporaryCollections
let collections: Collections

beforeEach(() => {
  temporary = openTemporaryCollections()
  collections = temporary.collections
})
afterEach(() => temporary.close())

const put = (name: string, body: unknown, checkFields = true) =>
  collections.put(name, body, unrestricted, { checkFields })

describe('PUT refuses', () => {
  const geo = (value: string, field = 'geo_params.centroid') => ({ filter: { f: [[{ field, op: 'within', value }]] } })
  const refused: [object, string, string][] = [
    [{ index_name: undefined }, 'INVALID_BODY', 'index_name'],
    [{ index_name: null }, 'INVALID_BODY', 'index_name'],
    [{ id_path: '  ' }, 'INVALID_BODY', 'id_path'],
    [{ centroid_path: 3 }, 'INVALID_BODY', 'centroid_path'],
    [{ update_max_hits: '10' }, 'INVALID_BODY', 'update_max_hits'],
    [{ update_max_hits: 1.5 }, 'INVALID_BODY', 'update_max_hits'],
    [{ custom_params: { a: 1 } }, 'INVALID_BODY', 'custom_params.a'],
    [{ organisations: { shared: ['a', 2] } }, 'INVALID_BODY', 'organisations.shared[1]'],
    [{ organisations: { public: true, _public: true } }, 'INVALID_BODY', 'public'],
    [{ raster_tile_url: {} }, 'INVALID_BODY', 'raster_tile_url.url'],
    [{ raster_tile_url: { url: ' ' } }, 'INVALID_BODY', 'raster_tile_url.url'],
    [
      { dublin_core_element_name: { bbox: { north: 1, south: 0, east: 1 } } },
      'INVALID_BODY',
      'dublin_core_element_name.bbox.west',
    ],
    [{ filter: { f: [], foo: 1 } }, 'INVALID_BODY', 'filter.foo'],
    [{ filter: { f: [[{ field: 'id', op: 'eq', value: 'x', more: 1 }]] } }, 'INVALID_BODY', 'filter.f[0][0].more'],
    [{ exclude_fields: 'id' }, 'INVALID_COLLECTION', 'exclude_fields'],
    [{ exclude_fields: 'geo_params' }, 'INVALID_COLLECTION', 'exclude_fields'],
    [{ exclude_fields: 'x, geo*' }, 'INVALID_COLLECTION', 'geo*'],
    [{ exclude_fields: '*date' }, 'INVALID_COLLECTION', 'timestamp_path'],
    [{ update_max_hits: -1 }, 'INVALID_COLLECTION', 'update_max_hits'],
    [{ raster_tile_width: 2147483648 }, 'INVALID_COLLECTION', 'raster_tile_width'],
    [{ inspire: { topic_categories: ['biota', 'foo'] } }, 'INVALID_COLLECTION', "got 'foo'"],
    [{ inspire: { languages: ['xyz'] } }, 'INVALID_COLLECTION', 'inspire.languages[0]'],
    [{ inspire: { languages: ['en'] } }, 'INVALID_COLLECTION', "'en'"],
    [{ inspire: { keywords: [{ vocabulary: 'v' }] } }, 'INVALID_COLLECTION', 'inspire.keywords[0].value'],
    [
      { inspire: { keywords: [{ value: 'v', date_of_publication: '2024-02-30' }] } },
      'INVALID_COLLECTION',
      '2024-02-30',
    ],
    [{ inspire: { keywords: [{ value: 'v', date_of_publication: '20240203' }] } }, 'INVALID_COLLECTION', 'yyyy-MM-dd'],
    [{ inspire: { spatial_resolution: {} } }, 'INVALID_COLLECTION', 'spatial_resolution.value'],
    [{ inspire: { spatial_resolution: { value: 0.5 } } }, 'INVALID_COLLECTION', 'unit_of_measure'],
    [
      { inspire: { inspire_limitation_access: { access_constraints: 'x' } } },
      'INVALID_COLLECTION',
      'access_constraints',
    ],
    [{ inspire: { inspire_limitation_access: { classification: 'x' } } }, 'INVALID_COLLECTION', 'classification'],
    [
      { dublin_core_element_name: { bbox: { north: 91, south: 0, east: 1, west: 0 } } },
      'INVALID_COLLECTION',
      'bbox.north',
    ],
    [{ dublin_core_element_name: { bbox: { north: 0, south: 0, east: 1, west: 0 } } }, 'INVALID_COLLECTION', 'north'],
    [
      { dublin_core_element_name: { bbox: { north: 1, south: 0, east: 1, west: -181 } } },
      'INVALID_COLLECTION',
      'bbox.west',
    ],
    [{ filter: { f: [[{ field: 'params.age', op: 'eq', value: 'old' }]] } }, 'INVALID_FILTER', 'old'],
    [{ filter: { f: [[{ field: 'params.age', op: 'foo', value: '1' }]] } }, 'INVALID_FILTER', 'foo'],
    [{ filter: { f: [[{ field: 'params.age', op: 'eq' }]] } }, 'INVALID_FILTER', ''],
    [{ filter: { dateformat: 'bar' } }, 'INVALID_FILTER', ''],
    [geo('1,2,3'), 'INVALID_GEOMETRY', ''],
    [{ index_name: 'nowhere', ...geo('1,2,3') }, 'INVALID_GEOMETRY', ''],
    [{ index_name: 'nowhere' }, 'INDEX_NOT_FOUND', 'nowhere'],
    [{ id_path: 'unknownId' }, 'FIELD_NOT_FOUND', 'unknownId does not exist in index dataset'],
    [{ index_name: 'dataset_*', id_path: 'added' }, 'FIELD_NOT_FOUND', 'dataset_original'],
    [{ geometry_path: 'geom' }, 'FIELD_NOT_FOUND', 'geom'],
    [{ geometry_path: 'params.job' }, 'INVALID_COLLECTION', 'geometry_path'],
    [{ centroid_path: 'params.age' }, 'INVALID_COLLECTION', 'centroid_path'],
    [{ timestamp_path: 'params.job' }, 'INVALID_COLLECTION', 'timestamp_path'],
    [{ id_path: 'fullname' }, 'INVALID_COLLECTION', 'id_path'],
    [{ id_path: 'params' }, 'INVALID_COLLECTION', 'id_path'],
  ]
  it.each(refused)('refuses %j with %s', async (change, code, text) => {
    const found = await faultOf(put('foo', { ...smallBody, ...change }))
    expect(found.code).toBe(code)
    expect(found.message).toContain(text)
    expect((await faultOf(collections.get('foo', unrestricted))).code).toBe('COLLECTION_NOT_FOUND')
  })

  it.each([undefined, null, [], 'text', 3])('refuses the body %j', async (body) => {
    expect((await faultOf(put('foo', body))).code).toBe('INVALID_BODY')
  })

  it('skips only the check of the fields with checkfields=false', async () => {
    const { params } = await put('foo', { ...smallBody, index_name: 'nowhere', ...geo('0,0,1,1', 'any.where') }, false)
    expect(params.custom_params?.timestamp_format).toBe('strict_date_optional_time||epoch_millis')
    expect((await put('foo', { ...smallBody, id_path: 'unknownId' }, false)).params.custom_params).toEqual({
      timestamp_format: 'epoch_millis',
    })
    const hidden = { ...smallBody, index_name: 'nowhere', exclude_fields: 'id' }
    expect((await faultOf(put('foo', hidden, false))).code).toBe('INVALID_COLLECTION')
    const area = { ...smallBody, index_name: 'nowhere', ...geo('POINT(1', 'any.where') }
    expect((await faultOf(put('foo', area, false))).code).toBe('INVALID_GEOMETRY')
    const since = { filter: { f: [[{ field: '$timestamp', op: 'range', value: 'yesterday' }]] } }
    expect((await faultOf(put('foo', { ...smallBody, index_name: 'nowhere', ...since }, false))).code).toBe(
      'INVALID_FILTER',
    )
  })

  const names: [string, string][] = [
    ['a', 'none'],
    ['x'.repeat(128), 'none'],
    ['données-é.1', 'none'],
    ['x'.repeat(129), 'INVALID_COLLECTION'],
    ['', 'INVALID_COLLECTION'],
    ['_foo', 'INVALID_COLLECTION'],
    ...[...'/\\,:*?#"<>| \t\u0000\u0085\u00a0'].map((c): [string, string] => [`a${c}b`, 'INVALID_COLLECTION']),
  ]
  it.each(names)('judges the name %j: %s', async (name, code) => {
    expect((await faultOf(put(name, smallBody))).code).toBe(code)
  })

  it('checks in the order of the specification', async () => {
    const { index_name: _, ...incomplete } = smallBody
    expect((await faultOf(put('_foo', incomplete))).code).toBe('INVALID_BODY')
    const badValue = { ...smallBody, index_name: 'nowhere', update_max_hits: -1 }
    expect((await faultOf(put('_foo', badValue))).message).toContain('collection_name')
    expect((await faultOf(put('foo', badValue))).code).toBe('INVALID_COLLECTION')
    expect((await faultOf(put('foo', { ...smallBody, id_path: 'nope', timestamp_path: 'params.job' }))).code).toBe(
      'FIELD_NOT_FOUND',
    )
  })

  it('asks for INSPIRE content when it is required', async () => {
    const strict = temporary.inspired
    await strict.put('geodata', geodataBody, unrestricted)
    const without: [string, object][] = [
      ['inspire.lineage', { inspire: { topic_categories: ['biota'] } }],
      ['inspire.topic_categories', { inspire: { lineage: 'x', topic_categories: [] } }],
      ['dublin_core_element_name.title', { dublin_core_element_name: { description: 'x', language: 'eng' } }],
      ['dublin_core_element_name.description', { dublin_core_element_name: { title: 'x', language: 'eng' } }],
      ['dublin_core_element_name.language', { dublin_core_element_name: { title: 'x', description: 'x' } }],
      ["got 'deu'", { dublin_core_element_name: { title: 'x', description: 'x', language: 'deu' } }],
    ]
    for (const [text, change] of without) {
      const found = await faultOf(strict.put('geodata', { ...geodataBody, ...change }, unrestricted))
      expect(found.code).toBe('INVALID_COLLECTION')
      expect(found.message).toContain(text)
    }
  })
})
