import type { LiveRows } from '../segment/live-rows.ts'
import type { Extents, Part } from '../segment/part.ts'

const noExtents: Extents = { at: new Float64Array(), size: new Uint32Array() }

/**
 * A part in place of a segment that cannot be read, until that was built again. Has no columns: the database answers
 * all reads meanwhile. Rows are in the order of their numbers, so deletions are recorded.
 */
export const lostPart = (firstSeq: number, endSeq: number, live: LiveRows): Part => ({
  rows: endSeq - firstSeq,
  live,
  column: () => undefined,
  ids: { id: () => '', find: () => [] },
  seqs: {
    seq: (row) => firstSeq + row,
    row: (seq) => (seq >= firstSeq && seq < endSeq ? seq - firstSeq : -1),
  },
  extents: noExtents,
})
