import type { Predicate } from '../../../../query/plan/predicate.ts'
import type { Turn } from '../../../../turn.ts'
import type { NumberedPart } from '../numbered-part.ts'
import { compileFilter, type Filter } from './filter.ts'

/** Returns the number of live rows that match. */
export async function countParts(predicate: Predicate, parts: readonly NumberedPart[], turn: Turn): Promise<number> {
  let count = 0
  for (const { part } of parts) count += await countMatches(compileFilter(predicate, part), turn)
  return count
}

export async function countMatches(filter: Filter, turn: Turn): Promise<number> {
  let count = 0
  for (const some of filter.counts()) {
    count += some
    if (turn.isOver) await turn.next()
  }
  return count
}
