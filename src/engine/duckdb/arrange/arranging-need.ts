import type { IndexDefinition } from '../index/index-definition.ts'
import { SMALL_FILE } from './source-rewriting.ts'

/** A tail smaller than both bounds slows queries down less than arranging costs. */
const SMALL_TAIL = 10_000
const TAIL_SHARE = 0.1
/** Used while documents keep coming. A smaller share would rewrite a growing index over and over. */
const TAIL_SHARE_GROWING = 0.25

/** Share of rows of deleted documents. They take space in the table and in the source file. */
const GONE_SHARE = 0.5

/** True if the tail is long, most rows were deleted, or edits left the storage in bad shape. */
export function needsArranging(definition: IndexDefinition, isIdle = true): boolean {
  const { nextSeq, arrangedSeq, documents } = definition
  const tail = nextSeq - arrangedSeq
  const gone = nextSeq - documents
  if (tail > Math.max(SMALL_TAIL, nextSeq * (isIdle ? TAIL_SHARE : TAIL_SHARE_GROWING))) return true
  return gone > Math.max(SMALL_TAIL, nextSeq * GONE_SHARE) || isWorn(definition)
}

/** True if edits removed ranks or days, or left most of the source file unused. */
export function isWorn(definition: IndexDefinition): boolean {
  const { lacksAids, sourceEnd } = definition
  return lacksAids === true || (sourceEnd > SMALL_FILE && unusedBytes(definition) > sourceEnd * GONE_SHARE)
}

/**
 * Estimates the unused bytes of the source file. Documents deleted since the last measurement count with the average
 * size.
 */
function unusedBytes({ sourceStale = 0, sourceEnd, nextSeq, documents }: IndexDefinition): number {
  if (nextSeq === 0) return sourceStale
  return sourceStale + ((nextSeq - documents) * (sourceEnd - sourceStale)) / nextSeq
}
