import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spikyRings } from '../../src/geo/polygon/spiky-rings.fixture.ts'
import { call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const DOCUMENTS = 20_000

const mapping = {
  dynamic: false,
  properties: { id: { type: 'keyword' }, at: { type: 'date' }, where: { type: 'geo_point' } },
}
const params = { index_name: 'd', id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }

const bulk = (): string =>
  Array.from({ length: DOCUMENTS }, (_, n) => {
    // Two steps without a common measure spread them evenly.
    const where = [((n * 0.618034) % 1) * 320 - 160, ((n * 0.754878) % 1) * 160 - 80]
    return `{"index":{}}\n${JSON.stringify({ id: `d${n}`, at: n, where })}\n`
  }).join('')

const { star = [], comb = [] } = spikyRings(4_900)
const wkt = ([ring = []]: typeof star): string => `POLYGON((${ring.map((position) => position.join(' ')).join(',')}))`
const among = (...values: readonly string[]): unknown => ({
  filter: { f: [values.map((value) => ({ field: 'where', op: 'within', value }))] },
})

describe('areas that are drawn to be slow', () => {
  let server: ServerProcess

  beforeAll(async () => {
    server = await startServerProcess({ flags: ['--set', 'log.level=silent', '--set', 'cache.enabled=false'] })
    await createIndex(server.base, 'd', mapping, bulk())
    await must(server.base, { method: 'POST', path: '/index/d/_forcemerge' })
    await putCollection(server.base, 'd', params)
  })
  afterAll(async () => {
    await server.stop()
    await server.removeData()
  })

  const count = (body: unknown): Promise<unknown> =>
    must(server.base, { method: 'POST', path: '/explore/d/_count', body })

  it('are counted right, and let small requests be answered meanwhile', async () => {
    let isDone = false
    const counted = count(among(wkt(star), wkt(comb))).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone) {
      await must(server.base, { path: '/livez' })
      if (!isDone) answered++
    }
    const some = (await counted) as { totalnb: number }
    const [a, b, both] = (await Promise.all([
      count(among(wkt(star))),
      count(among(wkt(comb))),
      count({ filter: { f: [star, comb].map((ring) => [{ field: 'where', op: 'within', value: wkt(ring) }]) } }),
    ])) as { totalnb: number }[]
    expect(some.totalnb).toBeGreaterThan(DOCUMENTS / 4)
    expect(some.totalnb).toBe((a?.totalnb ?? 0) + (b?.totalnb ?? 0) - (both?.totalnb ?? 0))
    expect(answered).toBeGreaterThan(5)
  })

  it('are refused where they are too many', async () => {
    const answer = await call(server.base, {
      method: 'POST',
      path: '/explore/d/_count',
      body: among(...Array.from({ length: 5 }, () => wkt(star))),
    })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('limits.filterVertices')
  })
})
