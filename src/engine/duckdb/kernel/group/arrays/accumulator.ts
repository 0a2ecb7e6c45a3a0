import type { Turn } from '../../../../../turn.ts'

/** The bucket of each row, or of all rows. */
export type Buckets = Uint32Array | number

/** Gathers something about the rows of each bucket while a pass visits them. */
export interface Accumulator {
  /** Called before the first part. */
  prepare?(turn: Turn): Promise<void>
  /** Starts with a part, by its index. */
  begin(part: number): void
  /**
   * Adds rows: `rows`, ascending, or those from `from` on. `buckets`: that of each row, or of all. Bucket numbers are
   * below `size`.
   */
  add(rows: Uint32Array | undefined, from: number, buckets: Buckets, count: number, size: number): void
  /** Ends the part. */
  end(): void
}

/** Length of an array that grows to at least `size`. */
export const grownLength = (size: number): number => Math.max(64, 2 ** Math.ceil(Math.log2(size + 1)))

export function grownDoubles(array: Float64Array, size: number, filling = 0): Float64Array {
  if (size <= array.length) return array
  const longer = new Float64Array(grownLength(size))
  if (filling !== 0) longer.fill(filling, array.length)
  longer.set(array)
  return longer
}

export function grownCounts(array: Uint32Array, size: number): Uint32Array {
  if (size <= array.length) return array
  const longer = new Uint32Array(grownLength(size))
  longer.set(array)
  return longer
}
