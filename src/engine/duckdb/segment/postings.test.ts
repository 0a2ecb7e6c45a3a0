import fc from 'fast-check'
import { expect, it } from 'vitest'
import { VALUE_START } from './column.ts'
import { buildPostings, rowsOfToken } from './postings.ts'

/** Around the numbers that need another byte. */
const gap = fc.constantFrom(1, 2, 127, 128, 129, 16_383, 16_384, 16_385, 2_097_151, 2_097_152)

it('has the rows of each token', () => {
  fc.assert(
    fc.property(fc.array(fc.array(gap, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), (gapsOfTokens) => {
      const expected = gapsOfTokens.map((gaps) =>
        gaps.map((_, i) => gaps.slice(0, i + 1).reduce<number>((a, b) => a + b, -1)),
      )
      const rows = Math.max(0, ...expected.flat()) + 1
      const tokensOf = new Map<number, number[]>()
      for (const [i, own] of expected.entries()) {
        // Twice, which counts once.
        for (const row of own) tokensOf.set(row, [...(tokensOf.get(row) ?? [VALUE_START]), i + 1, i + 1])
      }
      const starts = new Uint32Array(rows + 1)
      for (let row = 0; row < rows; row++) starts[row + 1] = (starts[row] ?? 0) + (tokensOf.get(row)?.length ?? 0)
      const tokens = Uint32Array.from([...tokensOf].sort(([a], [b]) => a - b).flatMap(([, own]) => own))
      const postings = buildPostings(tokens, starts, rows, expected.length)
      expect(expected.map((_, i) => [...rowsOfToken(postings, i + 1)])).toEqual(expected)
      expect(expected.map((_, i) => postings.counts[i + 1])).toEqual(expected.map((own) => own.length))
    }),
    { numRuns: 30 },
  )
})
