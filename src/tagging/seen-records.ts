import type { TagRecord } from '../model/tag-record.ts'
import type { SeenRecords, TagListing } from './tagging.ts'

export const isSeen = (record: TagRecord, { narrowing }: SeenRecords): boolean =>
  narrowing === undefined || record.narrowing === narrowing

/** Returns the records of one narrowing, renumbered from 0 in log order. */
export async function* ownRecords(records: AsyncIterable<TagRecord>, listing: TagListing): AsyncIterable<TagRecord> {
  const { from = 0, size = Number.POSITIVE_INFINITY } = listing
  let number = -1
  for await (const record of records) {
    if (!isSeen(record, listing)) continue
    number += 1
    if (number >= from) yield { ...record, offset: number }
    if (number - from + 1 >= size) return
  }
}
