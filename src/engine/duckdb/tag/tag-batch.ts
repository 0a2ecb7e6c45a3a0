import type { DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api'
import { parseObject } from '../../../model/json/json-object.ts'
import { tagText } from '../../../model/tag/tag-text.ts'
import { inTurns, type Turn } from '../../../turn.ts'
import { documentName, mismatchFailure, refusedFailure } from '../../tag-failures.ts'
import type { Failure } from '../../tag-store.ts'
import type { TagWork } from '../../tag-task.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { NewChange } from '../write/change-log.ts'
import { type DocumentEdit, type EditOutcome, editDocuments } from '../write/document-edit.ts'
import { findStored } from '../write/stored-rows.ts'
import type { StoredPlan } from './tag-tables.ts'
import { workTable } from './tag-tables.ts'

/** Maximum bytes of sources per batch, unless a single document is larger. Old and new sources are held in memory. */
const BATCH_BYTES = 16 * 1024 * 1024

/** Current row and extent of an entry of the work list. */
interface FoundEntry {
  /** Number of the entry. */
  readonly n: number
  /** Number of the index in the plan. */
  readonly t: number
  readonly seq: number
  readonly at: number
  readonly size: number
}

export interface DocumentBatch {
  /** The entry after the last one done. */
  readonly end: number
  readonly updated: number
  /** In the order of the entries. */
  readonly failures: readonly Failure[]
  /** Changed tables, to be published once the batch has committed. */
  readonly tables: readonly IndexTable[]
  readonly changes: readonly NewChange[]
}

interface TagBatchOptions {
  readonly plan: StoredPlan
  readonly work: Pick<TagWork, 'record'>
  /** Entries from `from` to `to` (exclusive). */
  readonly from: number
  readonly to: number
  /** By number of the index. Undefined if it no longer exists. */
  readonly tables: readonly (IndexTable | undefined)[]
  /** Which changes of an index subscribers need. */
  readonly wants: (index: string) => 'nothing' | 'after' | 'both'
  readonly onWrite: () => void | Promise<void>
  /** Measures how long the batch has yielded the thread to others. */
  readonly turn: Turn
}

/** Tags the documents of a part of the work list, inside the transaction of `connection`. */
export async function runTagBatch(connection: DuckDBConnection, options: TagBatchOptions): Promise<DocumentBatch> {
  const found: FoundEntry[] = []
  for (const [t, table] of options.tables.entries()) {
    if (table) found.push(...(await findEntries(connection, options, t, table)))
  }
  found.sort((a, b) => a.n - b.n)
  const { entries, end } = cut(found, options.to)
  const outcomes: DocumentOutcomes[] = []
  for (const [t, table] of options.tables.entries()) {
    const own = entries.filter((entry) => entry.t === t)
    if (table && own.length > 0) outcomes[t] = await tagDocuments(connection, options, table, own)
  }
  // Entries count separately: a document in two units counts in both.
  const failures = entries.flatMap(({ t, seq }) => outcomes[t]?.failures.get(seq) ?? [])
  return {
    end,
    updated: entries.length - failures.length,
    failures,
    tables: outcomes.flatMap(({ table }) => table ?? []),
    changes: outcomes.flatMap(({ changes }) => changes),
  }
}

/** Returns the entries that fit into memory, and the start of the next batch. */
function cut(found: readonly FoundEntry[], to: number): { entries: readonly FoundEntry[]; end: number } {
  let bytes = 0
  const over = found.findIndex(({ size }, i) => {
    bytes += size
    return bytes > BATCH_BYTES && i > 0
  })
  return over < 0 ? { entries: found, end: to } : { entries: found.slice(0, over), end: found[over]?.n ?? to }
}

/**
 * Finds documents by row number if it still belongs to the same document. Otherwise finds them by id, because they were
 * replaced, or the index was dropped and created again.
 */
async function findEntries(
  connection: DuckDBConnection,
  options: TagBatchOptions,
  t: number,
  table: IndexTable,
): Promise<readonly FoundEntry[]> {
  const { plan, from, to } = options
  const work = workTable(plan)
  const range = rangeOf(options, t)
  const same = 'd._seq = w._seq AND d._id = w._id'
  const byNumber = `SELECT w.n, d._seq, d._at, d._size FROM ${work} w JOIN ${table.table} d ON ${same} WHERE ${range}`
  const found = await readEntries(await connection.run(byNumber), t, options.turn)
  if (found.length === to - from) return found
  const known = new Set(found.map(({ n }) => n))
  const missing = [...(await readIds(connection, plan, range))].filter(([n]) => !known.has(n))
  if (missing.length === 0) return found
  const replaced = await findStored(connection, table, new Set(missing.map(([, id]) => id)))
  const again = missing.flatMap(([n, id]) => {
    const row = replaced.get(id)
    return row ? { n, t, ...row } : []
  })
  return [...found, ...again]
}

const rangeOf = ({ from, to }: TagBatchOptions, t: number): string => `w.n >= ${from} AND w.n < ${to} AND w.t = ${t}`

/**
 * Returns the ids of entries by entry number. Separate, because fetching texts is slow and most batches do not need
 * them.
 */
async function readIds(
  connection: DuckDBConnection,
  plan: StoredPlan,
  range: string,
): Promise<ReadonlyMap<number, string>> {
  const rows = await (await connection.run(`SELECT w.n, w._id FROM ${workTable(plan)} w WHERE ${range}`)).getRows()
  return new Map(rows.map(([n, id]) => [Number(n), String(id)]))
}

async function readEntries(result: DuckDBResult, t: number, turn: Turn): Promise<FoundEntry[]> {
  const entries: FoundEntry[] = []
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return entries
    entries.push(...toEntries(chunk.getColumns(), t))
    if (turn.isOver) await turn.next()
  }
}

