import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeSet, codeList, codeRange, testCodes } from './filter-codes.ts'
import { testDoubles, type ValueTest } from './filter-values.ts'

const ROWS = 300

/** The rows that a test selects must be those for which it holds. */
function expectSelected(test: ValueTest, rows: readonly number[], isWanted: (row: number) => boolean): void {
  const list = Uint32Array.from([...rows, 0])
  const own = list.subarray(0, rows.length)
  const wanted = rows.filter(isWanted)
  expect(rows.filter((row) => test.holds(row))).toEqual(wanted)
  // In the memory of the rows, as compositions do.
  if (test.select) expect([...list.subarray(0, test.select(own, list))]).toEqual(wanted)
}

const someRows = fc.subarray(Array.from({ length: ROWS }, (_, row) => row))

describe.each([
  ['bytes', Uint8Array, 255],
  ['pairs of bytes', Uint16Array, 2 ** 16 - 1],
  ['words', Uint32Array, 2 ** 32 - 1],
] as const)('codes of %s', (_, Codes, most) => {
  const codes = fc.array(fc.oneof(fc.nat(9), fc.integer({ min: most - 9, max: most })), {
    minLength: ROWS,
    maxLength: ROWS,
  })
  const code = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: most - 9, max: most }))

  it('are selected by a range and by a list', () => {
    const range = fc.tuple(code, code).map(([a, b]): CodeSet => codeRange(Math.min(a, b), Math.max(a, b)))
    const list = fc
      .uniqueArray(code, { minLength: 1, maxLength: 5 })
      .map((wanted) => codeList(Uint32Array.from(wanted).sort()))
    fc.assert(
      fc.property(codes, fc.oneof(range, list), someRows, (values, set, rows) => {
        const has = (row: number): boolean => {
          const value = values[row] ?? 0
          return set.kind === 'range' ? value >= set.first && value <= set.last : set.codes.includes(value)
        }
        expectSelected(testCodes(Codes.from(values), set), rows, has)
      }),
    )
  })
})

it('doubles are selected by an interval', () => {
  const value = fc.constantFrom(Number.NaN, -Infinity, -1, -0.5, 0, 0.5, 1, Infinity)
  fc.assert(
    fc.property(
      fc.array(value, { minLength: ROWS, maxLength: ROWS }),
      value,
      value,
      someRows,
      (values, low, high, rows) => {
        const has = (row: number): boolean => (values[row] ?? 0) >= low && (values[row] ?? 0) <= high
        expectSelected(testDoubles(Float64Array.from(values), low, high), rows, has)
      },
    ),
  )
})
