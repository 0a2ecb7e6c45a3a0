import { describe, expect, test } from 'vitest'
import { faultOf, resolve, resolveOne } from './aggregation.fixture.ts'

describe('include', () => {
  const included = (text: string) => {
    const grouping = resolveOne(text).level?.grouping
    return grouping?.kind === 'term' ? grouping.include : undefined
  }

  test('one value of a keyword is a pattern for the whole term', () => {
    const literal = (text: string) => ({
      kind: 'pattern',
      pattern: { anchoredStart: true, anchoredEnd: true, node: { kind: 'literal', text } },
    })
    expect(included('term:params.job:include-Actor')).toEqual(literal('Actor'))
    expect(included('term:params.job:include-^Actor$')).toEqual(literal('Actor'))
    expect(included('term:params.job:include-a\\,b')).toEqual(literal('a,b'))
    expect(included('term:params.job:include-A|B')).toMatchObject({ pattern: { node: { kind: 'choice' } } })
    expect(included('term:params.job:include-a{1\\,3}')).toMatchObject({ pattern: { node: { min: 1, max: 3 } } })
  })

  test.each([
    ['params.job:include-Actor, Coach,Actor', ['Actor', 'Coach']],
    ['params.job:include-(,A.*', ['(', 'A.*']],
    ['params.job:include-a\\,b,c', ['a,b', 'c']],
    ['params.age:include-10', [10n]],
    ['params.age:include-%2B10'.replace('%2B', '+'), [10n]],
    ['params.age:include-10,1e1,20.0', [10n, 20n]],
    ['params.age:include-1.5', []],
    ['types.double:include-1.5', [1.5]],
    ['types.float:include-0.1', [Math.fround(0.1)]],
    ['types.flag:include-TRUE', [true]],
    ['types.ip:include-10.0.0.1,::1', ['00000000000000000000ffff0a000001', '00000000000000000000000000000001']],
    ['params.startdate:include-763600', [763600]],
    ['types.day:include-2024-05,2024-05-01T00:00:00Z', [Date.UTC(2024, 4, 1)]],
    ['types.pattern_day:include-02/05/2024', [Date.UTC(2024, 4, 2)]],
  ])('values are read as the field has them: %s', (text, values) => {
    expect(included(`term:${text}`)).toEqual({ kind: 'values', values })
  })

  test.each(['params.age:include-foo', 'types.flag:include-1', 'types.ip:include-1.2', 'types.day:include-foo,2024'])(
    'others are refused: %s',
    (text) => {
      expect(faultOf(() => resolve([`term:${text}`]))).toMatch(
        /^INVALID_AGGREGATION: include of aggregation 1 .* of type \w+, got '/,
      )
    },
  )

  test('a sign is a number or no pattern, as the field decides', () => {
    expect(faultOf(() => resolve(['term:params.job:include-+5']))).toMatch(
      /^INVALID_AGGREGATION: include of aggregation 1/,
    )
    expect(resolveOne('term:params.nope:include-+5').level).toBeUndefined()
  })
})
