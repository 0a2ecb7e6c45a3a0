import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { type Answer, type Call, call, must } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { collections } from './dataset.ts'
import { loadSample } from './fixtures.ts'

const COUNT = '/explore/geodata/_count'
const SEARCH = '/explore/geodata/_search'
const JSON_HEADERS = { 'content-type': 'application/json' }

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = JSON_HEADERS): Call => ({
  method: 'POST',
  path,
  body,
  headers,
})

function outcome(answer: Answer): string {
  if (answer.status < 400) return String(answer.status)
  return `${answer.status} ${(answer.json() as { readonly error: string }).error}`
}

const messageOf = (answer: Answer): string => (answer.json() as { readonly message: string }).message

describeEach(engines)('wire rules, $name', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadSample(server.base)
  })
  afterAll(() => server?.stop())
  const send = (request: Call) => call(server.base, request)

  test.each<[string, string]>([
    ['/collections/', '200'],
    ['/collections//', '404 ROUTE_NOT_FOUND'],
    ['/arlas/collections/geodata/', '200'],
    ['/arlas', '404 ROUTE_NOT_FOUND'],
    ['/explore/geo%64ata/_co%75nt', '200'],
    ['/explore/geodata/id%2F1', '404 DOCUMENT_NOT_FOUND'],
    ['/explore/geodata/id/1', '404 ROUTE_NOT_FOUND'],
    ['/explore/geodata/%FF', '400 INVALID_PARAMETER'],
    ['/explore/geodata/_range', '404 DOCUMENT_NOT_FOUND'],
    ['/collections/_import', '405 METHOD_NOT_ALLOWED'],
  ])('GET %s: %s', async (path, expected) => {
    expect(outcome(await send({ path }))).toBe(expected)
  })

  test.each<[string, string, number | string]>([
    ['names in any case', `${COUNT}?F=params.job:eq:Actor&PRETTY=TRUE`, 59],
    ['blank parameters', `${COUNT}?&&f=&q=%20&righthand=&gwithin=`, 595],
    ['unknown parameters', `${COUNT}?foo=1&foo=2`, 595],
    ['the same value twice', `${COUNT}?righthand=true&RightHand=true`, 595],
    ['two values', `${COUNT}?righthand=true&RightHand=false`, '400 INVALID_PARAMETER'],
    ['a value and a blank', `${COUNT}?righthand=false&righthand=`, 595],
    ['a parameter of an earlier revision', `${COUNT}?GIntersect=0,0,1,1`, 1],
    ['a sign', `${COUNT}?max-age-cache=%2B5`, 595],
    ['a fraction', `${COUNT}?max-age-cache=5.0`, '400 INVALID_PARAMETER'],
    ['more than int32', `${COUNT}?max-age-cache=2147483648`, '400 INVALID_PARAMETER'],
    ['a query that is no UTF-8', `${COUNT}?f=%FF`, '400 INVALID_PARAMETER'],
  ])('parameters: %s', async (_, path, expected) => {
    const answer = await send({ path })
    if (typeof expected === 'string') expect(outcome(answer)).toBe(expected)
    else expect(answer.json()).toMatchObject({ totalnb: expected })
  })

  test.each<[string, Call, string, string]>([
    ['no body', post(COUNT, ''), '400 INVALID_BODY', 'body'],
    ['half a body', post(COUNT, '{'), '400 MALFORMED_JSON', 'body'],
    ['null', post(COUNT, 'null'), '400 INVALID_BODY', 'object'],
    ['an array', post(COUNT, []), '400 INVALID_BODY', 'object'],
    ['an unknown key', post(COUNT, { filter: { foo: 1 } }), '400 INVALID_BODY', 'filter.foo'],
    [
      'a wrong type',
      post(COUNT, { filter: { f: [[{ field: 'id', op: 'eq', value: 'x' }, { op: 3 }]] } }),
      '400 INVALID_BODY',
      'filter.f[0][1].op',
    ],
    ['no value', post(COUNT, { filter: { f: [[{ field: 'id', op: 'eq', value: null }]] } }), '400 INVALID_FILTER', ''],
    ['a text for a number', post(SEARCH, { page: { size: '10' } }), '400 INVALID_BODY', 'page.size'],
    ['more than the limit', post(SEARCH, { page: { size: 10001 } }), '400 LIMIT_EXCEEDED', 'limits.size'],
    ['both spellings', post(COUNT, { partition_filter: [], partitionFilter: [] }), '400 INVALID_BODY', 'partition'],
    ['another media type', post(COUNT, '{}', { 'content-type': 'text/plain' }), '415 UNSUPPORTED_MEDIA_TYPE', 'plain'],
    ['no gzip', post(COUNT, '{}', { 'content-encoding': 'gzip' }), '400 INVALID_BODY', 'gzip'],
    ['nothing, as gzip', post(COUNT, '', { 'content-encoding': 'gzip' }), '400 INVALID_BODY', 'empty'],
    ['another encoding', post(COUNT, '{}', { 'content-encoding': 'br' }), '415 UNSUPPORTED_MEDIA_TYPE', 'gzip'],
    [
      'a bomb',
      post('/explore/nope/_count', gzipSync(Buffer.alloc(17 << 20)), { 'content-encoding': 'gzip' }),
      '413 BODY_TOO_LARGE',
      'must not have a compression ratio above 200',
    ],
    [
      'more than an exploration may send, as gzip',
      post('/explore/nope/_count', gzipSync(Array.from({ length: 500_000 }, (_, i) => String(i)).join(' ')), {
        'content-encoding': 'gzip',
      }),
      '413 BODY_TOO_LARGE',
      'limits.exploreBytes',
    ],
  ])('bodies: %s', async (_, request, expected, contained) => {
    const answer = await send(request)
    expect(outcome(answer)).toBe(expected)
    expect(messageOf(answer)).toContain(contained)
    expect((await send({ path: COUNT })).status).toBe(200)
  })

  test.each<[string, Call, number]>([
    ['an empty object', post(COUNT, {}), 595],
    ['null members', post(COUNT, { filter: { f: null, righthand: null }, form: null }), 595],
    ['an alias', post(COUNT, { partition_filter: [{ q: [['params.job:Actor']] }] }), 59],
    [
      'operators in any case',
      post(COUNT, { filter: { f: [[{ field: 'params.job', op: 'EQ', value: 'Actor' }]] } }),
      59,
    ],
    ['gzip', post(COUNT, gzipSync('{"filter":{"q":[["params.job:Actor"]]}}'), { 'content-encoding': 'gzip' }), 59],
    ['query parameters beside a body', post(`${COUNT}?f=foo&righthand=maybe&size=x`, {}), 595],
  ])('bodies that count: %s', async (_, request, expected) => {
    expect((await send(request)).json()).toMatchObject({ totalnb: expected })
  })

  test.each<[string, Call, string]>([
    ['media type before collection', post('/explore/nope/_count', '{', { 'content-type': 'a/b' }), '415'],
    ['collection before body', post('/explore/nope/_count', '{'), '404 COLLECTION_NOT_FOUND'],
    ['collection before parameters', { path: '/explore/nope/_geosearch/a/b/c?pretty=x' }, '404 COLLECTION_NOT_FOUND'],
    ['parameters before fields', { path: `${SEARCH}?sort=nope&size=0` }, '400 INVALID_PARAMETER'],
    ['filters before fields', { path: `${SEARCH}?sort=nope&f=id:foo:x` }, '400 INVALID_FILTER'],
    ['cursors before fields', { path: `${SEARCH}?sort=nope&after=a&before=b` }, '400 INVALID_PARAMETER'],
    ['caching before fields', { path: `${SEARCH}?sort=nope&max-age-cache=x` }, '400 INVALID_PARAMETER'],
  ])('order of checks: %s', async (_, request, expected) => {
    expect(outcome(await send(request))).toContain(expected)
  })

  test('errors can be read by pages of other origins, those of the HTTP level too', async () => {
    const headers = { origin: 'http://localhost:4200' }
    for (const path of ['/nope', `${COUNT}?f=${'x'.repeat(70_000)}`, '/explore/nope/_count']) {
      const answer = await send({ path, headers })
      expect(answer.headers['access-control-allow-origin']).toBe(headers.origin)
      expect(answer.headers['content-type']).toBe('application/json;charset=utf-8')
    }
  })

  test('a tag stands for an answer of GET; max-age-cache is for answers, not for errors', async () => {
    const { etag = '' } = (await send({ path: COUNT })).headers
    for (const tag of [etag, '*', `W/${etag}`, `"other", ${etag}`]) {
      const answer = await send({ path: `${COUNT}?max-age-cache=5`, headers: { 'if-none-match': tag } })
      expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([
        304,
        '',
        'no-transform, max-age=5',
      ])
    }
    const answer = await send(post(`${COUNT}?max-age-cache=5`, {}, { ...JSON_HEADERS, 'if-none-match': '*' }))
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-transform, max-age=5'])
    const fault = await send({ path: `${COUNT}?max-age-cache=5&f=x`, headers: { 'if-none-match': '*' } })
    expect([fault.status, fault.headers['cache-control'], fault.headers.etag]).toEqual([400, undefined, undefined])
  })

  test.each(['nope', 'fullname', 'params', 'params.not_indexed', 'geo_params.centroid'])(
    'a collection registered unchecked with the id path %s can be explored',
    async (idPath) => {
      const body = { ...collections.geodata, id_path: idPath }
      await must(server.base, { method: 'PUT', path: '/collections/unchecked?checkfields=false', body })
      for (const path of ['_search', '_geosearch', '_geosearch/0/0/0', '_count', '_describe']) {
        expect(outcome(await send({ path: `/explore/unchecked/${path}` }))).toBe('200')
      }
      const ids = new Set<string>()
      for (const from of [0, 300]) {
        const page = (await must(server.base, { path: `/explore/unchecked/_search?size=300&from=${from}` })) as {
          readonly hits: readonly { readonly data: { readonly id: string } }[]
        }
        for (const hit of page.hits) ids.add(hit.data.id)
      }
      expect(ids.size).toBe(595)
      expect(outcome(await send({ path: '/explore/unchecked/ID_0_0DI' }))).toBe('404 DOCUMENT_NOT_FOUND')
    },
  )

  test.each<[string, Call]>([
    ['no body', { method: 'POST', path: '/collections/_import' }],
    ['a body that is no form', post('/collections/_import', [])],
    ['a form without it', post('/collections/_import', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })],
  ])('an import needs its file: %s', async (_, request) => {
    const answer = await send(request)
    expect(outcome(answer)).toBe('400 INVALID_BODY')
    expect(messageOf(answer)).toContain('file')
  })
})
