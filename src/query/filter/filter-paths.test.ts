import { expect, test } from 'vitest'
import { filterPaths } from './filter-paths.ts'
import type { ParsedFilter } from './filter-syntax.ts'

test('the paths a filter names', () => {
  const filter = (q: readonly string[]): ParsedFilter => ({ f: [], q: [q.map((text) => ({ text, place: 'q' }))] })
  const named = (...q: readonly string[]) => filterPaths(filter(q), (name) => name)
  expect(named('params.job:text', 'params.job:a b:c')).toEqual(['params.job', 'params.job'])
  expect(named('text', '*:text', 'par*:text', ':text', 'two words:text', '')).toEqual(['*', '*', '*', '*', '*', '*'])
})
