import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSample } from '../../conformance/fixtures.ts'
import { startEmbeddedServer } from '../../support/embedded-server.ts'
import { call, must } from '../../support/http-client.ts'
import { putCollection } from '../../support/index-loading.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { listed, post } from './tagging-client.ts'

const tag = { path: 'params.tags', value: 'v1' }
const MiB = 1 << 20

interface Refusal {
  readonly title: string
  readonly path?: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  readonly error: string
  readonly message?: RegExp
}

/** One or more for every row of spec tagging 1.3; where two rows are broken, the first must answer. */
const refusals: readonly Refusal[] = [
  // 1
  { title: 'an unknown path', path: '/write/geodata/_tags', body: {}, status: 404, error: 'ROUTE_NOT_FOUND' },
  { title: 'another method', method: 'PUT', body: {}, status: 405, error: 'METHOD_NOT_ALLOWED' },
  // 3, before 4
  {
    title: 'another media type, of an unknown collection',
    path: '/write/nowhere/_tag',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    error: 'UNSUPPORTED_MEDIA_TYPE',
    message: /Content-Type .* 'text\/plain'/,
  },
  {
    title: 'a body over a megabyte, of an unknown collection',
    path: '/write/nowhere/_tag',
    body: `{"label":"${'x'.repeat(MiB)}"}`,
    status: 413,
    error: 'BODY_TOO_LARGE',
    message: /1048576 bytes/,
  },
  {
    title: 'a body over a megabyte once it is inflated',
    body: gzipSync(`{"label":"${'x'.repeat(MiB)}"}`),
    headers: { 'content-encoding': 'gzip' },
    status: 413,
    error: 'BODY_TOO_LARGE',
  },
  // 4, before 7
  {
    title: 'an unknown collection',
    path: '/write/nowhere/_tag',
    body: '{bad',
    status: 404,
    error: 'COLLECTION_NOT_FOUND',
    message: /nowhere/,
  },
  {
    title: 'an unknown collection to untag',
    path: '/write/nowhere/_untag',
    body: {},
    status: 404,
    error: 'COLLECTION_NOT_FOUND',
  },
  // 5, before 6
  {
    title: 'the collection of another organisation',
    path: '/write/lost/_tag',
    headers: { 'arlas-organization': 'others' },
    body: '{bad',
    status: 403,
    error: 'COLLECTION_NOT_AVAILABLE',
    message: /Collection lost is not available/,
  },
  {
    title: 'a column filter for another collection',
    path: '/write/lost/_tag',
    headers: { 'column-filter': 'other:params.tags' },
    body: '{bad',
    status: 403,
    error: 'COLLECTION_NOT_AVAILABLE',
  },
  // 6, before 7
  {
    title: 'an index that is gone',
    path: '/write/lost/_tag',
    body: '{bad',
    status: 404,
    error: 'INDEX_NOT_FOUND',
    message: /lost/,
  },
  // 7, before 8
  { title: 'no JSON', body: '{bad json', status: 400, error: 'MALFORMED_JSON', message: /line 1, column 2/ },
  {
    title: 'no JSON, in the third line',
    body: '{\n  "foo": 1,\n  "tag": {"path" "x"}\n}',
    headers: { 'partition-filter': 'x' },
    status: 400,
    error: 'MALFORMED_JSON',
    message: /line 3, column 18/,
  },
  {
    title: 'no UTF-8',
    body: Buffer.from([...Buffer.from('{\n"label":"é'), 0xff, ...Buffer.from('"}')]),
    status: 400,
    error: 'MALFORMED_JSON',
    message: /line 2, column 11/,
  },
  { title: 'half an object', body: '{"tag":', status: 400, error: 'MALFORMED_JSON', message: /line 1, column 8/ },
  // 8
  { title: 'an unknown key', body: { foo: 1 }, status: 400, error: 'INVALID_BODY', message: /foo/ },
  { title: 'a list for a body', body: '[]', status: 400, error: 'INVALID_BODY' },
  {
    title: 'a text for a number',
    body: { tag, search: { page: { size: '1' } } },
    status: 400,
    error: 'INVALID_BODY',
    message: /search\.page\.size/,
  },
  {
    title: 'a header that cannot be read',
    body: { label: 'x'.repeat(1001) },
    headers: { 'partition-filter': '{"hush":' },
    status: 400,
    error: 'INVALID_FILTER',
    message: /^partition-filter (?!.*hush)/,
  },
  // 8a, before 9
  {
    title: 'a long label',
    body: { label: 'x'.repeat(1001), tag: { path: 'fullname' } },
    headers: { 'column-filter': 'params.tags' },
    status: 400,
    error: 'INVALID_BODY',
    message: /label/,
  },
  // 9, before 10
  {
    title: 'a hidden column',
    body: { search: { filter: { f: [[{ field: 'params.age', op: 'eq', value: 'x' }]] } } },
    headers: { 'column-filter': 'params.tags' },
    status: 403,
    error: 'COLUMN_NOT_AVAILABLE',
    message: /^Column params\.age is not available$/,
  },
  // 10
  { title: 'an empty body', body: '', status: 400, error: 'INVALID_TAG', message: /tag, tag\.path and tag\.value/ },
  { title: 'a blank body', body: ' \r\n', status: 400, error: 'INVALID_TAG' },
  { title: 'no tag', body: {}, status: 400, error: 'INVALID_TAG' },
  // 11, before 13
  {
    title: 'a path that is not open',
    body: { tag: { path: 'params.city', value: '' } },
    status: 400,
    error: 'FIELD_NOT_TAGGABLE',
    message: /^The path params\.city is not among the taggable_fields of collection geodata/,
  },
  // 12, before 13
  {
    title: 'the id',
    path: '/write/wide/_tag',
    body: { tag: { path: 'id', value: '' } },
    status: 400,
    error: 'FIELD_NOT_TAGGABLE',
  },
  {
    title: 'an object',
    path: '/write/wide/_tag',
    body: { tag: { path: 'params', value: 'v' } },
    status: 400,
    error: 'FIELD_NOT_TAGGABLE',
    message: /OBJECT/,
  },
  {
    title: 'a place',
    path: '/write/wide/_tag',
    body: { tag: { path: 'geo_params.other_geopoint', value: 'v' } },
    status: 400,
    error: 'FIELD_NOT_TAGGABLE',
    message: /GEO_POINT/,
  },
  // 13, before 14
  {
    title: 'no integer for an integer field',
    path: '/write/wide/_tag',
    body: { tag: { path: 'params.age', value: '7' }, filter: { f: [[{ field: 'params.age', op: 'eq', value: 'x' }]] } },
    status: 400,
    error: 'INVALID_TAG',
    message: /tag\.value .* params\.age, a field of type INTEGER, got '7'/,
  },
  {
    title: 'a number beyond all',
    body: '{"tag":{"path":"params.tags","value":1e400}}',
    status: 400,
    error: 'INVALID_TAG',
  },
  // 14, before 14a
  {
    title: 'a filter that does not fit its field',
    body: { tag, search: { page: { size: 0 }, filter: { f: [[{ field: 'params.age', op: 'eq', value: 'x' }]] } } },
    status: 400,
    error: 'INVALID_FILTER',
    message: /search\.filter\.f\[0\]\[0\]/,
  },
  {
    title: 'a header that does not fit its field',
    body: { tag },
    headers: { 'partition-filter': '{"f":[[{"field":"params.age","op":"eq","value":"hush"}]]}' },
    status: 400,
    error: 'INVALID_FILTER',
    message: /^(?!.*hush)(?!.*params)/,
  },
  // 14a, before 15
  {
    title: 'a page of nothing',
    body: { tag, search: { page: { size: 0 } }, propagation: {} },
    status: 400,
    error: 'INVALID_PARAMETER',
    message: /search\.page\.size/,
  },
  {
    title: 'an unknown field to sort by',
    body: { tag, search: { page: { sort: 'nope' } } },
    status: 404,
    error: 'FIELD_NOT_FOUND',
    message: /nope/,
  },
  // 15
  {
    title: 'a propagation over text',
    body: { tag, propagation: { field: 'fullname' } },
    status: 400,
    error: 'INVALID_PROPAGATION',
  },
  // Query parameters are read before anything is logged.
  {
    title: 'pretty that is no boolean',
    path: '/write/geodata/_tag?pretty=maybe',
    body: { tag },
    status: 400,
    error: 'INVALID_PARAMETER',
    message: /pretty/,
  },
  // Replays.
  {
    title: 'a replay without offset',
    path: '/write/geodata/_tagreplay',
    status: 400,
    error: 'INVALID_PARAMETER',
    message: /offset/,
  },
  {
    title: 'a replay of an unknown collection',
    path: '/write/nowhere/_tagreplay',
    status: 404,
    error: 'COLLECTION_NOT_FOUND',
  },
  ...['-1', '1.5', 'x', '9007199254740992', '1e3', '0x1'].map((offset) => ({
    title: `a replay from ${offset}`,
    path: `/write/geodata/_tagreplay?offset=${offset}`,
    status: 400,
    error: 'INVALID_PARAMETER',
    message: /^offset must be an integer from 0 to 9007199254740991/,
  })),
  {
    title: 'a replay for others',
    path: '/write/geodata/_tagreplay',
    headers: { 'arlas-organization': 'others' },
    status: 403,
    error: 'COLLECTION_NOT_AVAILABLE',
  },
  // Status and list.
  {
    title: 'an unknown request',
    method: 'GET',
    path: '/status/geodata/_tag/nope',
    status: 404,
    error: 'TAG_REQUEST_NOT_FOUND',
    message: /nope/,
  },
  {
    title: 'a request of an unknown collection',
    method: 'GET',
    path: '/status/nowhere/_tag/nope',
    status: 404,
    error: 'COLLECTION_NOT_FOUND',
  },
  {
    title: 'the list of an unknown collection',
    method: 'GET',
    path: '/status/nowhere/_taglist',
    status: 404,
    error: 'COLLECTION_NOT_FOUND',
  },
  {
    title: 'a list of nothing',
    method: 'GET',
    path: '/status/geodata/_taglist?size=0',
    status: 400,
    error: 'INVALID_PARAMETER',
    message: /size/,
  },
  {
    title: 'a list of too many',
    method: 'GET',
    path: '/status/geodata/_taglist?size=10001',
    status: 400,
    error: 'INVALID_PARAMETER',
    message: /size/,
  },
  {
    title: 'a list from below',
    method: 'GET',
    path: '/status/geodata/_taglist?from=-1',
    status: 400,
    error: 'INVALID_PARAMETER',
    message: /from/,
  },
  {
    title: 'the list for others',
    method: 'GET',
    path: '/status/geodata/_taglist',
    headers: { 'column-filter': 'other:x' },
    status: 403,
    error: 'COLLECTION_NOT_AVAILABLE',
  },
]

