import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unrestricted } from '../query/access/access.ts'
import type { Collections } from './collections.ts'
import { geodataAnswer, geodataBody, smallBody } from './sample-collection.fixture.ts'
import { openTemporaryCollections, type TemporaryCollections } from './temporary-collections.fixture.ts'

let temporary: TemporaryCollections
let collections: Collections

beforeEach(() => {
  temporary = openTemporaryCollections()
  collections = temporary.collections
})
afterEach(() => temporary.close())

const put = (name: string, body: unknown, checkFields = true) =>
  collections.put(name, body, unrestricted, { checkFields })

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
})
