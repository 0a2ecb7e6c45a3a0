import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { type Call, call, must } from '../support/http-client.ts'
import { createIndex, dropIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

const mapping = {
  dynamic: false,
  properties: {
    n: { type: 'long' },
    t: { type: 'date', format: 'epoch_second' },
    a: { properties: { geo: { type: 'geo_shape' }, pt: { type: 'geo_point' }, x: { type: 'keyword' } } },
    other: { type: 'geo_point' },
  },
}

/** Documents as people write them: keys with dots, several values, nulls, keys no mapping knows. */
const documents = [
  {
    n: 1,
    t: 2.5,
    'a.geo': 'POLYGON((0 0,1 0,1 1,0 0))',
    a: {
      pt: [
        [5, 6],
        [7, 8],
      ],
      x: null,
      y: { z: null },
    },
    k: null,
  },
  { n: 2, t: [3, 4], a: { pt: ['1,2'] }, md: 'mine', other: { lat: 1, lon: 2 } },
  { n: 3, a: { x: ['u', 'v'] }, e: {} },
]

const params = { index_name: 'odd', id_path: 'n', geometry_path: 'a.geo', centroid_path: 'a.pt', timestamp_path: 't' }

let server: RunningServer

beforeAll(async () => {
  server = await startEmbeddedServer()
  const bulk = documents.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`).join('')
  await createIndex(server.base, 'odd', mapping, bulk)
  await createIndex(server.base, 'gone', mapping, bulk)
  await putCollection(server.base, 'odd', params)
  await putCollection(server.base, 'gone', { ...params, index_name: 'gone' })
  await dropIndex(server.base, 'gone')
})

afterAll(async () => {
  await server.stop()
})

const get = (path: string): Promise<unknown> => must(server.base, { path })

describe('documents as they are', () => {
  it('become hits without their nulls', async () => {
    expect(await get('/explore/odd/1')).toEqual({
      md: {
        id: '1',
        timestamp: 2500,
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
        centroid: { type: 'Point', coordinates: [5, 6] },
      },
      data: {
        n: 1,
        t: 2.5,
        'a.geo': 'POLYGON((0 0,1 0,1 1,0 0))',
        a: {
          pt: [
            [5, 6],
            [7, 8],
          ],
          y: {},
        },
      },
    })
  })

  it('become features with their nulls', async () => {
    expect(await get('/explore/odd/_geosearch')).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 0],
              ],
            ],
          },
          properties: {
            n: 1,
            t: 2.5,
            a: {
              pt: [
                [5, 6],
                [7, 8],
              ],
              x: null,
              y: { z: null },
            },
            k: null,
            md: { id: '1', timestamp: 2500, centroid: { type: 'Point', coordinates: [5, 6] } },
            feature_type: 'hit',
            geometry_path: 'a.geo',
          },
        },
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [2, 1] },
          properties: {
            n: 2,
            t: [3, 4],
            a: { pt: ['1,2'] },
            other: { lat: 1, lon: 2 },
            md: { id: '2', timestamp: 3000, centroid: { type: 'Point', coordinates: [2, 1] } },
            feature_type: 'hit',
            geometry_path: 'a.pt',
          },
        },
      ],
    })
  })

  it.each(['02', '2.0', 'two', '99999999999999999999'])('have no integer id %s', async (id) => {
    const answer = await call(server.base, { path: `/explore/odd/${id}` })
    expect(answer.json()).toMatchObject({ status: 404, error: 'DOCUMENT_NOT_FOUND' })
  })
})

describe('the first fault found', () => {
  const json = { 'content-type': 'application/json' }
  it.each<[string, Call, string]>([
    ['an unknown collection before a bad parameter', { path: '/explore/nope/_search?size=x' }, 'COLLECTION_NOT_FOUND'],
    ['an unknown collection before a bad tile', { path: '/explore/nope/_geosearch/a/0/0' }, 'COLLECTION_NOT_FOUND'],
    [
      'an unknown collection before a bad body',
      { method: 'POST', path: '/explore/nope/_count', headers: json, body: '{' },
      'COLLECTION_NOT_FOUND',
    ],
    ['a missing index before a bad parameter', { path: '/explore/gone/_search?size=x' }, 'INDEX_NOT_FOUND'],
    ['a bad size before an unknown field', { path: '/explore/odd/_search?sort=nope&size=0' }, 'INVALID_PARAMETER'],
    ['a bad operator before an unknown field', { path: '/explore/odd/_search?sort=nope&f=n:is:1' }, 'INVALID_FILTER'],
    ['an unknown field', { path: '/explore/odd/_search?sort=nope' }, 'FIELD_NOT_FOUND'],
    [
      'a media type before the collection',
      { method: 'POST', path: '/explore/nope/_count', headers: { 'content-type': 'text/plain' }, body: '{}' },
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ])('is %s', async (_, request, error) => {
    expect((await call(server.base, request)).json()).toMatchObject({ error })
  })
})

describe('answers', () => {
  it('leave collections without index out of the list', async () => {
    expect(await get('/explore/_list')).toMatchObject([{ collection_name: 'odd' }])
  })

  it('have the same head without a body', async () => {
    const path = '/explore/odd/_search?size=1&max-age-cache=60'
    const [whole, head] = await Promise.all([call(server.base, { path }), call(server.base, { method: 'HEAD', path })])
    expect(head.text).toBe('')
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers[name], name).toBe(whole.headers[name])
    }
  })

  it('link to the alias they were asked under', async () => {
    const path = '/arlas/explore/odd/_search?Size=1&SORT=+n&From=1'
    expect(await get(path)).toMatchObject({
      links: {
        self: { href: `${server.base}${path}`, method: 'GET' },
        next: { href: `${server.base}/arlas/explore/odd/_search?Size=1&SORT=%20n&after=2`, method: 'GET' },
      },
    })
  })

  it('read nothing but the form from the query of a POST, and keep it in links', async () => {
    const path = '/explore/odd/_search?flat=true&size=x&sort=nope'
    const answer = await must(server.base, {
      method: 'POST',
      path,
      body: { page: { size: 1, sort: null }, form: null },
    })
    expect(answer).toMatchObject({ nbhits: 1, hits: [{ data: { n: 1, a_pt_0_0: 5 } }] })
    expect(answer).toMatchObject({
      links: { self: { href: `${server.base}${path}`, body: { page: { size: 1, from: 0 } } } },
    })
  })
})
