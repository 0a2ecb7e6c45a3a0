import type { Part } from '../../segment/part.ts'
import type { FilledKeys } from './keys/key-column.ts'

/*
 * Columns of segments are immutable, so the rows of each slot are counted once per column and grouping, dead rows
 * included. Readers subtract those.
 */

/** Maximum memory of all totals. */
const MOST_BYTES = 2 ** 24

interface Totals {
  /** Undefined if they were dropped. */
  counts: Uint32Array | undefined
}

const byColumn = new WeakMap<object, Map<string, Totals>>()
/** The most recently used last. Does not keep columns alive. */
const recent = new Set<Totals>()
let bytes = 0

/** Dead rows are read one by one. Above this share of the part (1 : n), reading all rows costs less. */
const DEAD_SHARE = 64

/** Up to this number of rows, `fill` reads them one by one. */
const DEAD_BATCH = 32

/** True if totals of the part may be kept. */
export const keepsTotals = ({ sortedBy, live, rows }: Part): boolean =>
  // Tails are not sorted.
  sortedBy !== undefined && live.dead * DEAD_SHARE <= rows

/** Returns the live rows of each slot; undefined if totals are not known. */
export function knownCounts(keys: FilledKeys, part: Part): Uint32Array | undefined {
  const totals = keys.scheme && byColumn.get(keys.scheme.column)?.get(keys.scheme.name)
  if (totals?.counts === undefined) return undefined
  recent.delete(totals)
  recent.add(totals)
  const counts = totals.counts.slice()
  subtractRows(counts, keys, part.live.deadRows())
  return counts
}

/** Keeps the totals of a part. `counts`: live rows of each slot. */
export function keepCounts(keys: FilledKeys, part: Part, counts: Uint32Array): void {
  const { scheme } = keys
  if (scheme === undefined || counts.byteLength > MOST_BYTES) return
  const all = counts.slice()
  addRows(all, keys, part.live.deadRows(), 1)
  const known = byColumn.get(scheme.column) ?? new Map<string, Totals>()
  byColumn.set(scheme.column, known)
  const before = known.get(scheme.name)
  if (before) drop(before)
  const totals = { counts: all }
  known.set(scheme.name, totals)
  recent.add(totals)
  bytes += all.byteLength
  for (const oldest of recent) {
    if (bytes <= MOST_BYTES) break
    drop(oldest)
  }
}

function drop(totals: Totals): void {
  if (recent.delete(totals)) bytes -= totals.counts?.byteLength ?? 0
  totals.counts = undefined
}

/** Subtracts rows one by one. They ascend. */
export const subtractRows = (counts: Uint32Array, keys: FilledKeys, rows: Iterable<number>): void =>
  addRows(counts, keys, rows, -1)

function addRows(counts: Uint32Array, keys: FilledKeys, added: Iterable<number>, sign: number): void {
  const rows = new Uint32Array(DEAD_BATCH)
  const slots = new Uint32Array(DEAD_BATCH)
  let n = 0
  const flush = (): void => {
    keys.fill(rows, 0, n, slots)
    for (let i = 0; i < n; i++) {
      const slot = slots[i] ?? 0
      counts[slot] = (counts[slot] ?? 0) + sign
    }
    n = 0
  }
  for (const row of added) {
    rows[n++] = row
    if (n === DEAD_BATCH) flush()
  }
  flush()
}
