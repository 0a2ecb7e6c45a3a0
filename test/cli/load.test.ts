import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

const feature = (id: string, lon: number, lat: number) => ({
  type: 'Feature',
  id,
  properties: { name: `Place ${id}`, date: `2024-05-0${id}` },
  geometry: { type: 'Point', coordinates: [lon, lat] },
})
const collection = { type: 'FeatureCollection', features: [feature('1', 2, 48), feature('2', 3, 49)] }
const csv = 'id,name,date,longitude,latitude\n1,a,2024-05-01,2.5,48.5\n2,b,2024-05-02,3.5,49.5\n'

async function askJson(url: string): Promise<unknown> {
  return (await fetch(url)).json()
}

// every command is a process that has to start first
describe('load into a data directory', () => {
  let place: Workplace
  beforeAll(() => {
    place = makeWorkplace()
  })
  afterAll(() => place.remove())

  it('loads GeoJSON, guesses the paths and registers the collection', async () => {
    writeFileSync(place.path('places.geojson'), JSON.stringify(collection, null, 2))
    const loaded = await place.run(['load', 'places.geojson'])
    expect(loaded.stderr).toContain('Identifier: id.\nPlace: geometry.\nTime: date.\n')
    expect(loaded.stderr).toContain('Loaded 2 documents into index places')
    expect(loaded.stderr).toContain(
      'start the server with "npx periplus serve" and open http://localhost:9999/#/places',
    )
    expect([loaded.code, loaded.stdout]).toEqual([0, ''])
    expect(JSON.parse((await place.run(['index', 'show', 'places'])).stdout).properties).toEqual({
      id: { type: 'keyword' },
      name: { type: 'keyword' },
      date: { type: 'date' },
      geometry: { type: 'geo_shape' },
      centroid: { type: 'geo_point' },
    })
    const listed = await place.run(['collections', 'list'])
    expect(listed.stdout).toMatch(/^places +places +id +geometry +centroid +date$/m)
  })

  it('replaces documents that have the same identifier', async () => {
    writeFileSync(place.path('again.geojson'), JSON.stringify(collection))
    const again = await place.run(['load', 'again.geojson', '--index', 'places'])
    expect(again.stderr).toContain('2 documents (2 of them replaced existing documents)')
    expect((await place.run(['index', 'list'])).stdout).toMatch(/^places +2$/m)
  })

  it('writes what it cannot load to a file, with line and reason', async () => {
    const lines = ['{"id":1,"n":1}', '{"id":2,"n":', '{"id":3,"n":3}', '{"id":4,"n":{"a":1}}']
    writeFileSync(place.path('bad.ndjson'), lines.join('\n'))
    const loaded = await place.run(['load', 'bad.ndjson', '--index', 'bad', '--mapping', mappingFile(place)])
    expect(loaded.code).toBe(3)
    expect(loaded.stderr).toContain('Rejected 2 documents: see bad.ndjson.rejects.ndjson for the reasons')
    const rejects = readFileSync(place.path('bad.ndjson.rejects.ndjson'), 'utf8').trim().split('\n')
    expect(rejects.map((line) => JSON.parse(line))).toEqual([
      { line: 2, reason: expect.stringContaining('is not JSON'), text: lines[1] },
      { line: 4, reason: expect.any(String), text: lines[3] },
    ])
  })
})

function mappingFile(place: Workplace): string {
  writeFileSync(
    place.path('numbers.json'),
    JSON.stringify({ properties: { id: { type: 'keyword' }, n: { type: 'long' } } }),
  )
  return 'numbers.json'
}

