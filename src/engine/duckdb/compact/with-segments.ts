import { IndexParts, recordsOf } from '../parts/index-parts.ts'
import type { PartEntry } from '../parts/part-entry.ts'
import type { IndexTable } from '../table/index-table.ts'

/** Returns the table with new segments in place of some entries. Undefined if those have changed in other ways than deletions. */
export async function withSegments(
  now: IndexTable,
  old: readonly PartEntry[],
  made: readonly PartEntry[],
): Promise<IndexTable | undefined> {
  const current = old.map(({ firstSeq }) => now.parts.entries.find((entry) => entry.firstSeq === firstSeq))
  // Deletions can be followed, edits cannot. A segment that could be read may have been lost.
  const isSame = current.every(
    (entry, i) =>
      entry?.overlay === old[i]?.overlay &&
      entry?.part.rows === old[i]?.part.rows &&
      entry?.base.kind === old[i]?.base.kind,
  )
  if (!isSame) return undefined
  const entries = current.filter((entry) => entry !== undefined)
  const parts = now.parts.replaced(entries, await sinceDeleted(made, entries))
  return now.changed({ ...now.definition, segments: recordsOf(parts) }, parts)
}

/** Marks the rows of new segments that were deleted while they were built. */
async function sinceDeleted(made: readonly PartEntry[], old: readonly PartEntry[]): Promise<readonly PartEntry[]> {
  if (old.every(({ live }) => live.dead === 0)) return made
  const dead: number[] = []
  for (const { live, part } of old) {
    const { part: opened, release } = await part.open({ seqs: true })
    const { seqs } = opened
    for (const row of live.deadRows()) dead.push(seqs.seq(row))
    release()
  }
  return (await new IndexParts(made).removed(dead)).entries
}
