import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { StepObserver, StorageStep } from '../../step-observer.ts'
import type { Database } from '../database/database.ts'
import { stopping } from '../database/read-slots.ts'
import { doublesOf } from '../database/vector-items.ts'
import type { IndexDefinition, SegmentRecord } from '../index/index-definition.ts'
import { IndexParts, type PartEntry, recordsOf, segmentEntry, tailEntry } from '../parts/index-parts.ts'
import { partDataOf } from '../parts/part-data.ts'
import { reportMuchFreedMemory } from '../segment/file/freed-memory.ts'
import { DamagedSegment, openSegmentFile, removeLeftovers, removeSegmentFile } from '../segment/file/segment-file.ts'
import { LiveRows } from '../segment/live-rows.ts'
import type { SegmentData } from '../segment/segment-data.ts'
import { Tail } from '../segment/tail.ts'
import { readDefinition, saveDefinition } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { Flusher } from '../write/flusher.ts'
import type { BuilderThread } from './builder-thread.ts'
import { readRows } from './database-rows.ts'
import { type Merge, nextMerge } from './merge-policy.ts'

/** Below the data directory. */
const DIRECTORY = 'segments'

/** Rows read from the database at a time when a segment must be built from it. */
const READ_ROWS = 2 ** 15
/** Rows per segment built from the database. */
const REBUILT_ROWS = 2 ** 18
/** Fewer rows at the end of an index become its tail. */
const TAIL_AT_START = 2 ** 15

/** Milliseconds without a write after which an index is idle. */
const IDLE_MS = 1_500

interface PartStoreOptions {
  readonly database: Database
  readonly dataDirectory: string
  readonly tables: Map<string, IndexTable>
  readonly flusher: Flusher
  readonly thread: BuilderThread
  /** Receives faults of background work. */
  readonly onFault: (error: unknown) => void
  /** Receives what an operator should know, such as a segment that is built again. */
  readonly onNotice: (text: string) => void
  readonly steps?: StepObserver<StorageStep>
}

