import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LoadAnswer } from '../../src/loading/load-report.ts'
import { type EmbeddedServer, startEmbeddedServerIn } from '../support/embedded-server.ts'
import { PATIENT } from '../support/patience.ts'
import { type GuardedServer, startGuardedServer } from './access/guarded-server.ts'

const CSV = 'iata,name,lat,lon\nCDG,Paris,49.01,2.55\nJFK,New York,40.64,-73.78\n'
const LARGEST = 400_000

let server: EmbeddedServer
let directory = ''
const uploads = (): readonly string[] => readdirSync(path.join(directory, 'uploads'))

async function start(): Promise<void> {
  server = await startEmbeddedServerIn(directory, {
    'limits.loadBytes': String(LARGEST),
    'limits.loadUnpackedBytes': '2000000',
    'limits.loads': '1',
  })
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-load-test-'))
  await start()
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

type Report = LoadAnswer
interface Refusal {
  readonly error: string
  readonly message: string
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Report & Refusal
}

async function post(
  query: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${server.base}/load?${query}`, { method: 'POST', body, headers })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Report & Refusal }
}
const statusOf = async (route: string): Promise<number> => (await fetch(`${server.base}${route}`)).status
const count = async (collection: string): Promise<unknown> =>
  ((await (await fetch(`${server.base}/explore/${collection}/_count`)).json()) as { totalnb: number }).totalnb

describe('POST /load', () => {
  it('removes what a killed server left behind, with the index it did not complete', async () => {
    expect((await post('name=left', CSV)).status).toBe(200)
    await server.close()
    // no process has this number
    mkdirSync(path.join(directory, 'uploads', '4194999-left'))
    writeFileSync(path.join(directory, 'uploads', '4194999-left.index'), 'left')
    // another process, which is running
    mkdirSync(path.join(directory, 'uploads', `${process.ppid}-running`))
    await start()
    await vi.waitFor(() => expect(uploads()).toEqual([`${process.ppid}-running`]), PATIENT)
    expect(await statusOf('/index/left')).toBe(404)
    rmSync(path.join(directory, 'uploads', `${process.ppid}-running`), { recursive: true })
  })

  it('loads the body and says what was assumed', async () => {
    const { status, body } = await post('name=airports&file=a.csv', CSV)
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        index: 'airports',
        collection: 'airports',
        loaded: { created: 2, replaced: 0, rejected: 0 },
        rejects: [],
        notes: expect.arrayContaining(['Reading a.csv as csv.', 'Identifier: iata.', 'Place: lon and lat.']),
      }),
    ])
    expect(body.plan).toMatchObject({
      files: [{ name: 'a.csv', format: 'csv' }],
      paths: { id: 'iata', timestamp: 'loaded_at' },
      place: { kind: 'columns', lon: 'lon', lat: 'lat' },
    })
    expect(await count('airports')).toBe(2)
    expect(uploads()).toEqual([])
  })

  it('is named after the file, which curl -T puts at the end of the path', async () => {
    const put = await fetch(`${server.base}/load/Big%20towns.csv?idPath=iata`, { method: 'PUT', body: CSV })
    expect(((await put.json()) as Report).index).toBe('big-towns')
    const named = { 'content-disposition': 'attachment; filename="ports.csv"', 'content-type': 'text/csv' }
    expect((await post('', CSV, named)).body.index).toBe('ports')
    const packed = { 'content-encoding': 'gzip', 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post('name=packed', gzipSync(CSV), packed)).body.loaded?.created).toBe(2)
  })

  it('decides nothing about an index that exists, unless told to', async () => {
    await post('name=twice', CSV)
    const again = await post('name=twice', CSV)
    expect([again.status, again.body.error]).toEqual([409, 'CONFLICT'])
    expect(again.body.message).toBe(
      'Index twice exists with 2 documents: add to it with append=true, replace it with replace=true, or choose another name with name',
    )
    expect((await post('name=twice&append=true', CSV)).body.loaded).toEqual({ created: 0, replaced: 2, rejected: 0 })
    const other = CSV.replace('CDG', 'ORY')
    expect((await post('name=twice&append=true', other)).body.loaded).toEqual({ created: 1, replaced: 1, rejected: 0 })
    expect(await count('twice')).toBe(3)
    expect((await post('name=twice&replace=true', CSV)).body.loaded?.created).toBe(2)
    expect(await count('twice')).toBe(2)
  })

  it('does nothing in a dry run', async () => {
    const { status, body } = await post('name=dry&dryRun=true', CSV)
    expect([status, body.loaded, body.plan.paths.id]).toEqual([200, undefined, 'iata'])
    expect(body.plan.columns).toContainEqual({ path: 'name', type: expect.any(String), example: 'Paris' })
    expect([await statusOf('/index/dry'), await statusOf('/collections/dry')]).toEqual([404, 404])
  })

  it('reports rejected rows', async () => {
    const { body } = await post(
      'name=some',
      `${CSV}LHR,London,51.5,0\nORY,Paris,48.7,2.4\nX,Nowhere,91.5,0\nY,Nowhere,abc,0\n`,
    )
    expect(body.loaded).toEqual({ created: 4, replaced: 0, rejected: 2 })
    expect(body.rejects.map(({ line }) => line)).toEqual([6, 7])
    expect(body.rejects[0]?.text).toContain('Nowhere')
  })

  it('streams progress when asked, with the report as the last line', async () => {
    const answer = await fetch(`${server.base}/load?name=lines`, {
      method: 'POST',
      body: CSV,
      headers: { accept: 'application/x-ndjson' },
    })
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.find(({ type }) => type === 'progress')).toMatchObject({ size: CSV.length })
    expect(lines.at(-1)).toMatchObject({ type: 'report', index: 'lines', loaded: { created: 2 } })
    const late = `id,lat,lon\n${Array.from({ length: 3 }, () => ',1,2').join('\n')}\n`
    const refused = await post('name=late&idPath=nothing', late, { accept: 'application/x-ndjson' })
    expect([refused.status, refused.body.error]).toEqual([400, 'INVALID_FILE'])
  })
})

describe('a file that cannot be loaded', () => {
  const cases: readonly (readonly [
    name: string,
    query: string,
    body: string | Uint8Array<ArrayBuffer>,
    status: number,
    code: string,
    text: string,
  ])[] = [
    ['an empty body', '', '', 400, 'INVALID_FILE', 'upload is empty'],
    [
      'an image',
      'file=a.tif',
      new Uint8Array([0x49, 0x49, 42, 0, 8, 0, 0, 0]),
      400,
      'INVALID_FILE',
      'a.tif cannot be loaded: this is',
    ],
    [
      'no place',
      '',
      'id,name\n1,a\n',
      400,
      'INVALID_FILE',
      'state two columns with lon and lat, a field with geometryPath, or load without a collection (collection=false)',
    ],
    [
      'a damaged archive',
      'file=a.zip',
      new Uint8Array(Buffer.from('PK\u0003\u0004 nothing', 'latin1')),
      400,
      'INVALID_FILE',
      'a.zip is a damaged zip archive',
    ],
    ['a damaged Parquet file', '', 'PAR1 but nothing else', 400, 'INVALID_FILE', 'is not a Parquet file'],
    ['a damaged FlatGeobuf file', '', 'fgb\u0003fgb\u0000xxxxxxxxxxxxxxxx', 400, 'INVALID_FILE', ''],
    [
      'coordinates in metres',
      '',
      'id,lat,lon\n1,5000000,400000\n',
      400,
      'INVALID_FILE',
      'with crs, for example crs=EPSG:27700',
    ],
    ['a name no index can have', 'name=A%20B', CSV, 400, 'INVALID_PARAMETER', 'name must be'],
    ['a pattern as name', 'name=*', CSV, 400, 'INVALID_PARAMETER', 'name must be'],
    ['an unknown format', 'format=xyz', CSV, 400, 'INVALID_PARAMETER', 'must be one of ndjson'],
    ['half of a place', 'lon=lon', CSV, 400, 'INVALID_PARAMETER', 'is required with lon'],
    ['append and replace', 'append=true&replace=true', CSV, 400, 'INVALID_PARAMETER', 'cannot be combined'],
    ['too large', '', 'x'.repeat(LARGEST + 1), 413, 'BODY_TOO_LARGE', 'limits.loadBytes'],
    [
      'too large when unpacked',
      'file=a.csv',
      gzipSync(`id,lat,lon\n${'a'.repeat(3_000_000)}`),
      400,
      'INVALID_FILE',
      'unpacks to more than 2000000 bytes',
    ],
  ]
  beforeEach(async () => {
    await fetch(`${server.base}/index/upload`, { method: 'DELETE' })
  })
  it.each(cases)('%s', async (_name, query, content, status, code, text) => {
    const before = await (await fetch(`${server.base}/index/_cat/indices?format=json`)).json()
    const { status: got, body } = await post(query, content)
    expect([got, body.error, body.message]).toEqual([status, code, expect.stringContaining(text)])
    expect(body.message).not.toMatch(/--|uploads/)
    expect(await (await fetch(`${server.base}/index/_cat/indices?format=json`)).json()).toEqual(before)
    expect(uploads()).toEqual([])
  })

  it('is refused as a form', async () => {
    const form = new FormData()
    form.set('file', new Blob([CSV]), 'a.csv')
    const answer = await fetch(`${server.base}/load`, { method: 'POST', body: form })
    expect([answer.status, ((await answer.json()) as Refusal).message]).toEqual([
      415,
      expect.stringContaining('send the file itself as the body'),
    ])
  })

  it('leaves nothing when the client leaves, and does not block others for good', async () => {
    const unfinished = httpRequest(`${server.base}/load?name=left`, { method: 'POST' })
    unfinished.on('error', () => undefined)
    unfinished.write(CSV)
    await vi.waitFor(() => expect(uploads()).toHaveLength(1), PATIENT)
    const second = await post('name=second', CSV)
    expect([second.status, second.body.error, second.headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY_REQUESTS',
      '5',
    ])
    unfinished.destroy()
    await vi.waitFor(() => expect(uploads()).toEqual([]), PATIENT)
    expect(await statusOf('/index/left')).toBe(404)
    await vi.waitFor(async () => expect((await post('name=second', CSV)).status).toBe(200), PATIENT)
  })
})

describe('rights', () => {
  let guarded: GuardedServer
  beforeAll(async () => {
    guarded = await startGuardedServer({ 'auth.modes': 'apikey' })
  })
  afterAll(() => guarded.stop())

  it('are those to write the index and to register the collection', async () => {
    const load = async (key: string | undefined, query: string): Promise<number> => {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      return (await fetch(`${guarded.base}/load?${query}`, { method: 'POST', body: CSV, headers })).status
    }
    const writing = ['rule:index/trips:PUT', 'rule:index/trips/_bulk:POST']
    const writer = guarded.addKey({ permissions: writing })
    const builder = guarded.addKey({ permissions: [...writing, 'rule:collections/trips:PUT'] })
    const loader = guarded.addKey({ permissions: ['rule:load:POST'] })
    const user = guarded.addKey({ roles: ['role/arlas/builder'] })
    expect(await load(undefined, 'name=trips')).toBe(401)
    expect(await load(loader, 'name=trips')).toBe(403)
    expect(await load(user, 'name=trips&dryRun=true')).toBe(403)
    expect(await load(writer, 'name=trips')).toBe(403)
    expect(await load(writer, 'name=other&collection=false')).toBe(403)
    expect(await load(writer, 'name=trips&collection=false')).toBe(200)
    expect(await load(builder, 'name=trips&append=true')).toBe(200)
    expect(await load(builder, 'name=trips&replace=true')).toBe(403)
    expect(await load(guarded.addKey({ roles: ['role/periplus/admin'] }), 'name=trips&replace=true')).toBe(200)
    const narrow = guarded.addKey({ roles: ['role/periplus/admin'], permissions: ['header:column-filter:iata'] })
    expect(await load(narrow, 'name=narrow')).toBe(403)
  })
})
