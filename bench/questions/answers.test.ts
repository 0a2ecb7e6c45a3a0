import { describe, expect, it } from 'vitest'
import { differenceOf, readOpensearch, readPeriplus, readRows } from './answers.ts'
import type { Answer, Question } from './question.ts'

const question = (expects: Answer['kind'], sqlKeys?: Question['sqlKeys']): Question => ({
  name: 'any',
  group: 'counts',
  expects,
  periplus: () => ({ method: 'GET', path: '/' }),
  ...(sqlKeys === undefined ? {} : { sqlKeys }),
})

const periplus = (expects: Answer['kind'], answer: object): Answer =>
  readPeriplus(question(expects), JSON.stringify(answer))

const opensearch = (expects: Answer['kind'], answer: object): Answer =>
  readOpensearch(question(expects), JSON.stringify({ timed_out: false, _shards: { total: 1, failed: 0 }, ...answer }))

const noHits = { total: { value: 3, relation: 'eq' }, hits: [] }

describe('answers of Periplus', () => {
  it('reads counts and values', () => {
    expect(periplus('count', { collection: 'bench', nbhits: 10, totalnb: 595 })).toEqual({ kind: 'count', count: 595 })
    const computed = { query_time: 1, total_time: 1, totalnb: 9, field: 'seen', metric: 'SPANNING', value: 500 }
    expect(periplus('number', computed)).toEqual({ kind: 'number', value: 500 })
  })

  it('reads the ids of hits, of features and of one document', () => {
    const hit = (id: string): object => ({ md: { id, timestamp: 1 }, data: { id } })
    const feature = { type: 'Feature', properties: { md: { id: 'b' }, feature_type: 'hit' } }
    const page = { hits: [hit('b'), hit('a')], nbhits: 2, totalnb: 2, links: {} }
    expect(periplus('ids', page)).toEqual({ kind: 'ids', ids: ['b', 'a'] })
    expect(periplus('ids', { type: 'FeatureCollection', features: [feature] })).toEqual({ kind: 'ids', ids: ['b'] })
    expect(periplus('ids', hit('c'))).toEqual({ kind: 'ids', ids: ['c'] })
  })

  it('reads buckets in the order of their keys, without empty ones', () => {
    const elements = [
      { count: 2, key: 86_400_000, key_as_string: '1970-01-02-00:00:00' },
      { count: 0, key: 172_800_000, key_as_string: '1970-01-03-00:00:00' },
      { count: 1, key: 0, key_as_string: '1970-01-01-00:00:00' },
    ]
    expect(periplus('buckets', { totalnb: 3, name: 'DateHistogram', elements })).toEqual({
      kind: 'buckets',
      buckets: [
        { key: '0', count: 1 },
        { key: '86400000', count: 2 },
      ],
    })
  })

  it('reads tiles with metrics, of both operations', () => {
    const metrics = [
      { type: 'avg', field: 'speed', value: 15.123456789 },
      { type: 'max', field: 'seen', value: 12 },
    ]
    const expected = { kind: 'buckets', buckets: [{ key: '6/1/2', count: 4, metrics: [15.1235, 12] }] }
    const bucket = { count: 4, key: { lat: 1, lon: 2 }, key_as_string: '6/1/2', metrics, geometries: [] }
    expect(periplus('buckets', { name: 'GeotileGrid', elements: [bucket] })).toEqual(expected)
    const properties = { count: 4, tile: '6/1/2', metrics, feature_type: 'aggregation' }
    const features = [{ type: 'Feature', geometry: { type: 'Point', coordinates: [2, 1] }, properties }]
    expect(periplus('buckets', { type: 'FeatureCollection', features })).toEqual(expected)
  })

  it('reads the last level of nested buckets', () => {
    const months = { name: 'DateHistogram', elements: [{ count: 2, key: 0, key_as_string: '1970-01-01-00:00:00' }] }
    const owners = { name: 'Sterms', sumotherdoccounts: 0, elements: [{ count: 2, key: 'o', elements: [months] }] }
    const elements = [{ count: 5, key: 'kind-0', key_as_string: 'kind-0', elements: [owners] }]
    expect(periplus('buckets', { name: 'Sterms', elements })).toEqual({
      kind: 'buckets',
      buckets: [{ key: 'kind-0 > o > 0', count: 2 }],
    })
  })

  it('reads fetched documents and geometries, and suggestions', () => {
    const cell = { reference: 'cell_center', is_raw: false, geometry: { type: 'Point', coordinates: [0, 0] } }
    const raw = { ...cell, reference: 'location', is_raw: true, geometry: { type: 'Point', coordinates: [2.5, 1] } }
    const elements = [{ count: 5, key: 'kind-0', hits: [{ seen: 1, id: 'a' }], geometries: [cell, raw] }]
    expect(periplus('buckets', { name: 'Sterms', elements })).toEqual({
      kind: 'buckets',
      buckets: [
        { key: 'kind-0', count: 5 },
        { key: 'kind-0 > 2.5,1', count: 1 },
        { key: 'kind-0 > a', count: 1 },
      ],
    })
    const suggestions = [{ field: 'owner', text: 'owner-1', count: 7, collection: 'bench' }]
    expect(periplus('buckets', { suggestions })).toEqual({
      kind: 'buckets',
      buckets: [{ key: 'owner-1', count: 7 }],
    })
  })

  it('does not look into files, and fails if an answer says something else', () => {
    expect(readPeriplus(question('bytes'), '\u001a\u0000')).toEqual({ kind: 'bytes' })
    expect(() => periplus('count', { hits: [] })).toThrow('no totalnb in {"hits":[]}')
    expect(() => periplus('buckets', { totalnb: 1 })).toThrow('no elements')
  })
})

