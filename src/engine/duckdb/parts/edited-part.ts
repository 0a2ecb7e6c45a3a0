import type { Column } from '../segment/column.ts'
import type { LiveRows } from '../segment/live-rows.ts'
import type { Extents, Part } from '../segment/part.ts'

/** What edits changed in a part: columns by path, and the extents of sources. */
export interface Overlay {
  readonly columns: ReadonlyMap<string, Column>
  readonly extents: Extents
}

/** Returns a part as it is after edits and deletions. */
export function partWith(base: Part, live: LiveRows, overlay: Overlay | undefined): Part {
  const { rows, ids, seqs, sortedBy } = base
  return {
    rows,
    live,
    ids,
    seqs,
    ...(sortedBy !== undefined && { sortedBy }),
    extents: overlay?.extents ?? base.extents,
    column: (field) => {
      const edited = overlay?.columns.get(field.path)
      if (!edited) return base.column(field)
      return edited.type === field.type ? edited : undefined
    },
  }
}
