import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../support/http-client.ts'
import { createIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

/** Small ones: sockets take a batch of them at once, so nothing but the server itself makes the export pause. */
const DOCUMENTS = 60_000
const BATCH = 10_000
const LINE_FEED = 0x0a

const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    at: { type: 'date' },
    text: { type: 'text' },
    n: { type: 'long' },
    where: { type: 'geo_point' },
  },
}
const params = { index_name: 'd', id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }

const bulk = (first: number): string =>
  Array.from({ length: BATCH }, (_, i) => {
    const n = first + i
    const document = { id: `d${n}`, at: n, n: 7 * n, text: `the number ${n}`, where: [n % 180, n % 90] }
    return `{"index":{}}\n${JSON.stringify(document)}\n`
  }).join('')

describe('while documents are exported', () => {
  let server: ServerProcess

  beforeAll(async () => {
    server = await startServerProcess({ flags: ['--set', 'log.level=silent'] })
    await createIndex(server.base, 'd', mapping, bulk(0))
    for (let first = BATCH; first < DOCUMENTS; first += BATCH) await loadBulk(server.base, 'd', bulk(first))
    await putCollection(server.base, 'd', params)
  })
  afterAll(async () => {
    await server.stop()
    await server.removeData()
  })

  interface Export {
    /** Lines received so far. */
    readonly lines: () => number
    /** Resolves when so many have been. */
    readonly reached: Promise<void>
    readonly ended: Promise<void>
  }

  async function begin(query: string, lines: number): Promise<Export> {
    // Compressing would make the export wait for other threads.
    const headers = { 'accept-encoding': 'identity' }
    const answer = await fetch(`${server.base}/explore/d/_search?${query}`, { headers })
    expect(answer.status).toBe(200)
    const reached = Promise.withResolvers<void>()
    let received = 0
    const receive = async (): Promise<void> => {
      for await (const piece of answer.body ?? []) {
        for (const byte of piece) if (byte === LINE_FEED) received++
        if (received >= lines) reached.resolve()
      }
    }
    return { lines: () => received, reached: reached.promise, ended: receive() }
  }

  it.each(['format=csv', 'format=geojsonl', 'format=csv&sort=id'])(
    '%s: small requests are answered before it is half done',
    async (query) => {
      // Places of all documents are known then, and only reading and printing them is left.
      const { lines, reached, ended } = await begin(query, DOCUMENTS / 10)
      await reached
      await must(server.base, { path: '/livez' })
      await must(server.base, { path: `/explore/d/_count?f=at:lt:${DOCUMENTS}` })
      const meanwhile = lines()
      await ended
      expect(lines()).toBeGreaterThanOrEqual(DOCUMENTS)
      expect(meanwhile).toBeLessThan(DOCUMENTS / 2)
    },
  )

  it('a second export goes on beside the first', async () => {
    const first = await begin('format=csv', 1)
    const second = await begin('format=csv&f=id:ne:d0', 1)
    await first.ended
    const meanwhile = second.lines()
    await second.ended
    expect(second.lines()).toBe(DOCUMENTS)
    expect(meanwhile).toBeGreaterThan(DOCUMENTS / 4)
  })
})