describe('answers of OpenSearch', () => {
  it('reads counts, values and spans', () => {
    expect(opensearch('count', { hits: noHits })).toEqual({ kind: 'count', count: 3 })
    const cardinality = { hits: noHits, aggregations: { a: { value: 5000 } } }
    expect(opensearch('number', cardinality)).toEqual({ kind: 'number', value: 5000 })
    const stats = { hits: noHits, aggregations: { a: { count: 3, min: 100, max: 600, avg: 1, sum: 3 } } }
    expect(opensearch('number', stats)).toEqual({ kind: 'number', value: 500 })
  })

  it('reads ids', () => {
    const hits = { hits: [{ _index: 'bench', _id: 'b', _source: { id: 'b' }, sort: [1, 'b'] }] }
    expect(opensearch('ids', { hits })).toEqual({ kind: 'ids', ids: ['b'] })
  })

  it('reads buckets with metrics, the last level of nested ones, and fetched documents', () => {
    const buckets = (...list: object[]): object => ({ hits: noHits, aggregations: { a: { buckets: list } } })
    expect(opensearch('buckets', buckets({ key: '6/1/2', doc_count: 4, n: { value: 12 }, m: { value: 1.5 } }))).toEqual(
      {
        kind: 'buckets',
        buckets: [{ key: '6/1/2', count: 4, metrics: [1.5, 12] }],
      },
    )
    const months = { buckets: [{ key_as_string: '0', key: 0, doc_count: 2 }] }
    expect(opensearch('buckets', buckets({ key: 'kind-0', doc_count: 5, b: months }))).toEqual({
      kind: 'buckets',
      buckets: [{ key: 'kind-0 > 0', count: 2 }],
    })
    const newest = (_source: object): object => ({ hits: { total: noHits.total, hits: [{ _id: 'a', _source }] } })
    const withHits = buckets(
      { key: 'x', doc_count: 5, h: newest({ seen: 1, id: 'a' }) },
      { key: 'y', doc_count: 1, h: newest({ location: { lat: 1, lon: 2.5 } }) },
    )
    expect(opensearch('buckets', withHits)).toEqual({
      kind: 'buckets',
      buckets: [
        { key: 'x', count: 5 },
        { key: 'x > a', count: 1 },
        { key: 'y', count: 1 },
        { key: 'y > 2.5,1', count: 1 },
      ],
    })
  })

  it('fails if shards failed', () => {
    expect(() => opensearch('count', { hits: noHits, _shards: { total: 4, failed: 1 } })).toThrow('no complete result')
  })
})

