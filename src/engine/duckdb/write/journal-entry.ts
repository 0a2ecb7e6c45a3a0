import { valueAt } from '../segment/incoming-column.ts'
import type { AppliedWrite } from './applied-write.ts'
import type { RaisedChanges } from './change-log.ts'

/** A write in the journal: what cannot be derived from the documents and the state of the index before it. */
export interface JournalEntry {
  /** Name of the index, which always has the same while it has this uuid. */
  readonly index: string
  readonly uuid: string
  /** Version of the index after the write. */
  readonly version: number
  /** Row number of the first document. */
  readonly firstSeq: number
  readonly ids: readonly string[]
  /** Offset of the first document in the source file. The others follow. */
  readonly sourceAt: number
  readonly sizes: readonly number[]
  /** Row numbers of replaced and deleted documents. */
  readonly removed: readonly number[]
  /** Bytes of their sources. */
  readonly stale: number
  /** For subscriptions. */
  readonly raised?: RaisedChanges
  /** JSON texts of the documents, one after the other. */
  readonly sources: Buffer
}

export function entryOf({ before, table, rows, removed, raised }: AppliedWrite): JournalEntry {
  const { name, uuid, nextSeq, sourceEnd } = before
  const incoming = rows?.incoming()
  const count = incoming?.count ?? 0
  return {
    index: name,
    uuid,
    version: table.definition.version,
    firstSeq: nextSeq,
    ids: incoming ? Array.from({ length: count }, (_, i) => String(valueAt(incoming.ids, i))) : [],
    sourceAt: sourceEnd,
    sizes: incoming ? Array.from({ length: count }, (_, i) => incoming.sizes[i] ?? 0) : [],
    removed: removed.map(({ seq }) => seq),
    stale: removed.reduce((sum, { size }) => sum + size, 0),
    ...(raised && { raised }),
    sources: rows?.sources ?? Buffer.alloc(0),
  }
}

/** An entry as JSON. The sources follow it. */
type PlainEntry = Omit<JournalEntry, 'sources'> & { readonly bytes: number }

/** Returns the payload of a record: length of the JSON, the JSON, the sources. */
export function printEntries(entries: readonly JournalEntry[]): readonly Buffer[] {
  const plain = entries.map(({ sources, ...entry }): PlainEntry => ({ ...entry, bytes: sources.length }))
  const json = Buffer.from(JSON.stringify(plain))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return [length, json, ...entries.map(({ sources }) => sources)]
}

export function readEntries(payload: Buffer): readonly JournalEntry[] {
  let at = 4 + payload.readUInt32LE(0)
  // The checksum of the record is correct, so this is what `printEntries` wrote.
  const plain = JSON.parse(payload.toString('utf8', 4, at)) as readonly PlainEntry[]
  return plain.map(({ bytes, ...entry }) => {
    const sources = payload.subarray(at, at + bytes)
    at += bytes
    return { ...entry, sources }
  })
}
