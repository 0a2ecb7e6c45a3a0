import { expect, it } from 'vitest'
import { SourceMoves } from './source-moves.ts'

it('maps old offsets to new ones without gaps', () => {
  const moves = new SourceMoves()
  const sizes = Array.from({ length: 3_000 }, (_, i) => 1 + (i % 7))
  let at = 5
  let end = 0
  const expected: [number, number][] = []
  for (const size of sizes) {
    moves.add(at, size)
    expected.push([at, end])
    at += size + 3
    end += size
  }
  expect(moves.end).toBe(end)
  expect(expected.map(([old]) => [old, moves.newOffset(old)])).toEqual(expected)
  expect(() => moves.newOffset(6)).toThrow('offset 6')
})
