import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countRows, intersectSpans, numberRows, type RowSpan, RowSpans, rowTest } from './row-spans.ts'

/** Spans of the marked rows. */
function spansOf(marks: readonly boolean[]): readonly RowSpan[] {
  const spans = new RowSpans()
  for (const [i, isMarked] of marks.entries()) if (isMarked) spans.add(i, i + 1)
  return spans.spans
}

const marks = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 })

describe('spans of rows', () => {
  it('are as few as can be', () => {
    const spans = new RowSpans()
    spans.add(2, 4)
    spans.add(4, 4)
    spans.add(4, 9)
    spans.add(10, 11)
    expect(spans.spans).toEqual([
      { first: 2, end: 9 },
      { first: 10, end: 11 },
    ])
    expect(countRows(spans.spans)).toBe(8)
  })

  it('have in common what is in both', () => {
    fc.assert(
      fc.property(marks, marks, (some, others) => {
        const both = some.map((isMarked, i) => isMarked && others[i] === true)
        expect(intersectSpans(spansOf(some), spansOf(others))).toEqual(spansOf(both))
      }),
    )
  })

  it('tell the rows that are in them, and their numbers', () => {
    fc.assert(
      fc.property(marks, (marked) => {
        const spans = spansOf(marked)
        const rows = [...marked.keys()]
        expect(rows.map(rowTest(spans))).toEqual(marked)
        const numbers = rows.filter((row) => marked[row])
        expect(numberRows([...numbers.keys()], spans)).toEqual(numbers)
      }),
    )
  })
})
