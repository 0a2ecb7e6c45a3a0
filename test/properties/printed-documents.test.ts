import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentTexts } from '../../src/formats/printed/raw-text.fixture.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { must } from '../support/http-client.ts'
import { putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { seed } from '../support/seed.ts'
import { tryWithin } from './random-index.ts'

const COUNT = 300

const mapping = {
  dynamic: false,
  properties: {
    key: { type: 'integer' },
    id: { type: 'keyword' },
    at: { type: 'date' },
    place: { type: 'geo_shape' },
    centre: { type: 'geo_point' },
    in: { type: 'object', properties: { place: { type: 'geo_point' } } },
  },
}

let server: RunningServer
beforeAll(async () => {
  server = await startEmbeddedServer()
  const drawn = fc.sample(documentTexts, { seed, numRuns: COUNT })
  // Bodies are lines, so line feeds between the tokens become other spaces.
  const texts = drawn.map((text, n) =>
    text.replaceAll('\n', ' ').replace('{', `{"key":${n}${/^\{\s*\}$/.test(text) ? '' : ','}`),
  )
  const lines = texts.map((text, n) => `{"index":{"_id":"${n}"}}\n${text}\n`)
  await must(server.base, { method: 'PUT', path: '/index/raw', body: { mappings: mapping } })
  const headers = { 'content-type': 'application/x-ndjson' }
  await must(server.base, { method: 'POST', path: '/index/raw/_bulk', headers, body: lines.join('') })
  const params = { index_name: 'raw', id_path: 'key', timestamp_path: 'at' }
  await putCollection(server.base, 'two', { ...params, geometry_path: 'place', centroid_path: 'centre' })
  await putCollection(server.base, 'one', { ...params, geometry_path: 'centre', centroid_path: 'centre' })
  await putCollection(server.base, 'deep', {
    ...params,
    id_path: 'id',
    geometry_path: 'in.place',
    centroid_path: 'in.place',
  })
  await putCollection(server.base, 'cut', {
    ...params,
    geometry_path: 'place',
    centroid_path: 'centre',
    exclude_fields: 'a,in.n',
  })
})

afterAll(() => server?.stop())

const request = fc.record({
  collection: fc.constantFrom('one', 'two', 'deep', 'cut'),
  operation: fc.constantFrom('_search', '_geosearch', '_geosearch/0/0/0'),
  size: fc.constantFrom(1, 7, 50, COUNT),
  sort: fc.constantFrom('key', '-key'),
  more: fc.constantFrom('', '', '', '&include=id,a', '&exclude=b', '&returned_geometries=centre', '&f=key:lt:150'),
  arranged: fc.boolean(),
})

const get = async (path: string): Promise<string> => {
  const response = await fetch(`${server.base}${path}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

// Indented answers are always printed from parsed documents.
test('compact answers have the bytes of the parsed documents', async () => {
  await tryWithin(
    request,
    async ({ collection, operation, size, sort, more, arranged }) => {
      if (arranged) await server.arrange()
      const path = `/explore/${collection}/${operation}?size=${size}&sort=${sort}${more}`
      const general = JSON.parse(await get(`${path}&pretty=true`))
      const text = await get(path)
      // Links have the parameters of their request.
      expect(text.replace(/,"links":.*$/, '}')).toBe(JSON.stringify({ ...general, links: undefined }))
      expect(JSON.parse(text).links === undefined).toBe(general.links === undefined)
    },
    60,
    20_000,
  )
})

// Documents that the engine refuses are not among them.
test('most documents were accepted', async () => {
  const { totalnb } = JSON.parse(await get('/explore/one/_count'))
  expect(totalnb).toBeGreaterThan(COUNT / 3)
})

test('lines of an export are the features of the documents', async () => {
  for (const collection of ['one', 'two', 'deep', 'cut']) {
    const lines = await get(`/explore/${collection}/_geosearch?format=geojsonl&sort=key`)
    const { features } = JSON.parse(await get(`/explore/${collection}/_geosearch?size=${COUNT}&sort=key&pretty=true`))
    expect(lines).toBe(features.map((feature: unknown) => `${JSON.stringify(feature)}\n`).join(''))
  }
})
