import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unrestricted } from '../access/access.ts'
import type { Limits } from '../config/settings.ts'
import type { IndexInfo } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import { type Collections, createCollections } from './collections.ts'
import type { ReferenceStore } from './reference-store.ts'
import { geodataAnswer, geodataBody, sampleIndex, sampleMapping, smallBody } from './sample-collection.fixture.ts'
import { openSqliteReferenceStore } from './sqlite-reference-store.ts'

const limits: Limits = {
  size: 10_000,
  vertices: 5_000,
  patternLength: 1_000,
  expressions: 10_000,
  bodyBytes: 16 << 20,
  bulkBytes: 128 << 20,
  urlBytes: 64 << 10,
  headerBytes: 64 << 10,
  timeMs: 30_000,
  exactDistinct: 100_000,
}

const alternative = {
  ...sampleMapping,
  properties: { ...sampleMapping.properties, added: { type: 'keyword' as const } },
}
const available = [
  sampleIndex('dataset'),
  sampleIndex('dataset_alt', alternative),
  sampleIndex('dataset_original'),
  sampleIndex('plain', { properties: { id: { type: 'long' }, at: { type: 'date' }, place: { type: 'geo_point' } } }),
]
const indices = async (pattern: string): Promise<readonly IndexInfo[]> => {
  const [start = '', end] = pattern.split('*')
  return available.filter(({ name }) => (end === undefined ? name === pattern : name.startsWith(start)))
}

let directory: string
let store: ReferenceStore
let collections: Collections

const collectionsWith = (inspire: { required: boolean }) =>
  createCollections({
    store,
    engine: { indices },
    settings: { limits, inspire },
    now: () => Date.UTC(2024, 4, 6, 7, 8, 9, 123),
  })

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-collections-'))
  store = openSqliteReferenceStore(join(directory, 'metadata.sqlite'))
  collections = collectionsWith({ required: false })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const put = (name: string, body: unknown, checkFields = true) =>
  collections.put(name, body, unrestricted, { checkFields })

async function fault(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, message: error.message }
    throw error
  }
  return { code: 'none', message: '' }
}

