import { afterAll, beforeAll, expect, it } from 'vitest'
import { collections } from '../conformance/dataset.ts'
import { loadSample } from '../conformance/fixtures.ts'
import { startTunedServer, type TunedServer } from '../http/tuned-server.ts'
import { call } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { type Downloads, makeDownloads } from './downloads.ts'
import { type Layer, readWithGdal } from './gdal.ts'
import { describeWithReaders } from './readers.ts'
import { filesOfZip } from './zip.ts'

describeWithReaders('shapefiles (spec 5 of files)', () => {
  let server: TunedServer
  let downloads: Downloads

  beforeAll(async () => {
    server = await startTunedServer({ 'limits.shapefileColumns': '20' })
    downloads = await makeDownloads()
    await loadSample(server.base)
    await putCollection(server.base, 'named.gridé', {
      ...collections.geodata,
      display_names: { shape_columns: { params_startdate: 'start', 'params.stopdate': 'params_sta', fullname: '' } },
    })
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  const zip = (path: string): Promise<string> => downloads.fetch(`${server.base}/explore/${path}`, 'shapes.zip')
  const layersOf = async (path: string): Promise<readonly Layer[]> => readWithGdal(`/vsizip/${await zip(path)}`)
  const mappingOf = async (path: string): Promise<readonly string[]> =>
    String((await filesOfZip(await zip(path))).get('column_mapping.txt'))
      .trimEnd()
      .split('\n')

  it('one document, its columns and their types', async () => {
    const [layer, ...others] = await layersOf('geodata/_shapesearch?f=id:eq:ID__10_20DI')
    expect(others).toEqual([])
    expect(layer).toMatchObject({ name: 'geodata_polygons', count: 1, geometryType: 'Polygon' })
    expect([...(layer?.fields ?? [])]).toEqual([
      ['id', 'String'],
      ['fullname', 'String'],
      ['geo_params', 'String'],
      ['geo_para_1', 'String'],
      ['params_age', 'Integer'],
      ['params_cou', 'String'],
      ['params_job', 'String'],
      ['params_sta', 'Integer'],
      ['params_sto', 'Integer'],
      ['text_searc', 'String'],
      ['feature_ty', 'String'],
      ['geometry_p', 'String'],
    ])
    expect(layer?.features[0]?.properties).toMatchObject({
      geo_params: '20,-10',
      geo_para_1: '26,-4',
      params_age: 200,
      params_cou: 'Andorra',
      params_job: 'Architect',
      params_sta: 1009800,
      params_sto: 1009900,
      feature_ty: 'hit',
    })
  })

  it('column_mapping.txt says what the columns stand for', async () => {
    const lines = await mappingOf('geodata/_shapesearch?f=id:eq:ID__10_20DI')
    expect(lines[0]).toBe('shapefile,column,property,type')
    expect(lines).toContain('geodata_polygons,params_sta,params_startdate,N')
    expect(lines).toHaveLength(13)
  })

  it('shape_columns give names, by flat name or path, before all others', async () => {
    const lines = await mappingOf(`${encodeURIComponent('named.gridé')}/_shapesearch?f=id:eq:ID__10_20DI`)
    const columnOf = (property: string): string | undefined => lines.find((line) => line.split(',')[2] === property)
    expect(columnOf('params_startdate')).toBe('named_grid__polygons,start,params_startdate,N')
    expect(columnOf('params_stopdate')).toBe('named_grid__polygons,params_sta,params_stopdate,N')
    expect(columnOf('fullname')).toBe('named_grid__polygons,column,fullname,C')
  })

  it('each kind of geometry has its shapefile', async () => {
    const query = 'returned_geometries=geo_params.geometry,geo_params.centroid&f=id:eq:ID__10_20DI'
    const layers = await layersOf(`geodata/_shapesearch?${query}`)
    expect(layers.map(({ name, count }) => [name, count])).toEqual([
      ['geodata_points', 1],
      ['geodata_polygons', 1],
    ])
  })

  it('buckets', async () => {
    const query = 'agg=geohash:geo_params.centroid:interval-1:collect_field-params.startdate:collect_fct-sum'
    const [layer] = await layersOf(`geodata/_shapeaggregate?${query}`)
    expect(layer).toMatchObject({ name: 'geodata_points', count: 32 })
    expect([...(layer?.fields.keys() ?? [])]).toEqual([
      'count',
      'geohash',
      'key',
      'key_as_str',
      'params_sta',
      'feature_ty',
      'geometry_r',
      'geometry_t',
    ])
    const bucket = layer?.features.find(({ properties }) => properties.geohash === 's')
    expect(bucket?.properties).toMatchObject({ count: 25, params_sta: 26010000 })
  })

  it('nothing found is a sentence', async () => {
    const files = await filesOfZip(await zip('geodata/_shapesearch?f=params.job:eq:UnknownJob'))
    expect([...files.keys()]).toEqual(['README.txt'])
    expect(String(files.get('README.txt'))).toMatch(/^\S.*no data.*\.\n?$/)
  })

  it('the bytes of the format', async () => {
    const files = await filesOfZip(await zip('geodata/_shapesearch?size=2&sort=id'))
    const of = (ending: string): Buffer => files.get(`geodata_polygons.${ending}`) ?? Buffer.alloc(0)
    expect(String(of('prj'))).toBe(
      'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],' +
        'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
    )
    expect(String(of('cpg'))).toBe('UTF-8')
    const shp = of('shp')
    expect([shp.readInt32BE(0), shp.readInt32BE(24) * 2, shp.readInt32LE(28), shp.readInt32LE(32)]).toEqual([
      9994,
      shp.length,
      1000,
      5,
    ])
    expect(shp.readInt32BE(100)).toBe(1)
    const second = 100 + 8 + shp.readInt32BE(104) * 2
    expect(shp.readInt32BE(second)).toBe(2)
    expect(of('shx').readInt32BE(108) * 2).toBe(second)
    // The first ring, clockwise: its area is below zero.
    const ring = Array.from({ length: 5 }, (_, i) => [shp.readDoubleLE(156 + i * 16), shp.readDoubleLE(164 + i * 16)])
    const area = ring.slice(1).reduce((sum, [x = 0, y = 0], i) => {
      const [px = 0, py = 0] = ring[i] ?? []
      return sum + px * y - x * py
    }, 0)
    expect(area).toBeLessThan(0)
    const dbf = of('dbf')
    const start = dbf.readUInt16LE(8)
    expect([dbf[0], dbf.readUInt32LE(4), dbf[29], dbf[start], dbf.at(-1)]).toEqual([0x03, 2, 0, 0x20, 0x1a])
    expect(dbf.length).toBe(start + 2 * dbf.readUInt16LE(10) + 1)
  })

  it('too many columns are refused, with advice', async () => {
    const fields = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${i}`, { type: 'integer' }]))
    const properties = { id: { type: 'keyword' }, at: { type: 'date' }, where: { type: 'geo_point' }, ...fields }
    const document = { id: 'a', at: 0, where: '1,2', ...Object.fromEntries(Object.keys(fields).map((f) => [f, 1])) }
    await createIndex(server.base, 'wide', { properties }, `{"index":{}}\n${JSON.stringify(document)}\n`)
    const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }
    await putCollection(server.base, 'wide', { index_name: 'wide', ...paths })
    const answer = await call(server.base, { path: '/explore/wide/_shapesearch' })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'LIMIT_EXCEEDED', message: expect.stringContaining('include') })
    expect((await call(server.base, { path: '/explore/wide/_shapesearch?include=f1,f2' })).status).toBe(200)
  })

  it('the download is named after the collection, and errors are JSON', async () => {
    const named = await fetch(`${server.base}/explore/${encodeURIComponent('named.gridé')}/_shapesearch`)
    await named.arrayBuffer()
    expect(named.headers.get('content-type')).toBe('application/zip')
    expect(named.headers.get('content-disposition')).toBe('attachment; filename="named_grid__shapesearch.zip"')
    const refused = await call(server.base, { path: '/explore/geodata/_shapesearch?size=0' })
    expect(refused).toMatchObject({ status: 400, headers: { 'content-type': expect.stringContaining('json') } })
  })
})
