import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Turn } from '../../../turn.ts'
import { LiveRows } from '../segment/live-rows.ts'
import type { Part } from '../segment/part.ts'
import { MarkedRows } from './marked-rows.ts'

/** A part without columns. Its rows have the extents with the given numbers. */
function partOf(name: string, extents: readonly number[], size: number): Part {
  return {
    rows: extents.length,
    live: LiveRows.all,
    column: () => undefined,
    ids: { id: (row) => `${name}${row}`, find: () => [] },
    seqs: { seq: (row) => row, row: (seq) => seq },
    extents: {
      at: Float64Array.from(extents, (n) => n * size),
      size: Uint32Array.from(extents, () => size),
    },
  }
}

async function idsOf(marked: MarkedRows, limits = { rows: 7, bytes: Number.MAX_VALUE }): Promise<readonly string[][]> {
  const found: string[][] = []
  for await (const batch of marked.batches(limits, new Turn())) found.push(batch.map(({ id }) => id))
  return found
}

test('marked rows come in the order of their sources, in full batches', async () => {
  const total = 300
  const shuffled = fc.shuffledSubarray(
    Array.from({ length: total }, (_, n) => n),
    { minLength: total },
  )
  const sizes = fc.constantFrom(2, 3000, 100_000, 2 ** 34)
  const marks = fc.array(fc.boolean(), { minLength: total, maxLength: total })
  await fc.assert(
    fc.asyncProperty(shuffled, fc.nat(total), sizes, fc.integer({ min: 1, max: 400 }), marks, async (...drawn) => {
      const [order, cut, size, roundRows, wanted] = drawn
      const marked = new MarkedRows(total * size, roundRows)
      const expected: string[] = []
      for (const [name, extents] of Object.entries({ a: order.slice(0, cut), b: order.slice(cut) })) {
        const part = marked.add(partOf(name, extents, size))
        for (const [row, extent] of extents.entries()) {
          if (!wanted[extent]) continue
          part.mark(row)
          expected[extent] = `${name}${row}`
        }
      }
      const batches = await idsOf(marked)
      expect(batches.flat()).toEqual(expected.filter((id) => id !== undefined))
      for (const batch of batches.slice(0, -1)) expect(batch).toHaveLength(7)
    }),
  )
})

test('batches of large documents have fewer of them', async () => {
  const marked = new MarkedRows(1000)
  const part = marked.add(partOf('a', [0, 1, 2, 3, 4, 5], 100))
  for (const row of [5, 0, 3, 2, 4]) part.mark(row)
  expect(await idsOf(marked, { rows: 100, bytes: 200 })).toEqual([['a0', 'a2'], ['a3', 'a4'], ['a5']])
})

test('nothing is marked at first', async () => {
  const marked = new MarkedRows(0)
  marked.add(partOf('a', [], 1))
  expect(await idsOf(marked)).toEqual([])
})
