import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { clients, runPython } from './clients.ts'

/** More than two of the largest pages. */
const COUNT = 25_000

const mappings = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    n: { type: 'integer' },
    seen: { type: 'date' },
    place: { type: 'geo_point' },
  },
}

const documentLine = (i: number): string => {
  const id = `d${String(i).padStart(6, '0')}`
  const place = [(i % 360) - 179.5, (i % 100) - 49.5]
  const seen = new Date(Date.UTC(2024, 0, 1) + i * 60_000).toISOString()
  const source = { id, kind: i % 5 === 0 ? 'rare' : 'usual', n: i, seen, place }
  return `{"index":{"_id":"${id}"}}\n${JSON.stringify(source)}\n`
}

const OWSLIB = `
import json, sys
from owslib.ogcapi.features import Features
base = json.load(sys.stdin)
api = Features(base + '/ogc')
page = api.collection_items('things', limit=7, bbox=[-10, -10, 10, 10], filter="kind = 'rare'")
print(json.dumps({
    'collections': api.feature_collections(),
    'queryables': sorted(api.collection_queryables('things')['properties']),
    'title': api.collection('things')['title'],
    'classes': any(c.endswith('ogcapi-features-1/1.0/conf/core') for c in api.conformance()['conformsTo']),
    'returned': page['numberReturned'],
    'inside': all(abs(f['geometry']['coordinates'][0]) <= 10 and f['properties']['kind'] == 'rare' for f in page['features']),
    'one': api.collection_item('things', 'd000007')['properties']['n'],
}))
`

const GDAL = `
import json, sys, pyogrio
base = json.load(sys.stdin)
url = 'OAPIF:' + base + '/ogc'
layers = [str(name) for name, _ in pyogrio.list_layers(url)]
def read(**options):
    meta, fids, geometry, fields = pyogrio.raw.read(url, layer='things', **options)
    names = [str(name) for name in meta['fields']]
    return names, len(geometry), {name: values for name, values in zip(names, fields)}
names, count, fields = read(PAGE_SIZE='10000')
_, boxed, _ = read(bbox=(-10, -10, 10, 10))
_, filtered, found = read(where="kind = 'rare' AND n < 100")
print(json.dumps({
    'layers': layers, 'fields': sorted(names), 'count': count, 'distinct': len(set(fields['n'].tolist())),
    'boxed': boxed, 'filtered': filtered, 'kinds': sorted(set(found['kind'].tolist())),
}))
`

describe.skipIf(clients === undefined)('clients of OGC API', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startEmbeddedServer()
    const bulk = Array.from({ length: COUNT }, (_, i) => documentLine(i)).join('')
    await createIndex(server.base, 'things', mappings, bulk)
    await putCollection(server.base, 'things', {
      index_name: 'things',
      id_path: 'id',
      geometry_path: 'place',
      centroid_path: 'place',
      timestamp_path: 'seen',
    })
  })
  afterAll(() => server?.stop())

  test('OWSLib reads collections, queryables and features', async () => {
    expect(await runPython(OWSLIB, server.base)).toEqual({
      collections: ['things'],
      queryables: ['id', 'kind', 'n', 'place', 'seen'],
      title: 'things',
      classes: true,
      returned: 7,
      inside: true,
      one: 7,
    })
  })

  test('GDAL reads all pages, and sends filters', async () => {
    const inBox = Array.from({ length: COUNT }, (_, i) => i).filter(
      (i) => Math.abs((i % 360) - 179.5) <= 10 && Math.abs((i % 100) - 49.5) <= 10,
    )
    expect(await runPython(GDAL, server.base)).toEqual({
      layers: ['things'],
      fields: expect.arrayContaining(['kind', 'n', 'seen']),
      count: COUNT,
      distinct: COUNT,
      boxed: inBox.length,
      filtered: 20,
      kinds: ['rare'],
    })
  })
})
