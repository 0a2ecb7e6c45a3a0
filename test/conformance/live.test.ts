import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { call, must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { openLive } from '../support/live-stream.ts'
import type { RunningServer } from '../support/running-server.ts'

const mapping = {
  properties: {
    id: { type: 'keyword' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    kind: { type: 'keyword' },
  },
}
const params = {
  index_name: 'ships',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'at',
}

interface Ship {
  readonly id: string
  readonly at: number
  readonly place: string
  readonly kind: string
}

const ship = (id: string, kind: string, at: number, place = '10,20'): Ship => ({ id, at, place, kind })
const bulkOf = (...ships: readonly Ship[]): string =>
  ships.map((one) => `{"index":{"_id":"${one.id}"}}\n${JSON.stringify(one)}\n`).join('')

describeEach(engines)('a live stream on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start({ 'limits.liveStreams': '3' })
    await createIndex(server.base, 'ships', mapping, bulkOf(ship('a', 'tug', 1_000), ship('b', 'ferry', 2_000)))
    await putCollection(server.base, 'ships', params)
  })
  afterAll(() => server.stop())

  const follow = (query = '', headers: Readonly<Record<string, string>> = {}) =>
    openLive(`${server.base}/explore/ships/_live${query}`, headers)
  const write = (body: string) =>
    must(server.base, {
      method: 'POST',
      path: '/index/ships/_bulk?refresh=true',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })

  it('tells the number of documents, then what was inserted, updated and deleted', async () => {
    const stream = await follow()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(await stream.next()).toMatchObject({ kind: 'state', data: { total: 2 } })
    await write(bulkOf(ship('c', 'tug', 5_000, '-30,40'), ship('d', 'tug', 4_000, '-33,41')))
    const inserted = await stream.until(4)
    expect(inserted).toMatchObject({ inserted: 2, deleted: 0, newest: 5_000, complete: true })
    const extent = inserted.extent as readonly number[]
    for (const [i, edge] of [40, -33, 41, -30].entries()) expect(extent[i]).toBeCloseTo(edge, 4)
    await write(bulkOf(ship('c', 'tug', 9_000)))
    for (let event = await stream.next(); ; event = await stream.next()) {
      if (event?.data.updated === 1) break
      expect(event).toBeDefined()
    }
    await write('{"delete":{"_id":"c"}}\n{"delete":{"_id":"d"}}\n')
    expect(await stream.until(2)).toMatchObject({ inserted: 0, deleted: 2, complete: false })
    stream.close()
  })

  it('is about the documents of the filter and of the view of the caller', async () => {
    const ferries = await follow('?f=kind:eq:ferry')
    const tugs = await follow('', {
      'partition-filter': JSON.stringify({ f: [[{ field: 'kind', op: 'eq', value: 'tug' }]] }),
    })
    expect((await ferries.next())?.data).toEqual({ total: 1 })
    expect((await tugs.next())?.data).toEqual({ total: 1 })
    await write(bulkOf(ship('e', 'ferry', 6_000)))
    expect(await ferries.until(2)).toMatchObject({ inserted: 1, newest: 6_000 })
    await write(bulkOf(ship('f', 'tug', 7_000)))
    expect(await tugs.until(2)).toMatchObject({ inserted: 1, newest: 7_000 })
    // a document that changes so that it matches, and no longer matches
    await write(bulkOf(ship('e', 'tug', 6_000)))
    expect(await ferries.until(1)).toMatchObject({ deleted: 1 })
    expect(await tugs.until(3)).toMatchObject({ inserted: 1, deleted: 0 })
    await write('{"delete":{"_id":"e"}}\n{"delete":{"_id":"f"}}\n')
    await tugs.until(1)
    ferries.close()
    tugs.close()
  })

  it('goes on from the last event', async () => {
    const stream = await follow()
    const state = await stream.next()
    stream.close()
    await write(bulkOf(ship('g', 'tug', 8_000)))
    const next = await follow('', { 'last-event-id': String(state?.id) })
    expect(await next.until(3)).toMatchObject({ inserted: 1 })
    const known = await follow('', { 'last-event-id': '00000000.3.1.00000000' })
    expect(await known.next()).toMatchObject({ kind: 'state', data: { total: 3 } })
    expect(await known.next()).toMatchObject({ kind: 'change', data: { total: 3, inserted: 2, complete: false } })
    next.close()
    known.close()
    await write('{"delete":{"_id":"g"}}\n')
  })

  it('is refused with a code', async () => {
    const refused = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await call(server.base, { path, headers })
      return [answer.status, (answer.json() as { error: string }).error]
    }
    expect(await refused('/explore/ships/_live', { 'last-event-id': 'x' })).toEqual([400, 'INVALID_PARAMETER'])
    expect(await refused('/explore/ships/_live?f=kind')).toEqual([400, 'INVALID_FILTER'])
    expect(await refused('/explore/nothing/_live')).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(await refused('/explore/ships/_live', { accept: 'application/json' })).toEqual([406, 'NOT_ACCEPTABLE'])
    const open = await Promise.all([follow(), follow(), follow()])
    for (const stream of open) await stream.next()
    expect(await refused('/explore/ships/_live')).toEqual([429, 'TOO_MANY_REQUESTS'])
    for (const stream of open) stream.close()
    await expect
      .poll(async () => {
        const stream = await follow()
        stream.close()
        return stream.status
      })
      .toBe(200)
  })

  it('ends when the index is deleted, and when the server stops', async () => {
    await createIndex(server.base, 'spare', mapping, bulkOf(ship('a', 'tug', 1_000)))
    await putCollection(server.base, 'spare', { ...params, index_name: 'spare' })
    const spare = await openLive(`${server.base}/explore/spare/_live`)
    await spare.next()
    await must(server.base, { method: 'DELETE', path: '/index/spare' })
    let event = await spare.next()
    while (event !== undefined) event = await spare.next()
    const stream = await follow()
    await stream.next()
    server = await server.restart()
    expect(await stream.next()).toBeUndefined()
  })
})
