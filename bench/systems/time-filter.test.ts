import { describe, expect, it } from 'vitest'
import { drawFixture, questionFixture } from './question.fixture.ts'
import { timeOf, withTime, withTimeBody } from './time-filter.ts'

const time = { from: 1000, to: 2000 }
const range = { range: { seen: { gte: 1000, lte: 2000 } } }

describe('a time filter of a Periplus request', () => {
  const pathWith = (path: string): string => decodeURIComponent(withTime({ method: 'GET', path }, time).path)

  it('is one more parameter', () => {
    expect(pathWith('/explore/bench/_count')).toBe('/explore/bench/_count?f=seen:range:[1000<2000]')
    expect(pathWith('/explore/bench/_count?f=kind:eq:a')).toBe(
      '/explore/bench/_count?f=kind:eq:a&f=seen:range:[1000<2000]',
    )
  })

  it('is one more group of the filter in a body', () => {
    const added = [{ field: 'seen', op: 'range', value: '[1000<2000]' }]
    const call = { method: 'POST', path: '/explore/bench/_count' } as const
    expect(withTime(call, time)).toEqual({ ...call, body: { filter: { f: [added] } } })
    const own = [{ field: 'kind', op: 'eq', value: 'a' }]
    const body = { aggregations: [], filter: { q: ['reef'], f: [own] } }
    expect(withTime({ ...call, body }, time)).toEqual({
      ...call,
      body: { aggregations: [], filter: { q: ['reef'], f: [own, added] } },
    })
  })

  it('changes nothing if there is none', () => {
    const call = { method: 'GET', path: '/explore/bench/_count' } as const
    expect(withTime(call, undefined)).toBe(call)
  })
})

describe('a time filter of an OpenSearch body', () => {
  it('is a filter beside the query', () => {
    const query = { match: { title: 'reef' } }
    expect(withTimeBody({ size: 3, query }, time)).toEqual({
      size: 3,
      query: { bool: { must: [query], filter: [range] } },
    })
    expect(withTimeBody({ size: 3 }, time)).toEqual({ size: 3, query: { bool: { filter: [range] } } })
  })

  it('changes nothing if there is none', () => {
    const body = { size: 3 }
    expect(withTimeBody(body, undefined)).toBe(body)
  })
})

it('questions that ignore the time are asked without a filter', () => {
  const draw = { ...drawFixture, time }
  expect(timeOf(questionFixture, draw)).toBe(time)
  expect(timeOf({ ...questionFixture, ignoresTime: true }, draw)).toBeUndefined()
})
