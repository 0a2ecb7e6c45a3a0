import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/http-client.ts'
import { type GuardedServer, loadTwoCollections, startGuardedServer } from './guarded-server.ts'

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer({ 'log.level': 'silent' })
  await loadTwoCollections(server)
})
afterAll(() => server.stop())

const narrowedBy = (columns: string) => ({ 'column-filter': columns })

const errorOf = (answer: Answer): unknown => (answer.json() as { readonly error?: unknown }).error

describe('column-filter: *', () => {
  const untimed = (text: string): string => text.replaceAll(/"(?:query_time|total_time)":\d+/g, '""')

  it.each([
    '/explore/shut/_search?sort=id',
    '/explore/shut/_search?q=a',
    '/explore/shut/_search?q=k*:a',
    '/explore/shut/_search?include=k*',
    '/explore/shut/_search?f=secret:eq:s1&sort=-secret,id',
    '/explore/shut/_geosearch?flat=true',
    '/explore/shut/_count?f=nowhere:ne:x',
    '/explore/shut/_compute?field=secret&metric=cardinality',
    '/explore/shut/_aggregate?agg=term:secret:fetch_hits-1',
    '/explore/shut/_suggest',
    '/explore/shut/_describe',
    '/explore/shut/a',
    '/explore/ogc/opensearch/shut',
    '/explore/_list',
    '/collections',
    '/index/things/_mapping',
  ])('hides nothing: %s', async (path) => {
    const plain = await server.ask(path)
    expect(plain.status).toBe(200)
    for (const columns of ['*', ':*', '*:*', 'id,*']) {
      const answer = await server.ask(path, narrowedBy(columns))
      expect([answer.status, untimed(answer.text)], columns).toEqual([200, untimed(plain.text)])
    }
  })

  it('of one collection hides nothing of it, and the others whole', async () => {
    const plain = await server.ask('/explore/shut/_search?q=a')
    expect((await server.ask('/explore/shut/_search?q=a', narrowedBy('shut:*'))).text).toBe(plain.text)
    const other = await server.ask('/explore/shut/_search', narrowedBy('other:*'))
    expect([other.status, errorOf(other)]).toEqual([403, 'COLLECTION_NOT_AVAILABLE'])
  })
})

/** Requests that are wrong beside naming a column; `X` stands for its name. */
const POST = (path: string, body: unknown) => ({ path, method: 'POST', body })
const GET = (path: string) => ({ path, method: 'GET', body: undefined })

describe('a request that is wrong and names a column the caller may not see', () => {
  /** What is wrong with it would tell of the field. */
  const telling = [
    GET('_search?f=X:within:0,0,1,1'),
    GET('_search?f=X:gt:1970'),
    GET('_search?f=X:like:('),
    GET('_search?sort=X,id&after=x,y'),
    GET('_search?returned_geometries=X'),
    GET('_compute?field=X&metric=avg'),
    GET('_aggregate?agg=histogram:X:interval-1'),
    GET('_aggregate?agg=term:kind:raw_geometries-X'),
    GET('_aggregate?agg=term:kind:collect_field-X:collect_fct-sum'),
    GET('_suggest?field=X'),
    POST('_count', { filter: { f: [[{ field: 'X', op: 'within', value: '0,0,1,1' }]] } }),
  ]
  /** What is wrong is seen without a look at the field. */
  const plain = [
    GET('_search?f=X:eq:a&size=0'),
    GET('_search?f=X:nonsense:a'),
    GET('_search?sort=X&after=a'),
    GET('_search?f=X:eq:a,'),
    GET('_compute?field=X&metric=nonsense'),
    GET('_aggregate?agg=term:X:size-0'),
    GET('_aggregate?agg=nonsense:X'),
    POST('_search', { filter: { f: [[{ field: 'X', op: 'eq', value: 'a' }]] }, page: { size: 'ten' } }),
  ]
  const ask = ({ path, method, body }: (typeof telling)[number], field: string, columns?: string): Promise<Answer> =>
    server.ask(`/explore/shut/${path.replaceAll('X', field)}`, columns === undefined ? {} : narrowedBy(columns), {
      method,
      ...(body === undefined ? {} : { body: JSON.parse(JSON.stringify(body).replaceAll('"X"', `"${field}"`)) }),
    })

  it.each(telling)('403: $path', async (probe) => {
    for (const field of ['secret', 'nowhere', 'kind.sub']) {
      const answer = await ask(probe, field, 'kind2')
      expect([answer.status, errorOf(answer)], field).toEqual([403, 'COLUMN_NOT_AVAILABLE'])
    }
  })

  it.each(plain)('400, and the same whether the field is there: $path', async (probe) => {
    const [there, missing, open] = await Promise.all([
      ask(probe, 'secret', 'kind'),
      ask(probe, 'absent', 'kind'),
      ask(probe, 'secret'),
    ])
    expect([there.status, missing.status]).toEqual([400, 400])
    expect(there.text).toBe(missing.text.replaceAll('absent', 'secret'))
    // Who may see everything is told the same.
    expect(open.text).toBe(there.text)
  })

  it('400 to a caller who may see everything', async () => {
    for (const probe of telling.filter(({ path }) => /within|histogram|avg|returned|raw/.test(path))) {
      expect((await ask(probe, 'secret')).status, probe.path).toBe(400)
    }
  })
})

describe('a couple written by its alias and by its path', () => {
  const written = (field: string): string => `collect_field-${field}:collect_fct-max`

  it('is one couple twice', async () => {
    const get = await server.ask(`/explore/shut/_aggregate?agg=term:kind:${written('$timestamp')}:${written('time')}`)
    const metrics = ['time', '$timestamp'].map((collect_field) => ({ collect_field, collect_fct: 'max' }))
    const body = { aggregations: [{ type: 'term', field: 'kind', metrics }] }
    const post = await server.ask('/explore/shut/_aggregate', {}, { method: 'POST', body })
    const alone = `agg=geohash:place:interval-1:collect_fct-geobbox:collect_field-place:collect_fct-geobbox`
    const geo = await server.ask(`/explore/shut/_geoaggregate?${alone}`)
    for (const answer of [get, post, geo]) {
      expect([answer.status, errorOf(answer)]).toEqual([400, 'INVALID_AGGREGATION'])
      expect(answer.text).toContain('twice')
    }
  })

  it('alone is fine', async () => {
    for (const field of ['$timestamp', 'time']) {
      expect((await server.ask(`/explore/shut/_aggregate?agg=term:kind:${written(field)}`)).status).toBe(200)
    }
  })
})