describe('what tagging refuses', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startEmbeddedServer()
    await loadSample(server.base)
    const { index_name: _index, ...paths } = await referenceOf('geodata')
    const lost = { ...paths, index_name: 'lost' }
    await must(server.base, { method: 'PUT', path: '/collections/lost?checkfields=false', body: lost })
    const taggable_fields = 'id,params,params.age,geo_params.other_geopoint'
    await putCollection(server.base, 'wide', { ...paths, index_name: 'dataset', taggable_fields })
  })
  afterAll(() => server?.stop())

  const referenceOf = async (name: string): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await call(server.base, { path: `/collections/${name}` })
    return (answer.json() as { readonly params: Readonly<Record<string, unknown>> }).params
  }

  test.each(refusals)(
    '$title',
    async ({ path = '/write/geodata/_tag', method = 'POST', body, headers, status, error, message }) => {
      const answer =
        method === 'POST'
          ? await post(server.base, path, body, headers)
          : await call(server.base, { method, path, body, headers: headers ?? {} })
      expect([answer.status, (answer.json() as { error: string }).error], answer.text).toEqual([status, error])
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      const told = answer.json() as { status: number; message: string }
      expect(told.status).toBe(status)
      if (message !== undefined) expect(told.message).toMatch(message)
      for (const collection of ['geodata', 'wide']) expect(await listed(server.base, collection)).toEqual([])
    },
  )

  test.each([
    ['/write/geodata/_tag', 'GET', 'POST, OPTIONS'],
    ['/write/geodata/_untag', 'DELETE', 'POST, OPTIONS'],
    ['/write/geodata/_tagreplay', 'GET', 'POST, OPTIONS'],
    ['/status/geodata/_taglist', 'POST', 'GET, HEAD, OPTIONS'],
    ['/status/geodata/_tag/x', 'PUT', 'GET, HEAD, OPTIONS'],
    ['/arlas_tagger/write/geodata/_tag', 'GET', 'POST, OPTIONS'],
  ])('%s knows its methods', async (path, method, allow) => {
    const answer = await call(server.base, { method, path })
    expect([answer.status, answer.headers.allow]).toEqual([405, allow])
    expect((await call(server.base, { method: 'OPTIONS', path })).headers.allow).toBe(allow)
  })
})