describe('PUT', () => {
  it('answers the sample body with R1, member by member', async () => {
    const reference = await put('geodata', geodataBody)
    expect(JSON.stringify(reference)).toBe(JSON.stringify(JSON.parse(geodataAnswer)))
    expect(await collections.get('geodata', unrestricted)).toEqual(reference)
  })

  it('fills the filter with righthand', async () => {
    const filter = { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] }
    const reference = await put('geodata_actor', { ...geodataBody, filter })
    expect(reference.params.filter).toEqual({ ...filter, righthand: true })
  })

  it('fills everything the smallest body leaves out', async () => {
    const { params } = await put('Été-1', smallBody)
    const core = params.dublin_core_element_name
    expect(core?.identifier).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    expect(core).toMatchObject({ title: '', language: '', date: '2024-05-06T07:08:09' })
    expect(params.inspire).toMatchObject({
      keywords: [{ value: 'Été-1' }],
      inspire_uri: { code: core?.identifier, namespace: 'PERIPLUS.ÉTÉ-1' },
    })
    expect(params).toMatchObject({ raster_tile_width: -1, raster_tile_height: -1, is_stac_model: false })
    for (const key of ['display_names', 'organisations', 'filter', 'open_search', 'raster_tile_url']) {
      expect(params).not.toHaveProperty(key)
    }
  })

  it('replaces the whole reference and keeps its place', async () => {
    await put('a', { ...smallBody, exclude_fields: 'params.ci*' })
    await put('b', smallBody)
    const replaced = await put('a', smallBody)
    expect(replaced.params).not.toHaveProperty('exclude_fields')
    expect((await collections.list(unrestricted)).map((r) => r.collection_name)).toEqual(['a', 'b'])
  })

  const bbox = { north: 10, south: -20, east: -170, west: 170 }
  const core = { dublin_core_element_name: { bbox } }
  const filled: [string, object, object][] = [
    [
      'custom_params',
      { custom_params: { a: 'b', timestamp_format: 'mine' } },
      { custom_params: { a: 'b', timestamp_format: 'epoch_millis' } },
    ],
    ['_public', { organisations: { owner: 'foo', _public: true } }, { organisations: { owner: 'foo', public: true } }],
    ['a null member', { organisations: null, license_name: 'CC' }, { license_name: 'CC' }],
    [
      'words in another case',
      { inspire: { topic_categories: ['BIOTA'], languages: ['FRA'] } },
      { inspire: { topic_categories: ['biota'], languages: ['fra'] } },
    ],
    ['10.0 is an integer', JSON.parse('{"update_max_hits":10.0}'), { update_max_hits: 10 }],
    [
      'raster_tile_url',
      { raster_tile_url: { url: 'http://t/{id}' } },
      { raster_tile_url: { url: 'http://t/{id}', id_path: 'id', min_z: 0, max_z: 18, check_geometry: false } },
    ],
    [
      'open_search',
      { open_search: { short_name: 'x' } },
      { open_search: { short_name: 'x', description: '', output_encoding: '' } },
    ],
    [
      'bbox over the antimeridian',
      core,
      {
        dublin_core_element_name: {
          bbox,
          coverage_centroid: '-5,180',
          coverage: {
            coordinates: [
              [
                [170, -20],
                [-170, -20],
                [-170, 10],
                [170, 10],
                [170, -20],
              ],
            ],
          },
        },
      },
    ],
    [
      'coverage of the client',
      { dublin_core_element_name: { coverage_centroid: '1,1', coverage: { type: 'Point' } } },
      { dublin_core_element_name: { coverage_centroid: '0,0', coverage: { type: 'Polygon' } } },
    ],
    [
      'an inspire_uri without namespace',
      { inspire: { inspire_uri: { code: 'x' } } },
      { inspire: { inspire_uri: { code: 'x', namespace: 'PERIPLUS.FOO' } } },
    ],
    [
      'several indices',
      { index_name: 'dataset_*' },
      { index_name: 'dataset_*', custom_params: { timestamp_format: 'epoch_millis' } },
    ],
    [
      'an exclude_fields that selects no path',
      { exclude_fields: 'geo, params.start' },
      { exclude_fields: 'geo, params.start' },
    ],
    [
      'an integer resolution without unit',
      { inspire: { spatial_resolution: { value: 5000 } } },
      { inspire: { spatial_resolution: { value: 5000 } } },
    ],
  ]
  it.each(filled)('takes %s', async (_name, change, expected) => {
    expect((await put('foo', { ...smallBody, ...change })).params).toMatchObject(expected)
  })

  it('leaves out image_url and syndication_right of a given open_search', async () => {
    const { params } = await put('foo', { ...smallBody, open_search: {} })
    expect(Object.keys(params.open_search ?? {})).toHaveLength(14)
  })

  it('drops unknown keys at every depth', async () => {
    const { params } = await put('foo', { ...smallBody, type_name: 'doc', anything: 1, organisations: { x: 1 } })
    expect(params).not.toHaveProperty('type_name')
    expect(params.organisations).toEqual({ public: false })
  })

  it('takes an index whose fields state no format, with a numeric id', async () => {
    const body = {
      index_name: 'plain',
      id_path: 'id',
      geometry_path: 'place',
      centroid_path: 'place',
      timestamp_path: 'at',
    }
    const { params } = await put('foo', body)
    expect(params.custom_params).toEqual({ timestamp_format: 'strict_date_optional_time||epoch_millis' })
  })

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
    const found = await fault(put('foo', { ...smallBody, ...change }))
    expect(found.code).toBe(code)
    expect(found.message).toContain(text)
    expect((await fault(collections.get('foo', unrestricted))).code).toBe('COLLECTION_NOT_FOUND')
  })

  it.each([undefined, null, [], 'text', 3])('refuses the body %j', async (body) => {
    expect((await fault(put('foo', body))).code).toBe('INVALID_BODY')
  })

  it('skips only the check of the fields with checkfields=false', async () => {
    const { params } = await put('foo', { ...smallBody, index_name: 'nowhere', ...geo('0,0,1,1', 'any.where') }, false)
    expect(params.custom_params?.timestamp_format).toBe('strict_date_optional_time||epoch_millis')
    expect((await put('foo', { ...smallBody, id_path: 'unknownId' }, false)).params.custom_params).toEqual({
      timestamp_format: 'epoch_millis',
    })
    const hidden = { ...smallBody, index_name: 'nowhere', exclude_fields: 'id' }
    expect((await fault(put('foo', hidden, false))).code).toBe('INVALID_COLLECTION')
    const area = { ...smallBody, index_name: 'nowhere', ...geo('POINT(1', 'any.where') }
    expect((await fault(put('foo', area, false))).code).toBe('INVALID_GEOMETRY')
    const since = { filter: { f: [[{ field: '$timestamp', op: 'range', value: 'yesterday' }]] } }
    expect((await fault(put('foo', { ...smallBody, index_name: 'nowhere', ...since }, false))).code).toBe(
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
    expect((await fault(put(name, smallBody))).code).toBe(code)
  })

  it('checks in the order of the specification', async () => {
    const { index_name: _, ...incomplete } = smallBody
    expect((await fault(put('_foo', incomplete))).code).toBe('INVALID_BODY')
    const badValue = { ...smallBody, index_name: 'nowhere', update_max_hits: -1 }
    expect((await fault(put('_foo', badValue))).message).toContain('collection_name')
    expect((await fault(put('foo', badValue))).code).toBe('INVALID_COLLECTION')
    expect((await fault(put('foo', { ...smallBody, id_path: 'nope', timestamp_path: 'params.job' }))).code).toBe(
      'FIELD_NOT_FOUND',
    )
  })

  it('asks for INSPIRE content when it is required', async () => {
    const strict = collectionsWith({ required: true })
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
      const found = await fault(strict.put('geodata', { ...geodataBody, ...change }, unrestricted))
      expect(found.code).toBe('INVALID_COLLECTION')
      expect(found.message).toContain(text)
    }
  })
})