describe('rows of SQL', () => {
  it('reads counts, values and ids', () => {
    expect(readRows(question('count'), [['12']])).toEqual({ kind: 'count', count: 12 })
    expect(readRows(question('number'), [[500n]])).toEqual({ kind: 'number', value: 500 })
    expect(readRows(question('ids'), [['b', 'owner-1', 7]])).toEqual({ kind: 'ids', ids: ['b'] })
    expect(() => readRows(question('count'), [])).toThrow('no value')
  })

  it('reads keys as the question says', () => {
    expect(readRows(question('buckets'), [['kind-0', 3, 1.23456789]])).toEqual({
      kind: 'buckets',
      buckets: [{ key: 'kind-0', count: 3, metrics: [1.23457] }],
    })
    expect(readRows(question('buckets', ['day']), [[2, '3']])).toMatchObject({ buckets: [{ key: '172800000' }] })
    expect(readRows(question('buckets', ['value', 'month']), [['a', 13, 3n]])).toMatchObject({
      buckets: [{ key: `a > ${Date.UTC(1971, 1, 1)}`, count: 3 }],
    })
    expect(readRows(question('buckets', [{ tileZoom: 6 }]), [[1, 2, 3]])).toMatchObject({
      buckets: [{ key: '6/1/2', count: 3 }],
    })
  })
})

describe('differenceOf', () => {
  const buckets = (...list: readonly (readonly [string, number, ...number[]])[]): Answer => ({
    kind: 'buckets',
    buckets: list.map(([key, count, ...metrics]) => ({ key, count, ...(metrics.length === 0 ? {} : { metrics }) })),
  })
  const ids = (...list: readonly string[]): Answer => ({ kind: 'ids', ids: list })

  it('finds none between equal answers', () => {
    expect(differenceOf({ kind: 'count', count: 1 }, { kind: 'count', count: 1 })).toBeUndefined()
    expect(differenceOf({ kind: 'number', value: 0.1 + 0.2 }, { kind: 'number', value: 0.3 })).toBeUndefined()
    expect(differenceOf(ids('a', 'b'), ids('a', 'b'))).toBeUndefined()
    expect(differenceOf(buckets(['a', 1, 15.1235]), buckets(['a', 1, 15.1236]))).toBeUndefined()
    expect(differenceOf({ kind: 'bytes' }, { kind: 'bytes' })).toBeUndefined()
  })

  it('names the first one', () => {
    expect(differenceOf({ kind: 'count', count: 1 }, { kind: 'count', count: 2 })).toBe('The count is 2 instead of 1.')
    expect(differenceOf({ kind: 'number', value: 1 }, { kind: 'number', value: 2 })).toBe(
      'The value is 2 instead of 1.',
    )
    expect(differenceOf(ids('a', 'b'), ids('a', 'c'))).toBe('Document 2 is c instead of b.')
    expect(differenceOf(ids('a', 'b'), ids('a'))).toBe('The answer has 1 documents instead of 2.')
    expect(differenceOf(ids('a'), { kind: 'count', count: 1 })).toBe('The answer is of kind count instead of ids.')
    expect(differenceOf(buckets(['a', 1]), buckets(['a', 2]))).toBe('Bucket a has the count 2 instead of 1.')
    expect(differenceOf(buckets(['a', 1]), buckets())).toBe('Bucket a with the count 1 is missing.')
    expect(differenceOf(buckets(), buckets(['a', 1]))).toBe('Bucket a with the count 1 is not expected.')
    expect(differenceOf(buckets(['a', 1, 5]), buckets(['a', 1]))).toBe('Bucket a has 0 metrics instead of 1.')
    expect(differenceOf(buckets(['a', 1, 5]), buckets(['a', 1, 6]))).toBe('Metric 1 of bucket a is 6 instead of 5.')
  })
})

it('documents at a border may be on either side, but no more than allowed', () => {
  const count = (value: number): Answer => ({ kind: 'count', count: value })
  expect(differenceOf(count(1881), count(1880), 2)).toBeUndefined()
  expect(differenceOf(count(1881), count(1878), 2)).toBe('The count is 1878 instead of 1881.')
  const buckets = (counts: Readonly<Record<string, number>>): Answer => ({
    kind: 'buckets',
    buckets: Object.entries(counts).map(([key, count]) => ({ key, count })),
  })
  expect(differenceOf(buckets({ a: 5, b: 1 }), buckets({ a: 4 }), 2)).toBeUndefined()
  expect(differenceOf(buckets({ a: 5 }), buckets({ a: 4, c: 2 }), 2)).toBe('Bucket a has the count 4 instead of 5.')
  expect(differenceOf(buckets({ a: 5 }), buckets({ a: 4 }))).toBe('Bucket a has the count 4 instead of 5.')
})
