import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { type Downloads, makeDownloads } from './downloads.ts'
import { type ReadFeature, readWithGdal } from './gdal.ts'
import { readParquet } from './parquet.ts'
import { describeWithReaders } from './readers.ts'

const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    wkt: { type: 'keyword' },
    geometry: { type: 'keyword' },
    geometry_: { type: 'keyword' },
    seen: { type: 'date' },
    x: { type: 'double' },
    where: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
  },
}

const PRECISE = [Math.PI * 10, -Math.E * 7] as const

const documents = [
  {
    id: 'names',
    wkt: 'a text',
    geometry: 'another',
    geometry_: 'a third',
    seen: 0,
    x: 0.1 + 0.2,
    shape: { type: 'Point', coordinates: PRECISE },
  },
  // Microseconds taken for milliseconds: the year 55840.
  { id: 'too late', seen: 1_700_000_000_000_000, shape: { type: 'Point', coordinates: [1, 2] } },
  { id: 'too early', seen: -100_000_000_000_000, shape: { type: 'Point', coordinates: [1, 2] } },
  { id: 'high', shape: 'LINESTRING Z (0 0 5, 1 1 6)' },
]

describeWithReaders('files of odd documents', () => {
  let server: RunningServer
  let downloads: Downloads

  beforeAll(async () => {
    server = await startEmbeddedServer()
    downloads = await makeDownloads()
    const lines = documents.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`)
    await createIndex(server.base, 'odd', mapping, lines.join(''))
    const paths = { id_path: 'id', geometry_path: 'shape', centroid_path: 'where', timestamp_path: 'seen' }
    await putCollection(server.base, 'odd', { index_name: 'odd', ...paths })
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  const file = (format: string, name: string): Promise<string> =>
    downloads.fetch(`${server.base}/explore/odd/_search?sort=id&format=${format}`, name)

  const readers: Readonly<Record<string, () => Promise<readonly ReadFeature[]>>> = {
    csv: async () =>
      (await readWithGdal(await file('csv', 'odd.csv'), { openOptions: ['KEEP_GEOM_COLUMNS=NO'] }))[0]?.features ?? [],
    flatgeobuf: async () => (await readWithGdal(await file('flatgeobuf', 'odd.fgb')))[0]?.features ?? [],
    geoparquet: async () => (await readParquet(await file('geoparquet', 'odd.parquet'))).features,
  }

  it.each(Object.entries(readers))('%s: every feature has its geometry, to the last digit', async (_, read) => {
    const features = await read()
    const geometryOf = (id: string) => features.find(({ properties }) => properties.id === id)?.geometry
    expect(features).toHaveLength(documents.length)
    expect(geometryOf('names')).toEqual({ type: 'Point', coordinates: PRECISE })
    expect(geometryOf('high')).toMatchObject({ type: 'LineString' })
  })

  it('fields that are called like the column of the geometry get another name', async () => {
    const [csv, parquet] = [await readers.csv?.(), await readers.geoparquet?.()]
    const named = (features: readonly ReadFeature[] | undefined) =>
      features?.find(({ properties }) => properties.id === 'names')?.properties
    expect(named(csv)).toMatchObject({ wkt_: 'a text', geometry: 'another', geometry_: 'a third' })
    expect(named(parquet)).toMatchObject({ wkt: 'a text', geometry__: 'another', geometry_: 'a third' })
  })

  it('dates whose years have more than four digits are left out where they cannot be told', async () => {
    const seen = (features: readonly ReadFeature[] | undefined) =>
      Object.fromEntries((features ?? []).map(({ properties }) => [properties.id, properties.seen]))
    expect(seen(await readers.flatgeobuf?.())).toEqual({ names: '1970-01-01T00:00:00Z' })
    expect(seen(await readers.csv?.())).toMatchObject({
      'too late': '1700000000000000',
      'too early': '-100000000000000',
    })
    expect(seen(await readers.geoparquet?.())).toMatchObject({ 'too late': new Date(1_700_000_000_000_000) })
  })

  it('doubles are exact where they are not texts', async () => {
    const features = await readers.geoparquet?.()
    expect(features?.find(({ properties }) => properties.id === 'names')?.properties.x).toBe(0.1 + 0.2)
  })
})
