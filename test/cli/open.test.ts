import { mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

const ROWS = 3_000

/** Most values are missing sometimes; identifiers are numbers; names repeat; times are before and after 1970. */
const POINTS = `SELECT i AS id,
  CASE WHEN i % 11 <> 0 THEN 'kind-' || (i % 7) END AS kind,
  CASE WHEN i % 13 <> 0 THEN (i * 37 % 1000) / 8.0 END AS mag,
  i % 2 = 0 AS even,
  ['t' || (i % 3), 't' || (i % 5)] AS tags,
  {'city': 'c' || (i % 20), 'floor': i % 4} AS address,
  TIMESTAMP '1960-01-01' + INTERVAL (i * 7) HOUR AS time,
  DATE '2020-01-01' + (i % 400)::INTEGER AS day,
  (i * 7919 % 36000) / 100.0 - 180 AS lon,
  (i * 104729 % 17000) / 100.0 - 85 AS lat
  FROM range(${ROWS}) r(i)`

/** Areas without an identifier, in two files. */
const areas = (first: number): string => `SELECT 'area ' || (i % 4) AS name, i / 2.0 AS size,
  TIMESTAMP '2024-01-01' + INTERVAL (i) DAY AS time,
  ('POLYGON((' || i || ' 0,' || (i + 2) || ' 0,' || (i + 2) || ' 3,' || i || ' 0))')::GEOMETRY AS geometry
  FROM range(${first}, ${first + 20}) r(i)`

async function writeFiles(place: Workplace): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  mkdirSync(place.path('areas'))
  const files: readonly (readonly [string, string])[] = [
    ['points.parquet', POINTS],
    ['areas/a.parquet', areas(0)],
    ['areas/b.parquet', areas(20)],
  ]
  for (const [file, sql] of files) {
    await connection.run(`COPY (${sql}) TO '${place.path(file)}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
  }
  // A time that the test can restore exactly.
  utimesSync(place.path('points.parquet'), 1_700_000_000, 1_700_000_000)
  connection.closeSync()
  instance.closeSync()
}

const QUESTIONS = [
  '_count',
  '_count?f=kind:eq:kind-3&f=mag:gte:20',
  '_count?f=tags:eq:t1',
  '_count?f=address.city:like:c1',
  '_count?f=centroid:within:-20,-20,40,50',
  '_count?f=centroid:intersects:POLYGON((0 0,60 0,60 40,0 0))',
  '_count?f=time:range:[-200000000000<0]',
  '_search?sort=-time&size=20',
  '_search?sort=mag,id&from=700&size=7&include=id,mag,address.*',
  '_search?f=kind:ne:kind-2&sort=id&size=5&after=1500',
  '_geosearch?f=centroid:within:0,0,30,30&sort=id&size=50',
  '_aggregate?agg=term:kind:size-5:collect_field-mag:collect_fct-avg',
  '_aggregate?agg=term:tags:size-5&agg=term:address.floor:size-4',
  '_aggregate?agg=datehistogram:time:interval-90day:collect_field-mag:collect_fct-max',
  '_geoaggregate?agg=geotile:centroid:interval-4',
  '_geoaggregate?agg=geohash:centroid:interval-2:fetch_hits-2(id,-mag)',
  '_compute?field=mag&metric=avg',
  '_suggest?q=kind-&field=kind',
  '_tile/1/1/0.png',
] as const

const SMALL_QUESTIONS = [
  '_search?sort=row&size=100',
  '_count?f=geometry:intersects:5,1,9,2',
  '_count?f=geometry:within:3,-1,12,4',
  '_geoaggregate?agg=geotile:geometry:interval-5',
  '_aggregate?agg=term:name',
] as const

describe('opened files', () => {
  let place: Workplace
  let server: RunningServer
  beforeAll(async () => {
    place = makeWorkplace()
    await writeFiles(place)
    for (const [path, name] of [
      ['points.parquet', 'points'],
      ['areas', 'areas'],
    ] as const) {
      const opened = await place.run(['open', path])
      expect(opened.stderr).toContain(`as index ${name} in`)
      expect(opened.code).toBe(0)
      const loaded = await place.run(['load', path, '--index', `${name}-loaded`, '--collection', `${name}-loaded`])
      expect(loaded.code).toBe(0)
    }
    server = await place.serve()
  })
  afterAll(async () => {
    await server?.stop()
    place?.remove()
  })

  const answer = async (path: string, init?: RequestInit): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${server.url}${path}`, init)
    return { status: response.status, text: await response.text() }
  }

  /** Names of the collection and times of the answer differ. */
  const comparable = (text: string): string =>
    text.replaceAll('-loaded', '').replace(/"(queryTime|totalTime|query_time|total_time)":\d+/g, '"$1":0')

  const both = async (name: string, question: string): Promise<readonly { status: number; text: string }[]> => {
    const answers = [await answer(`/explore/${name}/${question}`), await answer(`/explore/${name}-loaded/${question}`)]
    return answers.map(({ status, text }) => ({ status, text: comparable(text) }))
  }

  for (const question of QUESTIONS) {
    it(`answers like a loaded file: ${question}`, async () => {
      const [opened, loaded] = await both('points', question)
      expect(loaded?.status).toBe(200)
      expect(opened).toEqual(loaded)
    })
  }

  for (const question of SMALL_QUESTIONS) {
    it(`answers like a loaded folder: ${question}`, async () => {
      const [opened, loaded] = await both('areas', question)
      expect(loaded?.status).toBe(200)
      expect(opened).toEqual(loaded)
    })
  }

  it('returns single documents, exports and mappings like a loaded file', async () => {
    for (const question of ['17', '2999']) {
      const [opened, loaded] = await both('points', question)
      expect(loaded?.status).toBe(200)
      expect(opened).toEqual(loaded)
    }
    const sorted = ({ text }: { readonly text: string }): readonly string[] => text.trim().split('\n').sort()
    const [opened, loaded] = await both('points', '_search?format=geojsonl&size=10000')
    expect(sorted(loaded ?? { text: '' })).toHaveLength(ROWS)
    expect(sorted(opened ?? { text: '' })).toEqual(sorted(loaded ?? { text: '' }))
    const mapping = async (name: string): Promise<string> => (await answer(`/index/${name}/_mapping`)).text
    expect(await mapping('points')).toBe((await mapping('points-loaded')).replaceAll('-loaded', ''))
  })

  it('refuses to change documents', async () => {
    const document = { method: 'PUT', body: '{"id":1}', headers: { 'content-type': 'application/json' } }
    const refused = { status: 409, text: expect.stringContaining('"error":"INDEX_READ_ONLY"') }
    expect(await answer('/index/points/_doc/1', document)).toEqual(refused)
    expect(await answer('/index/points/_doc/1', { method: 'DELETE' })).toEqual(refused)
    expect(await answer('/index/points/_mapping', { ...document, body: '{"properties":{}}' })).toEqual(refused)
    const body = '{"index":{"_id":"1"}}\n{"id":1}\n{"delete":{"_id":"2"}}\n'
    const bulk = await answer('/index/points/_bulk', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(JSON.parse(bulk.text).items.map((item: object) => Object.values(item)[0].status)).toEqual([409, 409])
    const load = await place.run(['load', 'points.parquet', '--append'])
    expect([load.code, load.stderr]).toEqual([1, expect.stringContaining('shows opened files and is read-only')])
    const count = await answer('/explore/points/_count')
    expect(JSON.parse(count.text)).toMatchObject({ totalnb: ROWS })
  })

  it('refuses tags', async () => {
    const reference = JSON.parse((await answer('/collections/points')).text).params
    const json = { 'content-type': 'application/json' }
    const put = { method: 'PUT', headers: json, body: JSON.stringify({ ...reference, taggable_fields: 'labels' }) }
    expect((await answer('/collections/points', put)).status).toBe(200)
    const tag = { method: 'POST', headers: json, body: '{"search":{},"tag":{"path":"labels","value":"x"}}' }
    expect(await answer('/write/points/_tag', tag)).toEqual({
      status: 409,
      text: expect.stringContaining('"error":"INDEX_READ_ONLY"'),
    })
  })

  it('cannot be opened over HTTP or while a server runs', async () => {
    const opened = await place.run(['open', 'points.parquet', '--index', 'again', '--collection', 'again'])
    expect([opened.code, opened.stderr]).toEqual([1, expect.stringContaining('stop it, open the files')])
    const body = JSON.stringify({ mappings: { properties: {} }, opened: { files: [{ path: '/etc/passwd' }] } })
    const put = { method: 'PUT', headers: { 'content-type': 'application/json' }, body }
    expect((await answer('/index/sly', put)).text).not.toContain('passwd')
    expect((await answer('/index/sly/_count')).text).toContain('"count":0')
  })

  it('fails while a file is changed or missing, also with results that were kept', async () => {
    const changed = { status: 409, text: expect.stringContaining('"error":"OPENED_FILE_CHANGED"') }
    const file = place.path('points.parquet')
    const { atime, mtime, mtimeMs } = statSync(file)
    const paths = [
      '/explore/points/_count',
      '/explore/points/_search?size=1',
      '/explore/points/5',
      '/explore/points/_search?format=geojsonl',
    ]
    const before = await Promise.all(paths.slice(0, 3).map((path) => answer(path)))
    utimesSync(file, atime, new Date(mtimeMs + 5_000))
    for (const path of paths) expect(await answer(path)).toEqual(changed)
    renameSync(file, `${file}.moved`)
    for (const path of paths) expect(await answer(path)).toEqual(changed)
    expect((await answer('/explore/points/_count')).text).not.toContain(place.directory)
    renameSync(`${file}.moved`, file)
    utimesSync(file, atime, mtime)
    const after = await Promise.all(paths.slice(0, 3).map((path) => answer(path)))
    expect(after.map(({ text }) => comparable(text))).toEqual(before.map(({ text }) => comparable(text)))
  })

  it('stays open after a restart, and closes without touching the file', async () => {
    await server.stop()
    server = await place.serve()
    const [opened, loaded] = await both('areas', '_search?sort=row&size=100')
    expect(opened).toEqual(loaded)
    expect((await answer('/index/areas', { method: 'DELETE' })).status).toBe(200)
    expect((await answer('/explore/areas/_count')).status).toBe(404)
    expect(statSync(place.path('areas/a.parquet')).size).toBeGreaterThan(0)
  })

  it('replaces an index, and refuses files that cannot be opened', async () => {
    await server.stop()
    const again = await place.run(['open', 'points.parquet'])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('replace it with --replace')])
    expect((await place.run(['open', 'points.parquet', '--replace'])).code).toBe(0)
    expect((await place.run(['index', 'list'])).stdout).toMatch(new RegExp(`^points +${ROWS}$`, 'm'))
    writeFileSync(place.path('some.csv'), 'id,lat,lon\n1,2,3\n')
    const csv = await place.run(['open', 'some.csv'])
    expect([csv.code, csv.stderr]).toEqual([1, expect.stringContaining('some.csv cannot be opened in place')])
    server = await place.serve()
  })
})
