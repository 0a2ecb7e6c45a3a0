import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstRows } from './first-rows.ts'

/** Few distinct values, so that many are equal. Some rows have none. */
const rows = fc.array(
  fc.tuple(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.POSITIVE_INFINITY)), fc.integer()),
  { maxLength: 2_000 },
)

it('finds the first rows in the order of all keys, behind a place, and counts all that match', () => {
  fc.assert(
    fc.property(rows, fc.nat(40), fc.option(fc.tuple(fc.nat(5), fc.integer())), (values, wanted, place) => {
      const keys = [0, 1].map((i) => (row: number) => values[row]?.[i] ?? 0)
      const matches = (row: number): boolean => (values[row]?.[1] ?? 0) % 3 !== 0
      const expected = [...values.keys()].filter(matches).toSorted((a, b) => {
        const [[a0 = 0, a1 = 0] = [], [b0 = 0, b1 = 0] = []] = [values[a], values[b]]
        return a0 === b0 ? a1 - b1 : a0 - b0
      })
      const isBehind = (row: number): boolean => {
        const [[own0 = 0, own1 = 0] = [], [other0, other1] = [0, 0]] = [values[row], place ?? undefined]
        return own0 === other0 ? own1 > other1 : own0 > other0
      }
      const behind = place ? expected.filter(isBehind) : expected
      const { found, total } = firstRows({ rows: values.length, matches, keys, after: place ?? undefined, wanted })
      expect(total).toBe(expected.length)
      expect(found.map((row) => values[row])).toEqual(behind.slice(0, wanted).map((row) => values[row]))
    }),
  )
})
