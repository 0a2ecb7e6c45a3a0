import { array, assert, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TopRows } from './top-rows.ts'

describe('the best rows', () => {
  it('are the first of all in order', () => {
    const rows = array(integer({ min: 0, max: 20 }), { maxLength: 200 })
    assert(
      property(record({ rows, most: integer({ min: 1, max: 50 }) }), ({ rows: ranks, most }) => {
        const top = new TopRows(most, (a, b) => b - a, Infinity)
        for (const [row, rank] of ranks.entries()) if (rank <= top.threshold) top.add(row, rank)
        const sorted = ranks.map((rank, row) => ({ rank, row })).sort((a, b) => a.rank - b.rank || b.row - a.row)
        expect([...top.sorted()]).toEqual(sorted.slice(0, most).map(({ row }) => row))
      }),
    )
  })

  it('can be collected again below the threshold of an earlier attempt', () => {
    const ranks = [5, 3, 8, 1, 9, 2]
    const top = new TopRows(2, (a, b) => a - b, Infinity)
    for (const row of [0, 1, 2]) if ((ranks[row] ?? 0) <= top.threshold) top.add(row, ranks[row] ?? 0)
    top.clear()
    expect(top.threshold).toBe(5)
    for (const [row, rank] of ranks.entries()) if (rank <= top.threshold) top.add(row, rank)
    expect([...top.sorted()]).toEqual([3, 5])
  })
})
