import type { IndexDefinition } from '../index/index-definition.ts'
import { SMALL_FILE } from './source-rewriting.ts'

/** A tail of unarranged rows below both bounds costs a query less than arranging would. */
const SMALL_TAIL = 10_000
const TAIL_SHARE = 0.1
/** While documents keep coming: sooner, an index that grows would be rewritten over and over. */
const TAIL_SHARE_GROWING = 0.25

/** Rows of deleted documents take room, in the table and in the source file. */
const GONE_SHARE = 0.5

/** True when enough rows came since the storage was last put in order, most of them went, or edits wore it out. */
export function needsArranging(definition: IndexDefinition, isIdle = true): boolean {
  const { nextSeq, arrangedSeq, documents } = definition
  const tail = nextSeq - arrangedSeq
  const gone = nextSeq - documents
  if (tail > Math.max(SMALL_TAIL, nextSeq * (isIdle ? TAIL_SHARE : TAIL_SHARE_GROWING))) return true
  return gone > Math.max(SMALL_TAIL, nextSeq * GONE_SHARE) || isWorn(definition)
}

/** True when edits took aids away, or left most of the source file unused. */
export function isWorn(definition: IndexDefinition): boolean {
  const { lacksAids, sourceEnd } = definition
  return lacksAids === true || (sourceEnd > SMALL_FILE && unusedBytes(definition) > sourceEnd * GONE_SHARE)
}

/** About how much of the source file is of no use: documents that went since it was last told are taken to be of the usual size. */
function unusedBytes({ sourceStale = 0, sourceEnd, nextSeq, documents }: IndexDefinition): number {
  if (nextSeq === 0) return sourceStale
  return sourceStale + ((nextSeq - documents) * (sourceEnd - sourceStale)) / nextSeq
}