function toEntries(
  [numbers = [], seqs = [], places = [], sizes = []]: readonly DuckDBValue[][],
  t: number,
): FoundEntry[] {
  return numbers.map((n, i) => ({
    n: Number(n),
    t,
    seq: Number(seqs[i]),
    at: Number(places[i]),
    size: Number(sizes[i]),
  }))
}

interface DocumentOutcomes {
  /** Present if the table changed. */
  readonly table?: IndexTable
  /** By row number of the document. */
  readonly failures: ReadonlyMap<number, Failure>
  readonly changes: readonly NewChange[]
}

const unchanged = (table: IndexTable): EditOutcome => ({ table, refused: new Map() })

async function tagDocuments(
  connection: DuckDBConnection,
  options: TagBatchOptions,
  table: IndexTable,
  entries: readonly FoundEntry[],
): Promise<DocumentOutcomes> {
  const { plan, work, wants, onWrite, turn } = options
  const { action, request } = work.record
  const { path, value } = request.tag
  const documents = [...new Map(entries.map((entry) => [entry.seq, entry])).values()]
  const sources = await table.sources.read(documents)
  const edits: (DocumentEdit & { readonly place: number })[] = []
  /** Reasons why documents stay unchanged, by index in `documents`. */
  const faults = new Map<number, (name: string) => Failure>()
  const tagOne = ({ seq, size }: FoundEntry, place: number): void => {
    const effect = tagText(String(sources[place]), path, action, value)
    if (effect.kind === 'mismatch') faults.set(place, (name) => mismatchFailure(name, path, effect.reason))
    else if (effect.kind === 'changed') edits.push({ seq, size, change: effect, place })
  }
  await inTurns(documents, tagOne, turn)
  const outcome =
    edits.length > 0 ? await editDocuments(connection, table, path, edits, onWrite, turn) : unchanged(table)
  for (const { seq, place } of edits) {
    const reason = outcome.refused.get(seq)
    if (reason !== undefined) faults.set(place, (name) => refusedFailure(name, path, reason))
  }
  const wanted = wants(table.name)
  const changes = wanted === 'nothing' ? [] : edits.filter(({ seq }) => !outcome.refused.has(seq))
  const needsIds = faults.size > 0 || changes.length > 0
  const ids = needsIds ? await readIds(connection, plan, rangeOf(options, entries[0]?.t ?? 0)) : undefined
  const idOf = (place: number): string => ids?.get(documents[place]?.n ?? -1) ?? ''
  const nameOf = (place: number): string => documentName(parseObject(String(sources[place])), plan.idPath, idOf(place))
  return {
    ...(outcome.table === table ? {} : { table: outcome.table }),
    failures: new Map([...faults].map(([place, fault]) => [documents[place]?.seq ?? -1, fault(nameOf(place))])),
    changes: changes.map(({ place, change }) => ({
      kind: 'UPDATE',
      index: table.name,
      id: idOf(place),
      ...(wanted === 'both' ? { before: String(sources[place]) } : {}),
      after: change.text,
    })),
  }
}
