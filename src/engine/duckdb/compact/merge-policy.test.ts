import { describe, expect, it } from 'vitest'
import { type MergeCandidate, nextMerge } from './merge-policy.ts'

const segment = (rows: number, rest: Partial<MergeCandidate> = {}): MergeCandidate => ({
  rows,
  dead: 0,
  isSegment: true,
  isEdited: false,
  ...rest,
})

describe('the merge policy', () => {
  it('leaves few similar segments alone while documents arrive', () => {
    expect(
      nextMerge(
        [10, 10, 10, 10, 10].map((n) => segment(n)),
        false,
      ),
    ).toBeUndefined()
  })

  it('merges many similar ones, and any two when idle', () => {
    expect(
      nextMerge(
        [10, 10, 10, 10, 10, 10].map((n) => segment(n)),
        false,
      ),
    ).toEqual({ from: 0, to: 6 })
    expect(
      nextMerge(
        [10, 10].map((n) => segment(n)),
        true,
      ),
    ).toEqual({ from: 0, to: 2 })
  })

  it('keeps a large segment until the newer ones are as large together', () => {
    expect(
      nextMerge(
        [100, 10, 10].map((n) => segment(n)),
        true,
      ),
    ).toEqual({ from: 1, to: 3 })
    expect(
      nextMerge(
        [20, 10, 10].map((n) => segment(n)),
        true,
      ),
    ).toEqual({ from: 0, to: 3 })
  })

  it('does not merge tails, nor across them', () => {
    const parts = [segment(10), segment(10), segment(5, { isSegment: false })]
    expect(nextMerge(parts, true)).toEqual({ from: 0, to: 2 })
  })

  it('writes segments with many dead rows again', () => {
    expect(nextMerge([segment(10_000, { dead: 9_000 }), segment(10)], true)).toEqual({ from: 0, to: 1 })
    expect(nextMerge([segment(10_000, { dead: 900 }), segment(10)], true)).toBeUndefined()
  })

  it('writes edited segments again when idle', () => {
    expect(nextMerge([segment(10_000, { isEdited: true }), segment(10)], false)).toBeUndefined()
    expect(nextMerge([segment(10_000, { isEdited: true }), segment(10)], true)).toEqual({ from: 0, to: 1 })
  })

  it('rewrites each document a logarithmic number of times', () => {
    let sizes: number[] = []
    let written = 0
    for (let i = 0; i < 1_000; i++) {
      sizes.push(1)
      for (;;) {
        const merge = nextMerge(
          sizes.map((rows) => segment(rows)),
          false,
        )
        if (!merge) break
        const rows = sizes.slice(merge.from, merge.to).reduce((a, b) => a + b, 0)
        written += rows
        sizes = [...sizes.slice(0, merge.from), rows, ...sizes.slice(merge.to)]
      }
      expect(sizes.length).toBeLessThan(60)
    }
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(1_000)
    expect(written).toBeLessThan(1_000 * 8)
  })
})