/** Loads the parts of indices at the start, and seals and merges them in the background. */
export class PartStore {
  readonly #options: PartStoreOptions
  readonly #directory: string
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #writtenAt = new Map<string, number>()
  /** Queue: one segment is built at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  readonly #queued = new Set<string>()
  readonly #end = new AbortController()

  private constructor(options: PartStoreOptions) {
    this.#options = options
    this.#directory = join(options.dataDirectory, DIRECTORY)
  }

  static async open(options: PartStoreOptions): Promise<PartStore> {
    const store = new PartStore(options)
    await mkdir(store.#directory, { recursive: true, mode: 0o700 })
    return store
  }

  /** Loads the parts of all tables. Builds what is missing or damaged from the database. */
  async load(): Promise<void> {
    const { tables, database } = this.#options
    const kept = new Set<string>()
    for (const [name, table] of tables) {
      const loaded = await database.write((connection) => this.#load(connection, table))
      tables.set(name, loaded)
      for (const { file } of loaded.definition.segments) kept.add(file)
    }
    await removeLeftovers(this.#directory, kept)
    for (const name of tables.keys()) this.#watch(name)
  }

  async #load(connection: DuckDBConnection, table: IndexTable): Promise<IndexTable> {
    const { definition } = table
    const entries: PartEntry[] = []
    for (const record of definition.segments) {
      const data = await this.#read(record, definition)
      if (data) entries.push(segmentEntry(record.file, data, record.firstSeq, record.endSeq))
      else entries.push(...(await this.#rebuild(connection, definition, record.firstSeq, record.endSeq)))
    }
    const sealed = entries.at(-1)?.endSeq ?? 0
    const tailFrom = definition.nextSeq - sealed > TAIL_AT_START ? definition.nextSeq : sealed
    if (tailFrom > sealed) entries.push(...(await this.#rebuild(connection, definition, sealed, tailFrom)))
    let parts = await withoutDeleted(connection, definition, new IndexParts(entries))
    for (let from = tailFrom; from < definition.nextSeq; from += READ_ROWS) {
      const to = Math.min(definition.nextSeq, from + READ_ROWS)
      const { rows, missing } = await readRows(connection, definition.table, definition.layout, from, to)
      parts = parts.added(rows, definition.layout).removed(missing.map((row) => from + row))
    }
    const segments = recordsOf(parts)
    if (JSON.stringify(segments) === JSON.stringify(definition.segments)) return table.changed(definition, parts)
    const changed = { ...definition, segments }
    await saveDefinition(connection, changed)
    return table.changed(changed, parts)
  }

  async #read(record: SegmentRecord, { name }: IndexDefinition): Promise<SegmentData | undefined> {
    if (record.isEdited) return undefined
    try {
      const file = await openSegmentFile(join(this.#directory, record.file))
      try {
        return await file.readAll()
      } finally {
        await file.close()
      }
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error
      this.#options.onNotice(`Segment ${record.file} of index ${name} is built again: ${error.message}`)
      return undefined
    }
  }

  /** Builds segments of rows that are in the database only. */
  async #rebuild(
    connection: DuckDBConnection,
    definition: IndexDefinition,
    from: number,
    to: number,
  ): Promise<readonly PartEntry[]> {
    const { name, layout, table } = definition
    const entries: PartEntry[] = []
    for (let first = from; first < to; first += REBUILT_ROWS) {
      const end = Math.min(to, first + REBUILT_ROWS)
      if (to - from > REBUILT_ROWS) {
        const done = Math.round((100 * (first - from)) / (to - from))
        this.#options.onNotice(`Building segments of index ${name}: ${done} %`)
      }
      const tail = new Tail(layout, first)
      let live = LiveRows.all
      for (let at = first; at < end; at += READ_ROWS) {
        const { rows, missing } = await readRows(connection, table, layout, at, Math.min(end, at + READ_ROWS))
        tail.append(rows, at - first, layout)
        live = live.without(missing.map((row) => at - first + row))
      }
      if (live.dead === end - first) continue
      const file = newFile(definition)
      const data = await this.#build([tailEntry(tail, end - first, live)], definition, file, first, end)
      entries.push(segmentEntry(file, data, first, end))
    }
    return entries
  }

  #build(
    entries: readonly PartEntry[],
    { layout }: IndexDefinition,
    file: string,
    firstSeq: number,
    endSeq: number,
  ): Promise<SegmentData> {
    const parts = entries.map((entry) => partDataOf(entry, layout))
    return this.#options.thread.run('build', { parts, layout, firstSeq, endSeq, directory: this.#directory, file })
  }

  /** Called after a write to an index. */
  written(name: string): void {
    this.#writtenAt.set(name, performance.now())
    const table = this.#options.tables.get(name)
    if (table && hasWork(table.parts, false)) this.#enqueue(name)
    this.#watch(name)
  }

  forget(name: string): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    this.#writtenAt.delete(name)
  }

  /** Removes the files of a dropped index. */
  async remove({ definition }: IndexTable): Promise<void> {
    for (const { file } of definition.segments) await removeSegmentFile(this.#directory, file)
  }

  /** Seals and merges everything that is worthwhile when idle. */
  async now(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#inTurn(() => this.#maintain(name, 'all'))
  }

  /** Stops building. What is not sealed is read from the database at the next start. */
  async close(): Promise<void> {
    for (const name of [...this.#timers.keys()]) this.forget(name)
    this.#end.abort(stopping())
    await this.#options.thread.close()
    await this.#turn
  }

  /** Looks again once the index is idle. */
  #watch(name: string): void {
    if (this.#timers.has(name) || this.#end.signal.aborted) return
    const table = this.#options.tables.get(name)
    if (!table || !hasWork(table.parts, true)) return
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      if (this.#isIdle(name)) this.#enqueue(name)
      else this.#watch(name)
    }, IDLE_MS)
    timer.unref()
    this.#timers.set(name, timer)
  }

  #isIdle(name: string): boolean {
    return performance.now() - (this.#writtenAt.get(name) ?? Number.NEGATIVE_INFINITY) >= IDLE_MS
  }

  #enqueue(name: string): void {
    if (this.#queued.has(name) || this.#end.signal.aborted) return
    this.#queued.add(name)
    const done = this.#inTurn(async () => {
      this.#queued.delete(name)
      await this.#maintain(name, 'due')
    })
    done.then(
      () => this.#watch(name),
      (error: unknown) => {
        if (!this.#end.signal.aborted) this.#options.onFault(error)
      },
    )
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #maintain(name: string, what: 'due' | 'all'): Promise<void> {
    if (what === 'all') await this.#closeTail(name)
    while (!this.#end.signal.aborted) {
      const table = this.#options.tables.get(name)
      if (!table) return
      const isIdle = what === 'all' || this.#isIdle(name)
      const old = nextWork(table.parts, isIdle)
      if (!old || !(await this.#replace(table, old))) return
    }
  }

  /** Later documents go to another tail, so that this one can be sealed. */
  #closeTail(name: string): Promise<void> {
    const { database, tables } = this.#options
    return database.writeInTurn(async () => {
      const table = tables.get(name)
      if (table && !table.parts.isOutdated) tables.set(name, table.changed(table.definition, table.parts.closed()))
    })
  }

  /** Replaces some entries by one segment. Returns false if they changed meanwhile in a way that needs another try. */
  async #replace(table: IndexTable, old: readonly PartEntry[]): Promise<boolean> {
    const { definition } = table
    const [first] = old
    const last = old.at(-1)
    if (!first || !last) return false
    const file = newFile(definition)
    const isEmpty = old.every(({ part }) => part.live.dead === part.rows)
    await this.#step('building')
    const data = isEmpty ? undefined : await this.#build(old, definition, file, first.firstSeq, last.endSeq)
    await this.#step('built')
    const replaced = await this.#publish(table, old, file, data)
    if (!replaced) {
      if (data) await removeSegmentFile(this.#directory, file)
      return false
    }
    for (const { base } of old) if (base.kind === 'segment') await removeSegmentFile(this.#directory, base.file)
    reportMuchFreedMemory()
    return true
  }

  #publish(
    before: IndexTable,
    old: readonly PartEntry[],
    file: string,
    data: SegmentData | undefined,
  ): Promise<boolean> {
    const { database, tables, flusher } = this.#options
    return database.writeInTurn(async (transact) => {
      const replaced = (): IndexTable | undefined => {
        const now = tables.get(before.name)
        return now?.definition.uuid === before.definition.uuid ? withSegment(now, old, file, data) : undefined
      }
      if (this.#end.signal.aborted) return false
      // Otherwise the segment would have rows that the database lacks.
      await flusher.inTurn(transact)
      const segments = replaced()?.definition.segments
      if (!segments) return false
      await this.#step('publishing')
      await transact(async (connection) => {
        const stored = await readDefinition(connection, before.name)
        if (!stored) throw new Error(`the catalog has no index ${before.name}`)
        await saveDefinition(connection, { ...stored, segments })
      })
      // Writes to the journal went on meanwhile.
      const table = replaced()
      if (table) tables.set(table.name, table)
      await this.#step('published')
      return true
    })
  }

  async #step(step: StorageStep): Promise<void> {
    await this.#options.steps?.(step)
  }
}

/** Returns the table with a segment in place of some entries. Undefined if an edit has changed them. */
function withSegment(
  now: IndexTable,
  old: readonly PartEntry[],
  file: string,
  data: SegmentData | undefined,
): IndexTable | undefined {
  const current = old.map(({ firstSeq }) => now.parts.entries.find((entry) => entry.firstSeq === firstSeq))
  // Deletions can be followed, edits cannot.
  const isSame = current.every(
    (entry, i) => entry?.overlay === old[i]?.overlay && entry?.part.rows === old[i]?.part.rows,
  )
  if (!isSame) return undefined
  const entries = current.filter((entry) => entry !== undefined)
  const [first] = entries
  const last = entries.at(-1)
  if (!first || !last) return undefined
  const next = data && sinceDeleted(segmentEntry(file, data, first.firstSeq, last.endSeq), entries)
  const parts = now.parts.replaced(entries, next)
  return now.changed({ ...now.definition, segments: recordsOf(parts) }, parts)
}

/** Marks the rows of a new segment that were deleted while it was built. */
function sinceDeleted(entry: PartEntry, old: readonly PartEntry[]): PartEntry {
  const dead: number[] = []
  for (const { part } of old) for (const row of part.live.deadRows()) dead.push(part.seqs.seq(row))
  return new IndexParts([entry]).removed(dead).entries[0] ?? entry
}

/** Marks the rows dead that are no longer in the database. */
async function withoutDeleted(
  connection: DuckDBConnection,
  { table }: IndexDefinition,
  parts: IndexParts,
): Promise<IndexParts> {
  const end = parts.entries.at(-1)?.endSeq ?? 0
  if (end === 0) return parts
  const present = new Uint8Array(end)
  const found = await connection.stream(`SELECT CAST(_seq AS DOUBLE) FROM ${table} WHERE _seq < ${end}`)
  for (let chunk = await found.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await found.fetchChunk()) {
    const seqs = doublesOf(chunk.getColumnVector(0))
    const count = chunk.rowCount
    for (let i = 0; i < count; i++) present[seqs[i] ?? 0] = 1
  }
  const dead: number[] = []
  for (let seq = 0; seq < end; seq++) if (present[seq] === 0) dead.push(seq)
  return dead.length === 0 ? parts : parts.removed(dead)
}

function hasWork(parts: IndexParts, isIdle: boolean): boolean {
  return nextWork(parts, isIdle) !== undefined
}

/** Returns the entries to replace by one segment. */
function nextWork({ entries, isOutdated }: IndexParts, isIdle: boolean): readonly PartEntry[] | undefined {
  // A segment of them would have old values. The next start reads them from the database.
  if (isOutdated) return undefined
  const isSealable = ({ base, isOpen }: PartEntry): boolean => base.kind === 'tail' && !isOpen
  const from = entries.findIndex(isSealable)
  if (from >= 0) {
    const end = entries.findIndex((entry, i) => i > from && !isSealable(entry))
    return entries.slice(from, end < 0 ? entries.length : end)
  }
  const merge: Merge | undefined = nextMerge(
    entries.map(({ base, part, overlay }) => ({
      rows: part.rows - part.live.dead,
      dead: part.live.dead,
      isSegment: base.kind === 'segment',
      isEdited: overlay !== undefined,
    })),
    isIdle,
  )
  return merge && entries.slice(merge.from, merge.to)
}

let made = 0

/** Returns a file name that no other segment has, also after a restart. */
const newFile = ({ uuid }: IndexDefinition): string => `${uuid}.${Date.now().toString(36)}-${made++}`