describe('DELETE', () => {
  it('forgets the reference, once', async () => {
    await put('foo', smallBody)
    await collections.delete('foo', unrestricted)
    expect((await fault(collections.delete('foo', unrestricted))).code).toBe('COLLECTION_NOT_FOUND')
  })
})

describe('PATCH', () => {
  beforeEach(() => put('geodata', geodataBody))

  it('follows the example of the specification', async () => {
    const shared = await collections.patchOrganisations('geodata', { shared: ['foo.com'], public: true }, unrestricted)
    expect(shared.params.organisations).toEqual({ owner: 'foo', shared: ['foo.com'], public: true })
    const named = await collections.patchDisplayName('geodata', 'My grid', unrestricted)
    expect(named.params.display_names).toEqual({ collection: 'My grid' })
    await collections.patchFieldNames('geodata', { old: 'x' }, unrestricted)
    await collections.patchFieldNames('geodata', { id: 'Name' }, unrestricted)
    const columns = await collections.patchShapeColumns('geodata', { id: 'new_id' }, unrestricted)
    expect(columns.params.display_names).toEqual({
      collection: 'My grid',
      fields: { id: 'Name' },
      shape_columns: { id: 'new_id' },
    })
    expect(await collections.get('geodata', unrestricted)).toEqual(columns)
  })

  it.each<[object, object]>([
    [{ public: true }, { owner: 'foo', shared: ['bar'], public: true }],
    [{ _public: true }, { owner: 'foo', shared: ['bar'], public: true }],
    [{ shared: [] }, { owner: 'foo', shared: [], public: false }],
    [{ organisations: { shared: ['x'] } }, { owner: 'foo', shared: ['x'], public: false }],
    [{}, { owner: 'foo', shared: ['bar'], public: false }],
  ])('sets of organisations what %j gives', async (body, expected) => {
    expect((await collections.patchOrganisations('geodata', body, unrestricted)).params.organisations).toEqual(expected)
  })

  it('creates organisations', async () => {
    await put('foo', smallBody)
    const { params } = await collections.patchOrganisations('foo', { shared: ['x'] }, unrestricted)
    expect(params.organisations).toEqual({ shared: ['x'], public: false })
  })

  it.each([
    { public: 'yes' },
    { shared: 'foo.com' },
    ['foo.com'],
    { owner: 'me' },
    { foo: 1 },
    { organisations: { owner: 'me' } },
    { organisations: { public: true }, shared: [] },
    { organisations: 'x' },
    { public: true, _public: false },
  ])('refuses %j for organisations', async (body) => {
    expect((await fault(collections.patchOrganisations('geodata', body, unrestricted))).code).toBe('INVALID_BODY')
  })

  it.each([{ id: 3 }, ['id'], 'id', 3])('refuses %j as a map of names', async (body) => {
    expect((await fault(collections.patchFieldNames('geodata', body, unrestricted))).code).toBe('INVALID_BODY')
    expect((await fault(collections.patchShapeColumns('geodata', body, unrestricted))).code).toBe('INVALID_BODY')
  })

  it('knows the collection before it looks at the body', async () => {
    expect((await fault(collections.patchFieldNames('nope', 3, unrestricted))).code).toBe('COLLECTION_NOT_FOUND')
  })

  it('loses no member when several are changed at once', async () => {
    await Promise.all([
      collections.patchDisplayName('geodata', 'My grid', unrestricted),
      collections.patchFieldNames('geodata', { id: 'Name' }, unrestricted),
      collections.patchOrganisations('geodata', { public: true }, unrestricted),
    ])
    const { params } = await collections.get('geodata', unrestricted)
    expect(params.display_names).toEqual({ collection: 'My grid', fields: { id: 'Name' } })
    expect(params.organisations?.public).toBe(true)
  })
})

