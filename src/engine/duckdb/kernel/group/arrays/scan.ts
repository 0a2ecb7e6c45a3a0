import { everything, type Predicate } from '../../../../../query/plan/predicate.ts'
import type { Turn } from '../../../../../turn.ts'
import { countMatches } from '../../filter/count.ts'
import { compileFilter, type Filter } from '../../filter/filter.ts'
import type { NumberedPart } from '../../numbered-part.ts'

export interface ScannedPart extends NumberedPart {
  readonly filter: Filter
}

export const compileParts = (predicate: Predicate, parts: readonly NumberedPart[]): readonly ScannedPart[] =>
  parts.map((numbered) => ({ ...numbered, filter: compileFilter(predicate, numbered.part) }))

/** Receives the selected rows of the parts. */
interface RowSink {
  begin(part: number): void
  /** Adds rows: `rows`, ascending, or those from `from` on, all in bucket 0. */
  add(rows: Uint32Array | undefined, from: number, bucket: number, count: number): void
  end(): void
  /** True if the sink wants all live rows of the part, and subtracts those that the filter excepts. */
  readonly takesAll?: boolean
  /** Adds all live rows of the part, if they need not be read. */
  addKnown?(): boolean
}

/** Passes all selected rows to a sink. Returns their number. `check` is called now and then. */
export async function scan(
  parts: readonly ScannedPart[],
  sink: RowSink,
  turn: Turn,
  check?: () => void,
): Promise<number> {
  let total = 0
  for (const [i, { part, filter }] of parts.entries()) {
    sink.begin(i)
    if (sink.takesAll) {
      if (!sink.addKnown?.()) {
        for (const { rows, from, count } of compileFilter(everything, part).batches()) {
          sink.add(rows, from, 0, count)
          if (turn.isOver) await turn.next()
        }
      }
      total += await countMatches(filter, turn)
      sink.end()
      check?.()
      continue
    }
    for (const { rows, from, count } of filter.batches()) {
      if (count > 0) sink.add(rows, from, 0, count)
      total += count
      check?.()
      if (turn.isOver) await turn.next()
    }
    sink.end()
  }
  return total
}
