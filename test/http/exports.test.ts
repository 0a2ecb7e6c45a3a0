import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import shp from 'shpjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { PATIENT } from '../support/patience.ts'
import type { RunningServer } from '../support/running-server.ts'

const COUNT = 25

const mapping = {
  properties: { id: { type: 'keyword' }, at: { type: 'date' }, place: { type: 'geo_point' }, n: { type: 'integer' } },
}
const params = {
  index_name: 'many',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'at',
}

let server: RunningServer
/** Directories other processes made do not count. */
const spooled = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('periplus-shapefile-'))
let before: ReadonlySet<string>

beforeAll(async () => {
  server = await startEmbeddedServer()
  const lines = Array.from({ length: COUNT }, (_, n) => ({ id: `d${n}`, at: n, place: `${n},${n}`, n }))
  const bulk = lines.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`).join('')
  await createIndex(server.base, 'many', mapping, bulk)
  await putCollection(server.base, 'many', params)
  before = new Set(spooled())
})

afterAll(() => server.stop())

const get = (path: string, options: RequestInit = {}): Promise<Response> =>
  fetch(`${server.base}/explore/many/${path}`, options)

async function featuresOf(answer: Response) {
  return [await shp(await answer.arrayBuffer())].flat().flatMap(({ features }) => features)
}

describe('a zip of shapefiles', () => {
  it('is a page of _shapesearch, and all of an export', async () => {
    expect(await featuresOf(await get('_shapesearch'))).toHaveLength(10)
    const whole = await get('_search?format=shapefile')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="many.zip"')
    expect(await featuresOf(whole)).toHaveLength(COUNT)
    const page = await get('_geosearch?sort=-n,id&size=2', { headers: { accept: 'application/zip' } })
    expect((await featuresOf(page)).map(({ properties }) => properties.n)).toEqual([24, 23])
  })

  it('is the same bytes for the same question, and not sent twice', async () => {
    const first = await get('_shapesearch?sort=id')
    const second = await get('_shapesearch?sort=id')
    expect(Buffer.from(await first.arrayBuffer()).equals(Buffer.from(await second.arrayBuffer()))).toBe(true)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]+"$/)
    expect((await get('_shapesearch?sort=id', { headers: { 'if-none-match': tag } })).status).toBe(304)
    const other = await get('_shapesearch?sort=-id', { headers: { 'if-none-match': tag } })
    expect(other.status).toBe(200)
    await other.arrayBuffer()
    const head = await get('_shapesearch?sort=id', { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, tag])
  })

  it('leaves no file behind', async () => {
    await vi.waitFor(() => expect(spooled().filter((name) => !before.has(name))).toEqual([]), PATIENT)
  })
})

it('a file can be asked about without being made', async () => {
  const head = await get('_search?format=csv', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), head.headers.get('content-disposition')]).toEqual([
    200,
    'text/csv',
    'attachment; filename="many.csv"',
  ])
})

it('the search description goes by its own type for whoever asks for it', async () => {
  const address = `${server.base}/explore/ogc/opensearch/many`
  const own = 'application/opensearchdescription+xml'
  const [plain, asked] = await Promise.all([fetch(address), fetch(address, { headers: { accept: own } })])
  expect(plain.headers.get('content-type')).toBe('application/xml;charset=utf-8')
  expect(asked.headers.get('content-type')).toBe(`${own};charset=utf-8`)
})

describe('a CSV for spreadsheets', () => {
  const cells = async (query: string, options: RequestInit = {}): Promise<string> => {
    const answer = await fetch(`${server.base}/explore/formulas/${query}`, options)
    expect(answer.status).toBe(200)
    return answer.text()
  }
  beforeAll(async () => {
    const document = { id: '=cmd|x', at: 0, place: '-1,-2', n: -5 }
    await createIndex(server.base, 'formulas', mapping, `{"index":{}}\n${JSON.stringify(document)}\n`)
    await putCollection(server.base, 'formulas', { ...params, index_name: 'formulas' })
  })

  const raw = 'id,at,n,WKT\n=cmd|x,0,-5,POINT (-2 -1)\n'
  const guarded = "id,at,n,WKT\n'=cmd|x,0,-5,POINT (-2 -1)\n"

  it('is what `spreadsheet` asks for, and nothing else', async () => {
    const query = '_search?format=csv&include=id,n'
    expect(await cells(query)).toBe(raw)
    expect(await cells(`${query}&spreadsheet=false`)).toBe(raw)
    expect(await cells(`${query}&spreadsheet=true`)).toBe(guarded)
    expect(await cells('_geosearch?format=csv&include=id,n&spreadsheet=TRUE')).toBe(guarded)
    const body = JSON.stringify({ projection: { includes: 'id,n' } })
    const posted = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    expect(await cells('_search?format=csv&spreadsheet=true', posted)).toBe(guarded)
    expect((await get('_search?format=csv&spreadsheet=maybe')).status).toBe(400)
  })

  it('is in the OpenAPI document', async () => {
    const api = (await (await fetch(`${server.base}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { parameters: readonly { name: string }[] }>>
    }
    for (const operation of ['_search', '_geosearch']) {
      for (const method of ['get', 'post']) {
        const names = api.paths[`/explore/{collection}/${operation}`]?.[method]?.parameters.map(({ name }) => name)
        expect(names).toContain('spreadsheet')
      }
    }
  })
})
