import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningServer } from '../support/engines.ts'
import { call, withQuery } from '../support/http-client.ts'
import { decodedQuery } from './decoded-query.ts'
import { sampleLayouts } from './sample-layouts.ts'

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

describe.each(sampleLayouts)('suggestions, $name', (layout) => {
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
})
