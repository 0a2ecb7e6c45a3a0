import { BLOCK, type NumberColumn } from '../../segment/column.ts'
import type { Direction, KeyValue, PartKey, Ranks } from './sort-key.ts'

const codes = new Uint32Array(BLOCK)

/** Numbers, dates and booleans as a sort key. The rank is the value, negated if larger values come first. */
export function numberKey(column: NumberColumn, direction: Direction): PartKey {
  const { sign, missing } = direction
  const of = rankOf(column, direction)
  const ranks: Ranks = {
    of,
    ofValue: (value: KeyValue) => (typeof value === 'number' ? sign * value : missing),
    fill: fillRanks(column, direction, of),
    ...blockBounds(column, direction),
    ...walkOf(column, direction),
  }
  return {
    ranks,
    value: (row) => {
      const rank = of(row)
      return rank === missing ? null : sign * rank
    },
    compare: (a, b) => {
      const x = of(a)
      const y = of(b)
      return x < y ? -1 : x > y ? 1 : 0
    },
  }
}

function rankOf(column: NumberColumn, { sign, takesLargest, missing }: Direction): (row: number) => number {
  const { values, packing, starts } = column
  const step = packing ? sign * packing.step : sign
  const base = packing ? sign * packing.base - step : 0
  const at = (position: number): number => {
    const value = values[position] ?? Number.NaN
    // Packed: 0 is no value. Doubles: NaN is none.
    return packing ? (value === 0 ? missing : base + value * step) : Number.isNaN(value) ? missing : value * step
  }
  if (!starts) return at
  // The rank is already negated if larger values come first.
  const takesLowest = takesLargest === sign < 0
  return (row) => {
    const end = starts[row + 1] ?? 0
    let chosen = missing
    for (let position = starts[row] ?? 0; position < end; position++) {
      const rank = at(position)
      if (chosen === missing || (takesLowest ? rank < chosen : rank > chosen)) chosen = rank
    }
    return chosen
  }
}

function fillRanks(column: NumberColumn, { sign, missing }: Direction, of: (row: number) => number): Ranks['fill'] {
  const { values, packing, starts } = column
  if (starts) {
    return (from, to, into) => {
      for (let row = from; row < to; row++) into[row - from] = of(row)
    }
  }
  if (packing) {
    const step = sign * packing.step
    const base = sign * packing.base - step
    return (from, to, into) => {
      const count = to - from
      codes.set(values.subarray(from, to))
      for (let i = 0; i < count; i++) {
        const code = codes[i] ?? 0
        into[i] = code === 0 ? missing : base + code * step
      }
    }
  }
  return (from, to, into) => {
    const count = to - from
    into.set(values.subarray(from, to))
    for (let i = 0; i < count; i++) {
      const value = into[i] ?? 0
      into[i] = Number.isNaN(value) ? missing : sign * value
    }
  }
}

function blockBounds({ blocks }: NumberColumn, { sign, missing }: Direction): Pick<Ranks, 'lowest' | 'highest'> {
  if (!blocks) return {}
  const { complete } = blocks
  const [low, high] = sign > 0 ? [blocks.min, blocks.max] : [blocks.max, blocks.min]
  const bound = (values: Float64Array, block: number, isOutermost: boolean): number => {
    const value = values[block] ?? Number.NaN
    return Number.isNaN(value) || (isOutermost && complete[block] !== 1) ? missing : sign * value
  }
  return {
    lowest: (block) => bound(low, block, missing < 0),
    highest: (block) => bound(high, block, missing > 0),
  }
}

function walkOf({ order, starts }: NumberColumn, { sign }: Direction): Pick<Ranks, 'walk'> {
  if (!order || starts) return {}
  return { walk: { rows: order, from: 0, to: order.length, isReversed: sign < 0 } }
}
