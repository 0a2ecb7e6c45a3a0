import type { FlatDocument } from './flat-table.ts'

/** What the bulk lines of a batch do. */
export interface Changes {
  /** Whole documents by id; the last one counts. */
  readonly documents: ReadonlyMap<string, FlatDocument>
  /** Fields to replace, by id. */
  readonly updates: ReadonlyMap<string, Partial<FlatDocument>>
  readonly deletes: ReadonlySet<string>
}

interface Target {
  readonly _id: string
}

interface Action {
  readonly index?: Target
  readonly create?: Target
  readonly update?: Target
  readonly delete?: Target
}

export function changesOf(bulk: Buffer): Changes {
  const documents = new Map<string, FlatDocument>()
  const updates = new Map<string, Partial<FlatDocument>>()
  const deletes = new Set<string>()
  const lines = bulk.toString('utf8').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const { index, create, update, delete: removed }: Action = JSON.parse(line)
    const written = index ?? create
    if (removed !== undefined) {
      documents.delete(removed._id)
      updates.delete(removed._id)
      deletes.add(removed._id)
    } else if (written !== undefined) {
      documents.set(written._id, JSON.parse(lines[++at] ?? ''))
      updates.delete(written._id)
    } else if (update !== undefined) {
      const { doc } = JSON.parse(lines[++at] ?? '')
      const document = documents.get(update._id)
      if (document === undefined) updates.set(update._id, { ...updates.get(update._id), ...doc })
      else documents.set(update._id, { ...document, ...doc })
    } else throw new Error(`not a bulk action: ${line.slice(0, 200)}`)
  }
  return { documents, updates, deletes }
}
