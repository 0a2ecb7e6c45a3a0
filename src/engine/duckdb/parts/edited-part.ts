import type { Column } from '../segment/column.ts'
import type { LiveRows } from '../segment/live-rows.ts'
import type { Extents, OpenedPart, Part, StoredPart } from '../segment/part.ts'

/** What edits changed in a part: columns by path, and the extents of sources. In memory. */
export interface Overlay {
  readonly columns: ReadonlyMap<string, Column>
  readonly extents: Extents
}

/** Returns an opened part as it is after edits and deletions. */
export function partWith(base: Part, live: LiveRows, overlay: Overlay | undefined): Part {
  const { rows, sortedBy } = base
  return {
    rows,
    live,
    ...(sortedBy !== undefined && { sortedBy }),
    column: (field) => {
      const edited = overlay?.columns.get(field.path)
      if (!edited) return base.column(field)
      return edited.type === field.type ? edited : undefined
    },
    get ids() {
      return base.ids
    },
    get seqs() {
      return base.seqs
    },
    get extents() {
      return overlay?.extents ?? base.extents
    },
  }
}

/** Returns a part as it is after edits. What was edited is not read from the file. */
export function editedPart(base: StoredPart, overlay: Overlay): StoredPart {
  const { rows, live } = base
  const edited = ({ part, release }: OpenedPart): OpenedPart => ({ part: partWith(part, live, overlay), release })
  return {
    rows,
    live,
    column: (field) => {
      const column = overlay.columns.get(field.path)
      if (!column) return base.column(field)
      return column.type === field.type ? column : undefined
    },
    open: ({ fields = [], ...others }, signal) => {
      const stored = fields.filter(({ path }) => !overlay.columns.has(path))
      const opened = base.open({ ...others, fields: stored, extents: false }, signal)
      return opened instanceof Promise ? opened.then(edited) : edited(opened)
    },
    get knownIds() {
      return base.knownIds
    },
  }
}
