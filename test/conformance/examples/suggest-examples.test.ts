import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach } from '../../support/engines.ts'
import { call, withQuery } from '../../support/http-client.ts'
import { createIndex, putCollection } from '../../support/index-loading.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { toBulk } from '../dataset.ts'
import { decodedQuery } from '../decoded-query.ts'
import { sampleLayouts } from '../sample-layouts.ts'

/** Collections and query, then [text, count, field, collection] of each suggestion. */
const examples: readonly (readonly [string, string, readonly (readonly [string, number, string, string?])[]])[] = [
  [
    'geodata',
    'field=params.job&q=co',
    [
      ['Cost Estimator', 64, 'params.job'],
      ['Coder', 62, 'params.job'],
      ['Coach', 58, 'params.job'],
    ],
  ],
  ['geodata', 'field=params.job&q=est', [['Cost Estimator', 64, 'params.job']]],
  ['geodata', 'field=params.job&q=cost e', [['Cost Estimator', 64, 'params.job']]],
  ['geodata', 'field=params.job&q=ost', []],
  ['geodata', 'q=ic', [['ice', 117, 'text_search']]],
  ['geodata', 'field=_all&q=IC', [['ice', 117, 'text_search']]],
  [
    'geodata',
    'field=params.country&q=a&size=2&from=1',
    [
      ['Armenia', 60, 'params.country'],
      ['Aruba', 58, 'params.country'],
    ],
  ],
  [
    'geodata,geodata_actor',
    'field=params.job&q=act',
    [
      ['Actor', 59, 'params.job'],
      ['Actor', 59, 'params.job', 'geodata_actor'],
    ],
  ],
  [
    'geodata_actor,geodata',
    'field=params.job&q=act',
    [
      ['Actor', 59, 'params.job', 'geodata_actor'],
      ['Actor', 59, 'params.job'],
    ],
  ],
  ['geodata', 'q=par', []],
  ['geodata', 'field=params.city', []],
  ['geodata', 'field=params.foo&q=a', []],
  [
    'geodata',
    'field=text_search&size=5',
    [
      ['search', 595, 'text_search'],
      ['the', 595, 'text_search'],
      ['word', 595, 'text_search'],
      ['ice', 117, 'text_search'],
      ['jellybean', 64, 'text_search'],
    ],
  ],
  // Everything in one order: by count, text, field.
  [
    'geodata',
    'q=c&size=4',
    [
      ['Cost Estimator', 64, 'params.job'],
      ['Coder', 62, 'params.job'],
      ['chocolate', 62, 'text_search'],
      ['cream', 59, 'text_search'],
    ],
  ],
  ['geodata', 'field=params.job&q=c&f=params.job:eq:Coder,Dancer', [['Coder', 62, 'params.job']]],
  ['geodata', 'field=params.job&q=*', []],
]

describeEach(sampleLayouts)('suggestions, $name', (layout) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await layout.engine.start()
    await layout.load(server.base)
  })
  afterAll(() => server?.stop())

  const suggest = async (collections: string, query: string): Promise<unknown> => {
    const answer = await call(server.base, { path: withQuery(`/explore/${collections}/_suggest`, decodedQuery(query)) })
    return answer.json()
  }

  test.each(examples)('/explore/%s/_suggest?%s', async (collections, query, expected) => {
    const suggestions = expected.map(([text, count, field, collection = 'geodata']) => ({
      field,
      text,
      count,
      collection,
    }))
    expect(await suggest(collections, query)).toEqual({ suggestions })
  })

  test.each([
    ['geodata', 'field=params.age&q=1', 400, 'INVALID_PARAMETER'],
    ['geodata', 'field=geo_params.centroid', 400, 'INVALID_PARAMETER'],
    ['geodata', 'size=0', 400, 'INVALID_PARAMETER'],
    ['geodata', 'size=10001', 400, 'LIMIT_EXCEEDED'],
    ['geodata', 'from=-1', 400, 'INVALID_PARAMETER'],
    ['geodata,nowhere', 'q=a', 404, 'COLLECTION_NOT_FOUND'],
  ])('/explore/%s/_suggest?%s is refused with %d %s', async (collections, query, status, error) => {
    expect(await suggest(collections, query)).toMatchObject({ status, error })
  })

  test('what is typed is lower-cased as terms are', async () => {
    const texts = ['İstanbul', 'ΟΔΟΣ ΑΒ']
    const types = { id: 'keyword', name: 'keyword', place: 'geo_point', seen: 'date' }
    const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
    const bulk = toBulk(texts.map((name, i) => ({ id: `n${i}`, name })))
    await createIndex(server.base, 'letters', { properties }, bulk)
    const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'seen' }
    await putCollection(server.base, 'letters', { index_name: 'letters', ...paths })
    for (const text of texts) {
      const found = [{ field: 'name', text, count: 1, collection: 'letters' }]
      expect(await suggest('letters', `q=${text}`)).toEqual({ suggestions: found })
      expect(await suggest('letters', `q=${text.slice(0, 4)}`)).toEqual({ suggestions: found })
    }
  })
})
