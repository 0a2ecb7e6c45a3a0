import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanOptions } from '../../src/ingest/plan/load-plan.ts'
import { makeWorkplace, type RunningServer, type Workplace } from '../cli/periplus.ts'
import { extentOf, fileOf, readAll } from './read-all.ts'

interface Expected {
  readonly name: string
  readonly format: string
  readonly count: number
  /** West, south, east, north of the centroids, with three decimals. */
  readonly extent: readonly number[]
  readonly id: string
  readonly timestamp: string
  readonly options?: PlanOptions
}

const three = [-77.043, -12.046, 10.752, 59.914]
const places = { count: 3, extent: three, id: 'code', timestamp: 'founded' }
const seen = { ...places, timestamp: 'seen' }
const island = { count: 1, extent: [12.475, 4.484, 12.475, 4.484], id: 'id', timestamp: 'day' }

/** Files written by GDAL, pandas, pyarrow and openpyxl: see make-files.py. */
const files: readonly Expected[] = [
  { name: 'pandas.parquet', format: 'parquet', ...places },
  { name: 'lz4.feather', format: 'arrow', ...places },
  { name: 'zstd.feather', format: 'arrow', ...places },
  { name: 'stream.arrow', format: 'arrow', ...places },
  {
    name: 'linked-blocks.feather',
    format: 'arrow',
    count: 5_000,
    extent: [10, 50, 10, 50],
    id: 'code',
    timestamp: 'loaded_at',
  },
  { name: 'pandas.csv', format: 'csv', ...seen },
  { name: 'zoned.csv', format: 'csv', ...seen },
  { name: 'packed.csv.gz', format: 'csv', ...seen },
  { name: 'packed.csv.zst', format: 'csv', ...seen },
  { name: 'two-files.zip', format: 'csv', count: 2, extent: [1, 2, 3, 4], id: 'id', timestamp: 'when' },
  { name: 'excel.xlsx', format: 'xlsx', count: 2, extent: [5.33, 59.91, 10.75, 60.39], id: 'row', timestamp: 'Seen' },
  { name: 'mercator.geojson', format: 'geojson', ...places },
  { name: 'sequence.geojsons', format: 'geojsonl', ...places },
  { name: 'lambert.gpkg', format: 'geopackage', ...places, id: 'fid' },
  { name: 'lambert.gpkg', format: 'geopackage', ...places, id: 'fid', options: { layer: 'second' } },
  { name: 'islands.gpkg', format: 'geopackage', ...island },
  { name: 'islands', format: 'shapefile', ...island },
  { name: 'latin1-shapefile.zip', format: 'shapefile', ...places },
  { name: 'british-shapefile.zip', format: 'shapefile', ...places, count: 2, extent: [8.54, 47.377, 10.75, 59.914] },
  { name: 'degrees.fgb', format: 'flatgeobuf', ...places },
  { name: 'utm.fgb', format: 'flatgeobuf', ...places, count: 2, extent: [8.542, 47.377, 10.752, 59.914] },
  { name: 'placemarks.kml', format: 'kml', ...places },
  { name: 'placemarks.kmz', format: 'kml', ...places },
  { name: 'waypoints.gpx', format: 'gpx', ...places, id: 'row', timestamp: 'loaded_at' },
]

describe('files of other programs', () => {
  it.each(files)('$name $options', async ({ name, format, count, extent, id, timestamp, options }) => {
    const { plan, documents, rejected } = await readAll([fileOf(name)], options)
    expect(rejected).toEqual([])
    expect(plan.files.map((file) => file.format)).toContain(format)
    expect(documents).toHaveLength(count)
    const found = extentOf(documents)
    for (const [at, value] of extent.entries()) expect(Math.abs((found[at] ?? Number.NaN) - value)).toBeLessThan(0.004)
    expect(plan.paths).toMatchObject({ id, timestamp })
    if (extent === three) {
      const zurich = documents.find((document) => document.name === 'Zürich')
      expect(zurich).toMatchObject({ centroid: expect.stringMatching(/^47\.37(69|689)\d*,8\.54(17|169)\d*$/) })
    }
  })

  it('keeps holes and parts of polygons', async () => {
    const { documents } = await readAll([fileOf('islands')])
    expect(documents[0]?.geometry).toMatchObject({
      type: 'MultiPolygon',
      coordinates: [[{ length: 5 }, { length: 5 }], [{ length: 4 }]],
    })
  })

  it('reads every value of compressed columns', async () => {
    const { documents } = await readAll([fileOf('linked-blocks.feather')])
    expect(documents.map(({ n }) => n)).toEqual(Array.from({ length: 5_000 }, (_, n) => n))
    expect(documents.at(-1)).toMatchObject({ code: 'c4999', lon: 10, lat: 50 })
  })

  it('reads a pattern as one set of documents', async () => {
    const { documents, title } = await readAll([fileOf('packed.csv.*')])
    expect([documents.length, title]).toEqual([6, 'packed'])
    expect(new Set(documents.map(({ row }) => row)).size).toBe(6)
  })

  it('says what an image is', async () => {
    await expect(readAll([fileOf('image.tif')])).rejects.toThrow('this is a TIFF or GeoTIFF image: images are not')
  })
})

describe('one command', () => {
  let place: Workplace
  let server: RunningServer
  beforeAll(async () => {
    place = makeWorkplace()
    server = await place.serve()
  })
  afterAll(async () => {
    await server.stop()
    place.remove()
  })

  it.each(files.filter(({ options }) => options === undefined))(
    'loads $name without options',
    async ({ name, count }) => {
      const collection = name.replace('.', '-').toLowerCase()
      const loaded = await place.run(['load', fileOf(name), '--index', collection, '--collection', collection])
      expect(loaded.stderr).toContain(`open ${server.url}/#/${collection}`)
      expect(loaded.code).toBe(0)
      const everywhere = 'f=centroid:within:-180,-90,180,90'
      const counted = await (await fetch(`${server.url}/explore/${collection}/_count?${everywhere}`)).json()
      expect(counted).toMatchObject({ totalnb: count })
    },
  )

  it('refuses URLs the rules for outgoing requests forbid', async () => {
    const loaded = await place.run(['load', `${server.url}/data.csv`])
    expect(loaded.stderr).toContain('not allowed by the egress rules')
    expect(loaded.code).toBe(1)
  })

  it('loads a URL that is allowed', async () => {
    const { host } = new URL(server.url)
    await place.run(['load', fileOf('pandas.csv'), '--index', 'source', '--collection', 'source'])
    const url = `${server.url}/explore/source/_search?format=csv`
    const loaded = await place.run(['load', url, '--index', 'copy', '--set', `egress.allow=http://${host}`])
    expect(loaded.stderr).toContain('Loaded 3 documents into index copy')
    expect(loaded.code).toBe(0)
  })
})
