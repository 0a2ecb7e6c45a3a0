import { describe, expect, test } from 'vitest'
import { parseColumnFilter } from './column-filter.ts'

/** Returns the covered paths; undefined if the collection is not covered. */
function covered(header: string, paths: readonly string[], collection = 'trips'): readonly string[] | undefined {
  const patterns = parseColumnFilter(header)?.patternsOf(collection)
  return patterns && paths.filter((path) => patterns.selects(path))
}

describe('patterns', () => {
  const paths = ['params', 'params.job', 'params.jobs', 'paramsx', 'other']

  test.each<[string, readonly string[]]>([
    ['params', ['params', 'params.job', 'params.jobs']],
    ['params.job', ['params.job']],
    ['params.*', ['params.job', 'params.jobs']],
    ['params*', ['params', 'params.job', 'params.jobs', 'paramsx']],
    ['*.job', ['params.job']],
    ['trips:*', paths],
    [':other', ['other']],
    [' other , params . job ', ['params.job', 'other']],
    ['trips:other', ['other']],
    ['tr*:other', ['other']],
    ['*:other', ['other']],
    ['trips:other,parks:params', ['other']],
    ['trips:other,params.job', ['params.job', 'other']],
    [',,other,', ['other']],
    ['oth', []],
    ['OTHER', []],
  ])('%s', (header, expected) => {
    expect(covered(header, paths)).toEqual(expected)
  })
})

test.each(['*', ':*', '**', '*:*', ' * ', 'params.job,*', 'parks:params,:*'])('%s narrows nothing', (header) => {
  expect(parseColumnFilter(header)).toBeUndefined()
})

describe('collections without an entry are not there', () => {
  test.each(['', ' ', ',', ':', 'trips:', 'parks:params', 'trip:params', 'p*:params', 'TRIPS:params', '*x:params'])(
    '%s',
    (header) => {
      expect(covered(header, [])).toBeUndefined()
    },
  )

  test('a star counts at the end of a name only', () => {
    expect(covered('t*s:params', ['params'])).toBeUndefined()
    expect(covered('t*s:params', ['params'], 't*s')).toEqual(['params'])
  })
})
