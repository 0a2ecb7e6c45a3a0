import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SearchNode, startNode } from '../../scripts/cluster/search-node.ts'
import { ELASTICSEARCH } from '../../scripts/distribution.ts'
import type { Hits } from '../conformance/hits.ts'
import { idsOf } from '../conformance/hits.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import { type Harbour, loadHarbours } from '../support/harbours.ts'
import { call, must } from '../support/http-client.ts'
import { loadBulk } from '../support/index-loading.ts'
import { startServerOn } from '../support/own-cluster-server.ts'
import type { RunningServer } from '../support/running-server.ts'

const COUNT = 1_200

interface Buckets {
  readonly totalnb: number
  readonly elements: readonly {
    readonly key_as_string: string
    readonly count: number
    readonly metrics?: readonly { readonly value: number }[]
  }[]
}

/** The whole conformance suite runs on OpenSearch; this tells that the other family is spoken to rightly. */
describe.skipIf(clusterUrl === '')('points in Elasticsearch', () => {
  let node: SearchNode
  let server: RunningServer
  let all: readonly Harbour[]
  beforeAll(async () => {
    node = await startNode(ELASTICSEARCH, { heapMiB: 384, purpose: 'testing' })
    server = await startServerOn([node.url], { 'cluster.shards': '2', 'cluster.replicas': '0' })
    all = await loadHarbours(server.base, COUNT)
  })
  afterAll(async () => {
    await server?.stop()
    await node?.stop()
  })

  const get = (path: string): Promise<unknown> => must(server.base, { path: `/explore/harbours/${path}` })
  const count = async (f: string): Promise<number> => ((await get(`_count?f=${encodeURIComponent(f)}`)) as Hits).totalnb
  const having = (keep: (d: Harbour) => boolean): number => all.filter(keep).length

  test('is recognised', async () => {
    expect(await must(server.base, { path: '/readyz' })).toMatchObject({ status: 'ok', engine: 'cluster' })
  })

  test('collections and their fields', async () => {
    expect(await must(server.base, { path: '/collections/harbours' })).toMatchObject({ collection_name: 'harbours' })
    const described = (await get('_describe')) as { readonly properties: Readonly<Record<string, unknown>> }
    expect(described.properties).toMatchObject({
      id: { type: 'KEYWORD' },
      seen: { type: 'DATE' },
      where: { type: 'GEO_POINT' },
      title: { type: 'TEXT' },
    })
  })

  test('counts', async () => {
    expect(await count('kind:eq:ferry')).toBe(having((d) => d.kind === 'ferry'))
    expect(await count('size:range:[10<20]')).toBe(having((d) => d.size >= 10 && d.size <= 20))
    expect(await count(`seen:gte:${Date.UTC(2024, 1, 1)}`)).toBe(having((d) => d.seen >= Date.UTC(2024, 1, 1)))
    expect(await count('title:like:north')).toBe(having((d) => d.title.includes('north')))
    expect(await count('kind:like:^f')).toBe(having((d) => d.kind.startsWith('f')))
    const inside = ({ where: { lat, lon } }: Harbour): boolean => lat >= 10 && lat <= 20 && lon >= 10 && lon <= 30
    expect(await count('where:within:10,10,30,20')).toBe(having(inside))
    expect(await count('where:within:POLYGON((10 10,30 10,30 20,10 20,10 10))')).toBe(having(inside))
    expect(await count('where:notwithin:10,10,30,20')).toBe(COUNT - having(inside))
  })

  test('pages by cursor make up the whole', async () => {
    const sorted = [...all].sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1)).map((d) => d.id)
    const found: unknown[] = []
    let page = (await get('_search?sort=-size,id&size=250')) as Hits
    for (;;) {
      expect(page.totalnb).toBe(COUNT)
      found.push(...idsOf(page))
      const next = page.links.next
      if (next === undefined || found.length > COUNT) break
      page = (await must(server.base, { path: next.href.slice(server.base.length) })) as Hits
    }
    expect(found).toEqual(sorted)
  })

  test('a document by its id', async () => {
    expect(await get('h000007')).toMatchObject({ data: { id: 'h000007', size: 7 } })
    expect((await call(server.base, { path: '/explore/harbours/nope' })).status).toBe(404)
  })

  test('terms with metrics', async () => {
    const answer = (await get('_aggregate?agg=term:kind:collect_field-size:collect_fct-sum')) as Buckets
    const sum = (kind: string): number => all.filter((d) => d.kind === kind).reduce((s, d) => s + d.size, 0)
    expect(answer.totalnb).toBe(COUNT)
    expect(answer.elements.map((e) => [e.key_as_string, e.count, e.metrics?.[0]?.value])).toEqual(
      ['cargo', 'ferry', 'fishing', 'pilot'].map((kind) => [kind, COUNT / 4, sum(kind)]),
    )
  })

  test('dates', async () => {
    const { elements } = (await get('_aggregate?agg=datehistogram:seen:interval-1week')) as Buckets
    expect(elements.reduce((s, e) => s + e.count, 0)).toBe(COUNT)
    expect(elements[0]?.count).toBe(7 * 24)
  })

  test('tiles, and hexagons by reading the documents', async () => {
    for (const grid of ['geotile:where:interval-4', 'geohash:where:interval-2', 'geohex:where:interval-1']) {
      const { features } = (await get(`_geoaggregate?agg=${grid}`)) as {
        readonly features: readonly { readonly properties: { readonly count: number } }[]
      }
      expect(
        features.reduce((s, f) => s + f.properties.count, 0),
        grid,
      ).toBe(COUNT)
    }
    const { features } = (await get('_geosearch/2/2/1?size=1000&f=kind:eq:ferry')) as {
      readonly features: readonly unknown[]
    }
    expect(features.length).toBe(
      having(({ kind, where: { lat, lon } }) => kind === 'ferry' && lat > 0 && lat < 66.51 && lon >= 0 && lon < 90),
    )
  })

  test('figures and suggestions', async () => {
    const mean = all.reduce((s, d) => s + d.size, 0) / COUNT
    expect(await get('_compute?field=size&metric=avg')).toMatchObject({ value: expect.closeTo(mean, 9) })
    expect(await get('_compute?field=kind&metric=cardinality')).toMatchObject({ value: 4 })
    const { suggestions } = (await get('_suggest?field=kind&q=f')) as {
      readonly suggestions: readonly { readonly text: string }[]
    }
    expect(suggestions.map((s) => s.text)).toEqual(['ferry', 'fishing'])
  })

  test('writes: changed, deleted, and refused one by one', async () => {
    const changed = { ...all[0], id: 'h000000', kind: 'wreck' }
    await loadBulk(
      server.base,
      'harbours',
      `{"index":{"_id":"h000000"}}\n${JSON.stringify(changed)}\n{"delete":{"_id":"h000001"}}\n`,
    )
    expect(await count('kind:eq:wreck')).toBe(1)
    expect(await count('id:eq:h000001')).toBe(0)
    const answer = await must(server.base, {
      method: 'POST',
      path: '/index/harbours/_bulk?refresh=true',
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"index":{"_id":"bad"}}\n{"id":"bad","size":"large"}\n{"index":{"_id":"good"}}\n{"id":"good","size":1}\n',
    })
    expect(answer).toMatchObject({ errors: true, items: [{ index: { status: 400 } }, { index: { status: 201 } }] })
  })
})
