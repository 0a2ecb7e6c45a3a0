import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadEdge, loadSample } from '../conformance/fixtures.ts'
import { describeEach, engines } from '../support/engines.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { drawnDocuments, drawnMapping, drawnParams } from './drawn-documents.ts'

const everyFormat = (collection: string, formats: readonly string[]): readonly string[] =>
  formats.flatMap((format) => [
    `${collection}/_geosearch?sort=id&format=${format}`,
    `${collection}/_search?sort=id&size=7&from=2&format=${format}`,
  ])

/** Everything that is bytes: exports, pictures, vector tiles. */
const files = [
  // Tables have their columns in the order of the mapping, and a cluster keeps that sorted by name: so is the third one.
  ...['geodata', 'edge'].flatMap((collection) => everyFormat(collection, ['geojsonl', 'shapefile'])),
  ...everyFormat('sea', ['geojsonl', 'csv', 'geoparquet', 'flatgeobuf', 'shapefile']),
  'sea/_search?f=kind:eq:boat&sort=-at,id&size=100&format=csv',
  'geodata/_shapeaggregate?agg=geohash:geo_params.centroid:interval-2:collect_field-params.age:collect_fct-sum',
  ...['edge', 'sea'].flatMap((collection) =>
    ['0/0/0', '3/4/3', '3/5/4'].flatMap((place) => [
      `${collection}/_tile/${place}.png?sort=id`,
      `${collection}/_mvt/${place}.mvt?sort=id`,
    ]),
  ),
]

async function digests(base: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const path of files) {
    const response = await fetch(`${base}/explore/${path}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    found[path] = `${response.status} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`
  }
  return found
}

async function load(server: RunningServer): Promise<void> {
  await loadSample(server.base)
  await loadEdge(server.base, 'edge')
  const documents = drawnDocuments().filter((_, i) => i % 5 === 0)
  const lines = documents.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`)
  await createIndex(
    server.base,
    'sea',
    { ...drawnMapping, properties: byName(drawnMapping.properties) },
    lines.join(''),
  )
  await putCollection(server.base, 'sea', { index_name: 'sea', ...drawnParams })
}

const byName = (properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)))

const [embedded, ...others] = engines

describeEach(others)('files on the $name engine', ({ start }) => {
  const servers: RunningServer[] = []

  beforeAll(async () => {
    for (const begin of [embedded?.start, start]) {
      if (begin === undefined) continue
      const server = await begin()
      servers.push(server)
      await load(server)
      await server.arrange()
    }
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
  })

  it('are the same bytes as on the embedded one', async () => {
    const [ours = {}, theirs = {}] = await Promise.all(servers.map(({ base }) => digests(base)))
    expect(Object.values(ours).filter((line) => line.startsWith('200')).length).toBeGreaterThan(files.length - 4)
    expect(theirs).toEqual(ours)
  })
})
