import { FeatureService, FilterLang } from '@ogcapi-js/features'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

const mappings = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    n: { type: 'integer' },
    seen: { type: 'date' },
    place: { type: 'geo_point' },
  },
}

describe('@ogcapi-js/features', () => {
  let server: RunningServer
  let service: FeatureService
  beforeAll(async () => {
    server = await startEmbeddedServer()
    const documents = Array.from({ length: 12 }, (_, i) => ({
      id: `d${i}`,
      kind: i % 3 === 0 ? 'rare' : 'usual',
      n: i,
      seen: new Date(Date.UTC(2024, 0, 1 + i)).toISOString(),
      place: [i * 10, i],
    }))
    const bulk = documents.map((d) => `{"index":{"_id":"${d.id}"}}\n${JSON.stringify(d)}\n`).join('')
    await createIndex(server.base, 'things', mappings, bulk)
    await putCollection(server.base, 'things', {
      index_name: 'things',
      id_path: 'id',
      geometry_path: 'place',
      centroid_path: 'place',
      timestamp_path: 'seen',
    })
    service = new FeatureService({ baseUrl: `${server.base}/ogc` })
  })
  afterAll(() => server?.stop())

  test('it reads conformance, collections and queryables', async () => {
    const { conformsTo } = await service.getConformance()
    expect(conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core')
    const { collections } = await service.getCollections()
    expect(collections.map(({ id }) => id)).toEqual(['things'])
    expect((await service.getCollection('things')).itemType).toBe('feature')
    const { properties = {} } = (await service.getQueryables('things')) as { readonly properties?: object }
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['id', 'kind', 'n', 'seen', 'place']))
  })

  test('it reads features with every parameter it has', async () => {
    const page = await service.getFeatures('things', {
      limit: 2,
      bbox: [-1, -1, 95, 50],
      datetime: { start: '2024-01-01T00:00:00Z', end: '2024-01-09T00:00:00Z' },
      sortby: [{ property: 'n', order: 'desc' }],
      properties: ['n', 'kind'],
      filter: "kind = 'rare'",
      filterLang: FilterLang.CQL2_TEXT,
    })
    expect([page.numberMatched, page.numberReturned]).toEqual([3, 2])
    expect(page.features.map(({ id, properties }) => [id, properties])).toEqual([
      ['d6', { n: 6, kind: 'rare' }],
      ['d3', { n: 3, kind: 'rare' }],
    ])
    expect(page.links.map(({ rel }) => rel)).toContain('next')
  })

  test('it sends filters in JSON', async () => {
    const { features } = await service.getFeatures('things', {
      filter: { op: '>=', args: [{ property: 'n' }, 10] },
      filterLang: FilterLang.CQL2_JSON,
    })
    expect(features.map(({ id }) => id)).toEqual(['d10', 'd11'])
  })

  test('it reads one feature', async () => {
    const feature = await service.getFeature('things', 'd7')
    expect([feature.id, feature.geometry]).toEqual(['d7', { type: 'Point', coordinates: [70, 7] }])
    await expect(service.getFeature('things', 'none')).rejects.toThrow()
  })
})
