/**
 * Keys of the rows of one part. Each key has a slot, a number from 1 that is cheap to compute for many rows; 0 is no
 * key. Slots are valid in the part, ids in all parts (key-space.ts).
 */
export type KeyColumn = FilledKeys | ListedKeys

interface PartSlots {
  /** Slots are below; grows with `fill` and `list` unless `bounded`. */
  readonly slots: number
  readonly bounded: boolean
  /** Returns the id of a key that occurs in the part; NO_ID if it gets no bucket. */
  idOf(slot: number): number
}

export interface FilledKeys extends PartSlots {
  readonly kind: 'filled'
  /** If set, a row may have several keys, and `fill` takes positions of values instead of rows (column.ts). */
  readonly starts: Uint32Array | undefined
  /** Sets `out[i]` to the slot of the i-th row: of `rows`, or of those from `from` on. Rows ascend. */
  fill(rows: Uint32Array | undefined, from: number, count: number, out: Uint32Array): void
  /** Names the slots if they depend on an immutable column and the name only. */
  readonly scheme?: { readonly column: object; readonly name: string } | undefined
  /** Set if rows with equal keys follow each other. */
  readonly runs?: KeyRuns | undefined
}

/** Finds runs of equal keys without reading all rows. */
export interface KeyRuns {
  /** A number that is equal in rows with equal keys. */
  markOf(row: number): number
  slotOf(mark: number): number
}

/** A row has any number of keys. */
export interface ListedKeys extends PartSlots {
  readonly kind: 'listed'
  /** Returns the slots of a row. The array is reused. */
  list(row: number): readonly number[]
}

export const NO_ID = -1

/** Slots above this number do not stay in the cache of a core. */
const MOST_SLOTS = 2 ** 20

/** True if arrays by slot are worth their memory for this number of rows. */
export const isDense = (slots: number, rows: number): boolean => slots <= MOST_SLOTS && slots <= 4096 + 4 * rows
