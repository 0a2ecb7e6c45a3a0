import { describe, expect, it } from 'vitest'
import type { Filter } from '../../model/filter.ts'
import { resolveFilter } from '../filter/filter-resolver.ts'
import { filterContext, sampleView } from '../request/sample-collection.fixture.ts'
import { predicateCost } from './predicate-cost.ts'

const costOf = (filter: Filter): number => predicateCost(resolveFilter(filter, filterContext(sampleView)))
const list = (count: number, item: (i: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, i) => item(i)).join(separator)
const f = (field: string, op: string, value: string): Filter => ({ f: [[{ field, op, value }]] })

describe('predicateCost', () => {
  it.each([
    ['nothing', {}, 1],
    [
      'each value of a list',
      f(
        'params.job',
        'eq',
        list(500, (i) => `job${i}`),
      ),
      500,
    ],
    [
      'each range',
      f(
        'params.age',
        'range',
        list(3, (i) => `[${i}<${i + 0.5}]`),
      ),
      31,
    ],
    ['a pattern', f('params.job', 'like', '^Act'), 50],
    ['a fuzzy word', { q: [['params.job:jelybean~']] }, 100],
    ['each word, in each text field', { q: [['params.job:a b c']] }, 4],
  ])('counts %s', (_name, filter, cost) => {
    expect(costOf(filter)).toBe(cost)
  })

  it.each([
    [
      'ranges',
      f(
        'params.age',
        'range',
        list(5001, (i) => `[${i}<${i + 0.5}]`),
      ),
    ],
    [
      'patterns',
      { f: [Array.from({ length: 1001 }, (_, i) => ({ field: 'params.job', op: 'like', value: `a${i}` }))] },
    ],
    ['fuzzy words', { q: [[`params.job:${list(501, (i) => `word${i}~`, ' | ')}`]] }],
  ])('bounds the number of %s', (_name, filter) => {
    expect(() => resolveFilter(filter, filterContext(sampleView))).toThrow(/limits\.filterCost/)
  })
})
