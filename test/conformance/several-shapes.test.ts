import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { must, withQuery } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { type Hits, idsOf } from './hits.ts'

const mappings = { properties: { id: { type: 'keyword' }, seen: { type: 'date' }, area: { type: 'geo_shape' } } }

const square = (w: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [w, 0],
      [w + 1, 0],
      [w + 1, 1],
      [w, 1],
      [w, 0],
    ],
  ],
})

const lineOf = (id: string, area: unknown): string =>
  `{"index":{"_id":"${id}"}}\n${JSON.stringify({ id, seen: '2024-01-01', area })}\n`

interface Written {
  readonly items: readonly { readonly index: { readonly status: number; readonly error?: { reason: string } } }[]
}

describeEach(engines)('several shapes in a field ($name)', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    const collection = lineOf('collection', { type: 'GeometryCollection', geometries: [square(0), square(30)] })
    await createIndex(server.base, 'things', mappings, collection + lineOf('one', square(50)))
    await putCollection(server.base, 'things', {
      index_name: 'things',
      id_path: 'id',
      geometry_path: 'area',
      centroid_path: 'area',
      timestamp_path: 'seen',
    })
  })
  afterAll(() => server?.stop())

  const found = async (f: string): Promise<readonly unknown[]> =>
    idsOf((await must(server.base, { path: withQuery('/explore/things/_search', [['f', f]]) })) as Hits)

  test('are found as one GeometryCollection', async () => {
    expect(await found('area:intersects:30.2,0.2,30.4,0.4')).toEqual(['collection'])
    expect(await found('area:within:-1,-1,20,2')).toEqual([])
    expect(await found('area:within:-1,-1,32,2')).toEqual(['collection'])
  })

  test('are found as a list, or refused with words', async () => {
    const { items } = (await must(server.base, {
      method: 'POST',
      path: '/index/things/_bulk?refresh=true',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lineOf('list', [square(60), square(80)]),
    })) as Written
    const { status, error } = items[0]?.index ?? {}
    if (engine.name === 'embedded') {
      expect(status).toBe(201)
      expect(await found('area:intersects:80.2,0.2,80.4,0.4')).toEqual(['list'])
    } else {
      expect([status, error?.reason]).toEqual([
        400,
        'field [area] has several shapes, of which this cluster stores one: write them as one GeometryCollection',
      ])
    }
  })
})