describe('load into a running server', () => {
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

  it('finds the server by its data directory', async () => {
    writeFileSync(place.path('places.geojson'), JSON.stringify(collection))
    const loaded = await place.run(['load', 'places.geojson', '--index', 'places', '--collection', 'places'])
    expect(loaded.stderr).toContain(`the server at ${server.url}`)
    expect(loaded.code).toBe(0)
    expect(await askJson(`${server.url}/explore/places/_count`)).toMatchObject({ totalnb: 2 })
  })

  it('reads standard input, and tells which documents the server refused', async () => {
    const lines = Array.from({ length: 12_000 }, (_, i) =>
      JSON.stringify({ id: `d${i}`, n: i === 11_999 ? { no: 1 } : i }),
    )
    const args = [
      'load',
      '-',
      '--index',
      'many',
      '--url',
      server.url,
      '--mapping',
      mappingFile(place),
      '--rejects',
      'r.txt',
    ]
    const loaded = await place.run(args, lines.join('\n'))
    expect(loaded.stderr).toContain('Loaded 11,999 documents into index many')
    expect(loaded.code).toBe(3)
    expect(JSON.parse(readFileSync(place.path('r.txt'), 'utf8'))).toMatchObject({ line: 12_000, text: lines.at(-1) })
    expect(await askJson(`${server.url}/index/many/_count`)).toMatchObject({ count: 11_999 })
  })

  it.each([
    ['cut', (n: number) => ({ id: n, n }), 'fix the cause and load again; existing documents are replaced'],
    ['cut-nameless', (n: number) => ({ n: n % 7 }), 'if you load the file again, these documents are duplicated'],
  ])('tells what is there of a file that ends too soon: %s', async (index, document, next) => {
    const lines = Array.from({ length: 40_000 }, (_, n) => JSON.stringify(document(n)))
    writeFileSync(place.path('whole.ndjson'), `${lines[0]}\n`)
    expect((await place.run(['load', 'whole.ndjson', '--index', index])).code).toBe(0)
    // from standard input the end is not known before the documents are written
    const loaded = await place.run(['load', '-', '--index', index], cutShort(lines))
    expect(loaded.code).toBe(1)
    const { count } = (await askJson(`${server.url}/index/${index}/_count`)) as { readonly count: number }
    expect(count).toBeGreaterThan(1)
    const written = index === 'cut' ? count : count - 1
    const documents = `${written.toLocaleString('en-US')} documents`
    expect(loaded.stderr).toContain(`Stopped after ${documents} were written to index ${index}: ${next}`)
  })

  it('finds the coordinates of a CSV with broken rows, and says what is wrong with those', async () => {
    const rows = [
      '1,2024-05-01,10,50',
      '2,2024-05-02,abc,50',
      '3,2024-05-03,11,95',
      '4,2024-05-04,12,51',
      '5,2024-05-05',
    ]
    writeFileSync(place.path('torn.csv'), `id,time,lon,lat\n${rows.join('\n')}\n6,2024-05-06,13,52\n`)
    const loaded = await place.run(['load', 'torn.csv', '--index', 'torn', '--collection', 'torn'])
    expect(loaded.stderr).toContain('Rejected 3 documents: see torn.csv.rejects.ndjson for the reasons')
    expect(loaded.code).toBe(3)
    const rejects = readFileSync(place.path('torn.csv.rejects.ndjson'), 'utf8').trim().split('\n')
    expect(rejects.map((line) => JSON.parse(line))).toMatchObject([
      { line: 3, reason: 'has the longitude abc, which is not between -180 and 180' },
      { line: 4, reason: 'has the latitude 95, which is not between -90 and 90' },
      { line: 6, reason: 'has 2 cells, but the header has 4' },
    ])
    expect(JSON.parse((await place.run(['index', 'show', 'torn'])).stdout).properties.lon).toEqual({ type: 'long' })
  })

  it('loads packed CSV with coordinates, and the same again under the mapping that is there', async () => {
    writeFileSync(place.path('rows.csv.gz'), gzipSync(csv))
    for (const _ of [1, 2]) {
      const loaded = await place.run(['load', 'rows.csv.gz', '--index', 'rows', '--collection', 'rows'])
      expect(loaded.stderr).toContain('Place: longitude and latitude.')
      expect(loaded.code).toBe(0)
    }
    const shown = await place.run(['index', 'show', 'rows'])
    expect(JSON.parse(shown.stdout).properties.centroid).toEqual({ type: 'geo_point' })
    expect((await place.run(['index', 'list'])).stdout).toMatch(/^rows +2$/m)
  })

  it('prints a mapping that can be corrected and given back', async () => {
    writeFileSync(place.path('m.csv'), csv)
    const dry = await place.run(['load', 'm.csv', '--index', 'm', '--dry-run'])
    const mapping = JSON.parse(dry.stdout)
    expect((await place.run(['index', 'show', 'm'])).code).toBe(1)
    mapping.properties.name = { type: 'text' }
    writeFileSync(place.path('m.json'), JSON.stringify(mapping))
    expect((await place.run(['load', 'm.csv', '--index', 'm', '--mapping', 'm.json'])).code).toBe(0)
    expect(JSON.parse((await place.run(['index', 'show', 'm'])).stdout).properties.name).toEqual({ type: 'text' })
  })

  it.each([
    [['load', 'missing.csv', '--index', 'x'], 1, 'The file missing.csv does not exist; check the path.'],
    [['load', 'm.csv', '--replace', '--append'], 2, 'Specify --replace or --append, not both.'],
    [['load', 'm.csv', '--index', 'x', '--format', 'xml'], 2, 'Allowed choices are'],
    [['load', 'empty.csv', '--index', 'x'], 1, 'empty.csv is empty.'],
    [['load', 'words.bin', '--index', 'x'], 1, 'The format of words.bin cannot be detected'],
    [['load', 'm.csv', '--index', 'Wrong'], 1, 'index name must be in lower case'],
    [['load', 'm.csv', '--index', 'x', '--lon', 'nope', '--lat', 'latitude'], 1, 'Field nope does not exist'],
    [['load', 'm.csv', '--index', 'x', '--lon', 'longitude'], 2, 'Specify both --lon and --lat.'],
    [
      ['load', 'm.csv', '--index', 'm', '--mapping', 'm.json'],
      1,
      'omit --mapping, or replace the index with --replace',
    ],
    [['load', 'nowhere.csv'], 1, 'No field has a place: state two columns with --lon and --lat'],
    [
      ['load', 'm.csv', '--index', 'x', '--timestamp-path', 'name'],
      1,
      'Field name is no date: it has values such as "a"',
    ],
    [['load', 'm.csv', '--index', 'x', '--url', 'http://127.0.0.1:9'], 1, 'No server responds at http://127.0.0.1:9'],
    [['load', 'm.csv', '--index', 'x', '--set', 'limits.nope=1'], 2, 'limits.nope is not a setting'],
    [['frobnicate'], 2, "unknown command 'frobnicate'"],
  ])('%j ends with %i', async (args, code, message) => {
    writeFileSync(place.path('empty.csv'), '')
    writeFileSync(place.path('words.bin'), 'hello')
    writeFileSync(place.path('nowhere.csv'), 'when,n\n2024-01-01,1\n')
    const failed = await place.run(args)
    expect(failed.stderr).toContain(message)
    expect(failed.stderr).not.toMatch(/\n {4}at /)
    expect(failed.code).toBe(code)
    expect((await fetch(`${server.url}/index/x/_count`)).status).toBe(404)
  })

  it('numbers the rows of a file that has no identifier, also of those that are added', async () => {
    writeFileSync(place.path('noid.csv'), 'when,lon,lat\n2024-01-01,1,2\n2024-01-02,3,4\n')
    const loaded = await place.run(['load', 'noid.csv'])
    expect(loaded.stderr).toContain('Identifier: row, the number of the row (no other field identifies a document).')
    expect(loaded.stderr).toContain(`open ${server.url}/#/noid`)
    const again = await place.run(['load', 'noid.csv'])
    expect(again.stderr).toContain(
      'Index noid exists with 2 documents: add to it with --append, replace it with --replace',
    )
    expect(again.code).toBe(1)
    expect((await place.run(['load', 'noid.csv', '--append'])).code).toBe(0)
    expect(await askJson(`${server.url}/explore/noid/_compute?field=row&metric=cardinality`)).toMatchObject({
      value: 4,
    })
    expect((await place.run(['load', 'noid.csv', '--replace'])).code).toBe(0)
    expect(await askJson(`${server.url}/explore/noid/_count`)).toMatchObject({ totalnb: 2 })
    expect(existsSync(place.path('noid.csv.rejects.ndjson'))).toBe(false)
  })

  it('leaves nothing behind when it fails', async () => {
    const lines = Array.from({ length: 40_000 }, (_, n) => JSON.stringify({ id: n, n }))
    const loaded = await place.run(['load', '-', '--index', 'half'], cutShort(lines))
    expect(loaded.stderr).toContain('Nothing is kept: index half is dropped.')
    expect(loaded.code).toBe(1)
    expect((await fetch(`${server.url}/index/half/_count`)).status).toBe(404)
  })
})

/** A JSON array that ends inside its last element. */
const cutShort = (lines: readonly string[]): string => `[${lines.join(',\n')},{"id":`
