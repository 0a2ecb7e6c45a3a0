import { afterAll, beforeAll, expect, it } from 'vitest'
import { edge, mapping } from '../conformance/dataset.ts'
import { loadEdge, loadSample } from '../conformance/fixtures.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { must } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { checkShapefiles, compareShapefiles } from './check-shapefiles.ts'
import { checkTables, type Searched } from './check-tables.ts'
import { type Downloads, makeDownloads } from './downloads.ts'
import { type Feature, leavesOf, shapesOf } from './expected-cells.ts'
import { readWithGdal } from './gdal.ts'
import { readParquet } from './parquet.ts'
import { describeWithReaders } from './readers.ts'

/** Fields the collection hides, and its own geometry, which is no column. */
const sampleLeaves = leavesOf(mapping).filter(({ path }) => path !== 'params.city' && path !== 'geo_params.geometry')
const edgeLeaves = leavesOf(edge.mapping).filter(({ path }) => path !== 'place.shape')

describeWithReaders('files as GDAL, DuckDB and shpjs read them', () => {
  let server: RunningServer
  let downloads: Downloads
  const sample = (query: string): Searched => ({
    base: server.base,
    collection: 'geodata',
    query: `sort=id&${query}`,
    downloads,
    leaves: sampleLeaves,
    shapes: shapesOf(mapping),
  })
  const awkward = (query: string): Searched => ({
    ...sample(query),
    collection: 'edge',
    leaves: edgeLeaves,
    shapes: shapesOf(edge.mapping),
  })

  beforeAll(async () => {
    server = await startEmbeddedServer()
    downloads = await makeDownloads()
    await loadSample(server.base)
    await loadEdge(server.base, 'edge')
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  it.each([
    ['all 595 documents', ''],
    ['a selection', 'f=params.job:eq:Architect&f=params.age:gt:300'],
    ['one document', 'f=id:eq:ID__10_20DI'],
    ['none', 'f=params.job:eq:UnknownJob'],
  ])('tables of the sample: %s', (_, query) => checkTables(sample(query)))

  it('tables of awkward values', () => checkTables(awkward('')))

  it('tables of a projection have its columns', () =>
    checkTables({
      ...sample('include=params.*&exclude=params.job'),
      // The paths of the collection are always there.
      leaves: sampleLeaves.filter(
        ({ path }) =>
          ['id', 'geo_params.centroid'].includes(path) || (path.startsWith('params.') && path !== 'params.job'),
      ),
    }))

  it.each([
    ['all 595 documents', ''],
    ['one document', 'f=id:eq:ID__10_20DI'],
    ['two geometries of each', 'returned_geometries=geo_params.geometry,geo_params.centroid&f=params.job:eq:Coach'],
    ['none', 'f=params.job:eq:UnknownJob'],
  ])('shapefiles of the sample: %s', (_, query) => checkShapefiles(sample(query)))

  it('shapefiles of awkward values', () => checkShapefiles(awkward('')))

  it('shapefiles of buckets', async () => {
    const query = 'agg=geohash:geo_params.centroid:interval-1:collect_field-params.startdate:collect_fct-sum'
    const path = await downloads.fetch(`${server.base}/explore/geodata/_shapeaggregate?${query}`, 'buckets.zip')
    const answer = await must(server.base, { path: `/explore/geodata/_geoaggregate?${query}&flat=true` })
    const { features } = answer as { readonly features: readonly Feature[] }
    expect(features).toHaveLength(32)
    await compareShapefiles(path, 'geodata', features)
  })

  it('documents without geometry stay in tables of a search', async () => {
    const address = `${server.base}/explore/edge/_search?sort=id`
    const [csv] = await readWithGdal(await downloads.fetch(`${address}&format=csv`, 'all.csv'))
    expect(csv?.features.map(({ properties }) => properties.id)).toHaveLength(10)
    expect(csv?.features.find(({ properties }) => properties.id === 'g8')?.geometry).toBeNull()
    const parquet = await readParquet(await downloads.fetch(`${address}&format=geoparquet`, 'all.parquet'))
    expect(parquet.features.filter(({ geometry }) => geometry === null)).toHaveLength(1)
    // FlatGeobuf has no place for them.
    const [flat] = await readWithGdal(await downloads.fetch(`${address}&format=flatgeobuf`, 'all.fgb'))
    expect(flat?.count).toBe(9)
  })
})
