import { BLOCK } from '../column.ts'
import { sharedUint32s } from '../shared-arrays.ts'
import { DROPPED, type SourcePart } from './build-rows.ts'

/** A column of one of the parts that a segment is built of. */
export interface ColumnSource<C> {
  readonly column: C
  readonly targets: Uint32Array
}

/** Where the values of the rows of a new column lie: at their row, or from `starts` on. */
export interface Positions {
  readonly starts?: Uint32Array
  /** Number of positions. */
  readonly count: number
}

/** Returns the columns of those parts that have one. */
export function columnsOfSources<C>(
  sources: readonly SourcePart[],
  columnOf: (part: SourcePart['part']) => C | undefined,
): readonly ColumnSource<C>[] {
  return sources.flatMap(({ part, targets }) => {
    const column = columnOf(part)
    return column === undefined ? [] : [{ column, targets }]
  })
}

type HasStarts = { readonly starts?: Uint32Array }

/** `starts` only if a row has several values. */
export function arrangePositions<C extends HasStarts>(
  sources: readonly ColumnSource<C>[],
  rows: number,
  hasValue: (column: C, row: number) => boolean,
): Positions {
  if (!sources.some(hasSeveral)) return { count: rows }
  const starts = arrangeStarts(sources, rows, hasValue)
  return { starts, count: starts[rows] ?? 0 }
}

/** Returns where the values of each row begin. */
export function arrangeStarts<C extends HasStarts>(
  sources: readonly ColumnSource<C>[],
  rows: number,
  hasValue: (column: C, row: number) => boolean,
): Uint32Array {
  const starts = sharedUint32s(rows + 1)
  for (const { column, targets } of sources) {
    for (let row = 0; row < targets.length; row++) {
      const target = targets[row] ?? DROPPED
      if (target !== DROPPED)
        starts[target + 1] = column.starts ? lengthAt(column.starts, row) : hasValue(column, row) ? 1 : 0
    }
  }
  for (let row = 0; row < rows; row++) starts[row + 1] = (starts[row] ?? 0) + (starts[row + 1] ?? 0)
  return starts
}

const lengthAt = (starts: Uint32Array, row: number): number => (starts[row + 1] ?? 0) - (starts[row] ?? 0)

function hasSeveral({ column: { starts }, targets }: ColumnSource<HasStarts>): boolean {
  if (starts === undefined) return false
  for (let row = 0; row < targets.length; row++) if (lengthAt(starts, row) > 1 && targets[row] !== DROPPED) return true
  return false
}

type Scalars = Uint32Array | Float64Array

/**
 * Moves the values of a source to their positions. `read` copies those from a position of the source to another
 * (excluded) to the beginning of an array.
 */
export function moveValues<T extends Scalars>(
  { column: { starts }, targets }: ColumnSource<HasStarts>,
  read: (from: number, to: number, into: T) => void,
  make: (length: number) => T,
  positions: Positions,
  into: T,
): void {
  let block = make(BLOCK)
  for (let from = 0; from < targets.length; from += BLOCK) {
    const to = Math.min(targets.length, from + BLOCK)
    const [first, last] = starts === undefined ? [from, to] : [starts[from] ?? 0, starts[to] ?? 0]
    if (block.length < last - first) block = make(last - first)
    read(first, last, block)
    if (starts === undefined && positions.starts === undefined) moveSingle(block, from, to, targets, into)
    else moveSeveral(block, from, to, starts, targets, positions.starts, into)
  }
}

function moveSingle(block: Scalars, from: number, to: number, targets: Uint32Array, into: Scalars): void {
  for (let row = from; row < to; row++) {
    const target = targets[row] ?? DROPPED
    if (target !== DROPPED) into[target] = block[row - from] ?? 0
  }
}

function moveSeveral(
  block: Scalars,
  from: number,
  to: number,
  starts: Uint32Array | undefined,
  targets: Uint32Array,
  newStarts: Uint32Array | undefined,
  into: Scalars,
): void {
  const base = starts?.[from] ?? from
  for (let row = from; row < to; row++) {
    const target = targets[row] ?? DROPPED
    if (target === DROPPED) continue
    let at = newStarts === undefined ? target : (newStarts[target] ?? 0)
    // A row of a source without `starts` may have no value; then there is no position for it.
    const end = newStarts === undefined ? at + 1 : (newStarts[target + 1] ?? 0)
    let i = (starts?.[row] ?? row) - base
    const last = (starts?.[row + 1] ?? row + 1) - base
    while (i < last && at < end) into[at++] = block[i++] ?? 0
  }
}
