import type { NumberedPart, RowRef } from '../numbered-part.ts'

/** Returns the row of the document with an index-level identifier. */
export function documentRow(parts: readonly Pick<NumberedPart, 'part'>[], id: string): RowRef | undefined {
  for (const [number, { part }] of parts.entries()) {
    for (const row of part.ids.find(id)) if (part.live.isLive(row)) return { part: number, row }
  }
  return undefined
}