describe('import', () => {
  const entry = (name: string, change: object = {}) => ({ collection_name: name, params: { ...smallBody, ...change } })
  const read = (body: unknown, checkFields = true) => collections.import(body, unrestricted, { checkFields })

  it('gives back what was exported and deleted', async () => {
    await put('geodata', geodataBody)
    await put('small', smallBody)
    await collections.patchDisplayName('small', 'Small', unrestricted)
    const exported = JSON.stringify(await collections.export(unrestricted))
    await collections.delete('geodata', unrestricted)
    await collections.delete('small', unrestricted)
    expect(await read(JSON.parse(exported))).toEqual(['geodata', 'small'])
    expect(JSON.stringify(await collections.list(unrestricted))).toBe(exported)
  })

  it('takes nothing', async () => {
    expect(await read([])).toEqual([])
  })

  const bad: [unknown, string, string][] = [
    [{ collection_name: 'x' }, 'INVALID_BODY', 'file'],
    ['text', 'INVALID_BODY', 'file'],
    [[entry('a'), 3], 'INVALID_BODY', 'file[1]'],
    [[{ params: smallBody }], 'INVALID_BODY', 'file[0].collection_name'],
    [[{ collection_name: 'a' }], 'INVALID_BODY', 'file[0].params'],
    [[{ ...entry('a'), properties: {} }], 'INVALID_BODY', 'file[0].properties'],
    [[entry('a'), entry('b', { id_path: '' })], 'INVALID_BODY', 'file[1] (b)'],
    [[entry('a'), entry('a')], 'INVALID_COLLECTION', "got 'a'"],
    [[entry('a'), entry('_b')], 'INVALID_COLLECTION', 'file[1]'],
    [[entry('a'), entry('b', { id_path: 'nope' })], 'INVALID_COLLECTION', 'nope'],
    [[entry('a'), entry('b', { index_name: 'nowhere' })], 'INVALID_COLLECTION', 'file[1] (b)'],
    [[entry('a'), entry('b', { filter: { f: [[{}]] } })], 'INVALID_COLLECTION', 'file[1] (b)'],
  ]
  it.each(bad)('saves nothing of %j', async (body, code, text) => {
    const found = await fault(read(body))
    expect(found.code).toBe(code)
    expect(found.message).toContain(text)
    expect(await collections.list(unrestricted)).toEqual([])
  })

  it('replaces what exists and accepts a missing index with checkfields=false', async () => {
    await put('a', { ...smallBody, license_name: 'old' })
    await put('b', smallBody)
    await read([entry('c', { index_name: 'nowhere' }), entry('a')], false)
    const listed = await collections.list(unrestricted)
    expect(listed.map((r) => r.collection_name)).toEqual(['a', 'b', 'c'])
    expect(listed[0]?.params).not.toHaveProperty('license_name')
  })
})

describe('concurrent writes', () => {
  it('leave a whole reference, whatever the order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }), async (versions) => {
        await Promise.all(
          versions.map((v) => put('foo', { ...smallBody, license_name: `v${v}`, license_urls: [`u${v}`] })),
        )
        const { params } = await collections.get('foo', unrestricted)
        expect(params.license_urls).toEqual([params.license_name?.replace('v', 'u')])
      }),
      { numRuns: 10 },
    )
  })
})
