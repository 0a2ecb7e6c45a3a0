import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSample } from '../conformance/fixtures.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { type Call, call } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'

let server: RunningServer

beforeAll(async () => {
  server = await startEmbeddedServer()
  await loadSample(server.base)
  const send = (method: string, path: string, body: object) => call(server.base, { method, path, body })
  const properties = {
    id: { type: 'keyword' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    n: { type: 'long' },
  }
  await send('PUT', '/index/large', { mappings: { properties } })
  const document = { id: 'a', at: 0, place: '1,2', n: 5 }
  await send('PUT', '/index/large/_doc/a', document)
  await call(server.base, {
    method: 'PUT',
    path: '/index/large/_doc/b',
    body: JSON.stringify(document).replace(':5', ':9007199254740993'),
    headers: { 'content-type': 'application/json' },
  })
  const paths = { id_path: 'id', timestamp_path: 'at', geometry_path: 'place', centroid_path: 'place' }
  await send('PUT', '/collections/large', { index_name: 'large', ...paths })
})
afterAll(() => server.stop())

async function profileOf(path: string, more: Omit<Call, 'path'> = {}) {
  const answer = await call(server.base, { path, ...more })
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(String(answer.headers['periplus-profile']))
}

describe('profile=true', () => {
  it('tells how kernels answered', async () => {
    const profile = await profileOf('/explore/geodata/_count?profile=true&f=params.job:eq:Actor')
    expect(profile).toEqual({
      engine: 'embedded',
      total_ms: expect.any(Number),
      reads: [
        {
          read: 'count',
          ms: expect.any(Number),
          path: 'kernel',
          segments: 0,
          tails: 1,
          rows: 595,
          examined: expect.any(Number),
        },
      ],
    })
    expect(profile.reads[0].examined).toBeLessThanOrEqual(595)
  })

  it('tells why the database answered', async () => {
    const { reads } = await profileOf('/explore/large/_search?profile=true&sort=n')
    expect(reads).toMatchObject([{ read: 'search', path: 'sql', reason: 'integers beyond 2^53', rows: 2 }])
  })

  it.each([
    ['_search?profile=true', {}, 'search'],
    ['_aggregate?profile=true&agg=term:params.job', {}, 'aggregate'],
    ['_compute?profile=true&field=params.age&metric=avg', {}, 'measure'],
    ['_suggest?profile=true&field=params.job&q=A', {}, 'suggest'],
    ['_count?profile=true', { method: 'POST', body: {} }, 'count'],
    ['_mvt/0/0/0.mvt?profile=true&layers=cells', {}, 'aggregate'],
    ['_shapesearch?profile=true', {}, 'search'],
  ])('is there for %s', async (path, more, read) => {
    const { reads } = await profileOf(`/explore/geodata/${path}`, more)
    expect(reads[0].read).toBe(read)
  })

  it('is not there unless requested', async () => {
    for (const path of ['_count', '_count?profile=false']) {
      const { status, headers } = await call(server.base, { path: `/explore/geodata/${path}` })
      expect([status, headers['periplus-profile']]).toEqual([200, undefined])
    }
  })

  it('can be read by pages of other origins', async () => {
    const headers = { origin: 'http://localhost:1234' }
    const path = '/explore/geodata/_count?profile=true'
    const answer = await call(server.base, { path, headers })
    expect(answer.headers['access-control-expose-headers']).toMatch(/ETag, .*, periplus-profile$/)
  })

  it('refuses other values', async () => {
    const { status } = await call(server.base, { path: '/explore/geodata/_count?profile=perhaps' })
    expect(status).toBe(400)
  })

  it.each([{ 'column-filter': 'params.job,fullname' }, { 'partition-filter': '{"geodata":{"f":[]}}' }])(
    'is refused to a narrowed caller (%o)',
    async (headers) => {
      const path = '/explore/geodata/_count?profile=true'
      const answer = await call(server.base, { path, headers })
      expect(answer.json()).toMatchObject({ status: 403, error: 'FORBIDDEN' })
      expect(answer.headers['periplus-profile']).toBeUndefined()
    },
  )
})
