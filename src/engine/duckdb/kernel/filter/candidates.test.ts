import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BLOCK } from '../../segment/column.ts'
import { type Candidates, candidateCount } from '../row-test.ts'
import { ascendingRows, uniteCandidates } from './candidates.ts'

const ROWS = 5 * BLOCK + 17
const row = fc.nat(ROWS - 1)

it('lists the distinct rows of several lists, however many', () => {
  const lists = fc.array(fc.array(row, { maxLength: 40 }), { maxLength: 4 })
  fc.assert(
    fc.property(lists, fc.constantFrom(ROWS, 1000 * ROWS), (rows, partRows) => {
      const expected = [...new Set(rows.flat())].sort((a, b) => a - b)
      const found = ascendingRows(
        rows.map((list) => Uint32Array.from(list)),
        partRows,
      )
      expect(Array.from(found)).toEqual(expected)
    }),
  )
})

const rowsOf = (candidates: Candidates): ReadonlySet<number> =>
  new Set(
    candidates.kind === 'rows'
      ? candidates.rows
      : candidates.ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i)),
  )

const listed = fc
  .uniqueArray(row, { maxLength: 20 })
  .map((rows): Candidates => ({ kind: 'rows', rows: Uint32Array.from(rows).sort(), exact: true }))
const inRanges = fc.uniqueArray(row, { minLength: 2, maxLength: 2 }).map(
  ([a = 0, b = 0]): Candidates => ({
    kind: 'ranges',
    ranges: [[Math.min(a, b), Math.max(a, b)]],
    exact: true,
  }),
)

it('candidates of a disjunction contain those of its members, and no others if they are exact', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(listed, inRanges), { minLength: 1, maxLength: 4 }), (members) => {
      const united = uniteCandidates(members, ROWS)
      const expected = new Set(members.flatMap((member) => [...rowsOf(member)]))
      const found = rowsOf(united)
      expect([...expected].filter((each) => !found.has(each))).toEqual([])
      if (united.exact) expect(found.size).toBe(expected.size)
      // Ranges are disjoint.
      expect(candidateCount(united)).toBe(found.size)
      expect(Math.max(...found)).toBeLessThan(ROWS)
    }),
  )
})
