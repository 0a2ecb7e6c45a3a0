import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NODE_CERTIFICATE } from '../../src/cluster-client/node-certificate.fixture.ts'
import { type EmbeddedServer, startEmbeddedServerIn } from '../support/embedded-server.ts'
import { type CertificateFolder, makeCertificate } from './secure-server.ts'

const DOCUMENTS = 20_000

const lines = (): string =>
  Array.from({ length: DOCUMENTS }, (_, i) => {
    const document = { id: `d${i}`, at: i, n: i % 10, where: [i % 180, i % 90], text: `the number ${i}` }
    return `{"index":{}}\n${JSON.stringify(document)}\n`
  }).join('')

const mappings = {
  properties: {
    ...{ id: { type: 'keyword' }, at: { type: 'date' }, n: { type: 'long' } },
    ...{ where: { type: 'geo_point' }, text: { type: 'text' } },
  },
}
const params = { index_name: 'd', id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }

describe.each([
  ['HTTP/2', true],
  ['HTTP/1.1', false],
])('over %s', (_name, allowH2) => {
  let certificate: CertificateFolder
  let directory = ''
  let server: EmbeddedServer
  const dispatcher = new Agent({ allowH2, connect: { ca: NODE_CERTIFICATE } })

  const send = async (method: string, route: string, body?: string | Readable, type = 'application/json') =>
    fetch(`${server.base}${route}`, {
      ...{ method, dispatcher },
      ...(body === undefined ? {} : { body, headers: { 'content-type': type }, duplex: 'half' as const }),
    })

  beforeAll(async () => {
    certificate = makeCertificate()
    directory = mkdtempSync(path.join(tmpdir(), 'periplus-secure-'))
    server = await startEmbeddedServerIn(directory, certificate.flags)
    await send('PUT', '/index/d', JSON.stringify({ mappings }))
    // Without a length: in pieces.
    const bulk = await send('POST', '/index/d/_bulk', Readable.from([lines()]), 'application/x-ndjson')
    expect(await bulk.json()).toMatchObject({ errors: false })
    await send('PUT', '/collections/d', JSON.stringify(params))
  })
  afterAll(async () => {
    await dispatcher.destroy()
    await server.close()
    certificate.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  test('counts and pages have https addresses', async () => {
    const count = await send('GET', '/explore/d/_count?f=n:eq:3')
    expect(await count.json()).toMatchObject({ totalnb: DOCUMENTS / 10 })
    expect(await (await send('GET', '/explore/d/_search?size=1')).json()).toMatchObject({
      links: { self: { href: `${server.base}/explore/d/_search?size=1` } },
    })
  })

  test.each([
    ['geojsonl', DOCUMENTS + 1],
    ['csv', DOCUMENTS + 2],
  ])('a file of %s is whole', async (format, expected) => {
    const answer = await send('GET', `/explore/d/_search?format=${format}`)
    expect((await answer.text()).split('\n')).toHaveLength(expected)
  })

  test('many requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => send('GET', `/explore/d/_search?size=200&from=${i}`)),
    )
    const pages = await Promise.all(answers.map((answer) => answer.json()))
    expect(pages).toEqual(pages.map(() => expect.objectContaining({ nbhits: 200 })))
  })

  test('a file is loaded', async () => {
    const csv = `id,lat,lon\n${Array.from({ length: 5_000 }, (_, i) => `${i},${i % 90},${i % 180}`).join('\n')}`
    const answer = await send('PUT', '/load/places.csv?name=places', Readable.from([csv]), 'text/csv')
    expect(await answer.json()).toMatchObject({ loaded: { created: 5_000 } })
  })
})
