import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BLOCK } from '../../segment/column.ts'
import {
  countMask,
  createMask,
  createRowList,
  intersectMask,
  invertMask,
  keepIf,
  listRows,
  subtractMask,
  uniteMask,
} from './filter-mask.ts'

/** A mask of some rows, with garbage after them. */
const masks = fc
  .tuple(fc.constantFrom(1, 2, 3, 31, 32, 33, 1000, BLOCK), fc.integer({ min: 1, max: 100 }), fc.nat())
  .map(([rows, share, seed]) => {
    let state = seed
    const mask = createMask().map(() => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32 < share / 100 ? 1 : 0
    })
    return { rows, mask }
  })

const setRows = (mask: Uint8Array, rows: number): number[] =>
  Array.from(mask.subarray(0, rows)).flatMap((byte, i) => (byte === 1 ? [i] : []))

it('counts and lists the rows of a mask', () => {
  fc.assert(
    fc.property(masks, fc.constantFrom(0, BLOCK, 2 ** 31), ({ mask, rows }, from) => {
      const expected = setRows(mask, rows).map((row) => from + row)
      const list = createRowList()
      expect(countMask(mask, rows)).toBe(expected.length)
      expect(listRows(mask, rows, from, list)).toBe(expected.length)
      expect(Array.from(list.subarray(0, expected.length))).toEqual(expected)
    }),
  )
})

it('combines masks', () => {
  fc.assert(
    fc.property(masks, masks, ({ mask, rows }, { mask: other }) => {
      const combined = (change: (mask: Uint8Array) => void): number[] => {
        const copy = mask.slice()
        change(copy)
        return setRows(copy, rows)
      }
      const where = (test: (a: boolean, b: boolean) => boolean): number[] =>
        Array.from({ length: rows }, (_, i) => i).filter((i) => test(mask[i] === 1, other[i] === 1))
      expect(combined((m) => intersectMask(m, other, rows))).toEqual(where((a, b) => a && b))
      expect(combined((m) => uniteMask(m, other, rows))).toEqual(where((a, b) => a || b))
      expect(combined((m) => subtractMask(m, other, rows))).toEqual(where((a, b) => a && !b))
      expect(combined((m) => invertMask(m, rows))).toEqual(where((a) => !a))
      expect(combined((m) => keepIf(m, rows, 7, (row) => other[row - 7] === 1))).toEqual(where((a, b) => a && b))
    }),
  )
})
