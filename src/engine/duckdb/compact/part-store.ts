import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Database, Transact } from '../database/database.ts'
import { stopping } from '../database/read-slots.ts'
import { doublesOf } from '../database/vector-items.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { IndexParts, recordsOf } from '../parts/index-parts.ts'
import { lostEntry, type PartEntry } from '../parts/part-entry.ts'
import { reportMuchFreedMemory } from '../segment/file/freed-memory.ts'
import { DamagedSegment, removeLeftovers } from '../segment/file/segment-file.ts'
import type { SegmentMemory } from '../segment/file/segment-memory.ts'
import { saveDefinition } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { BuilderThread } from './builder-thread.ts'
import { readRows } from './database-rows.ts'
import { type Merge, nextMerge } from './merge-policy.ts'
import { SegmentMaker } from './segment-maker.ts'

/** Below the data directory. */
const DIRECTORY = 'segments'

/** Rows of the tail read from the database at a time. */
const READ_ROWS = 2 ** 15
/** Fewer rows at the end of an index become its tail. */
const TAIL_AT_START = 2 ** 15

/** Milliseconds without a write after which an index is idle. */
const IDLE_MS = 1_500

interface PartStoreOptions {
  readonly database: Database
  readonly dataDirectory: string
  readonly tables: Map<string, IndexTable>
  readonly thread: BuilderThread
  readonly memory: SegmentMemory
  /** Receives faults of background work. */
  readonly onFault: (error: unknown) => void
  /** Receives what an operator should know, such as a segment that is built again. */
  readonly onNotice: (text: string) => void
}

/** Loads the parts of indices at the start, and seals and merges them in the background. */
export class PartStore {
  readonly #options: PartStoreOptions
  readonly #directory: string
  readonly #maker: SegmentMaker
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #writtenAt = new Map<string, number>()
  /** Queue: one segment is built at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  readonly #queued = new Set<string>()
  readonly #end = new AbortController()

  private constructor(options: PartStoreOptions) {
    this.#options = options
    this.#directory = join(options.dataDirectory, DIRECTORY)
    const { thread, memory, onNotice } = options
    this.#maker = new SegmentMaker({ directory: this.#directory, thread, memory, onNotice })
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
      const entry = await this.#maker.open(record, definition)
      if (entry) entries.push(await withoutDeleted(connection, definition, entry))
      else entries.push(...(await this.#maker.fromDatabase(connection, definition, record.firstSeq, record.endSeq)))
    }
    const sealed = entries.at(-1)?.endSeq ?? 0
    const tailFrom = definition.nextSeq - sealed > TAIL_AT_START ? definition.nextSeq : sealed
    if (tailFrom > sealed) entries.push(...(await this.#maker.fromDatabase(connection, definition, sealed, tailFrom)))
    let parts = new IndexParts(entries)
    for (let from = tailFrom; from < definition.nextSeq; from += READ_ROWS) {
      const to = Math.min(definition.nextSeq, from + READ_ROWS)
      const { rows, missing } = await readRows(connection, definition.table, definition.layout, from, to)
      parts = await parts.added(rows, definition.layout).removed(missing.map((row) => from + row))
    }
    const segments = recordsOf(parts)
    if (JSON.stringify(segments) === JSON.stringify(definition.segments)) return table.changed(definition, parts)
    const changed = { ...definition, segments }
    await saveDefinition(connection, changed)
    return table.changed(changed, parts)
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
  async remove({ parts }: IndexTable): Promise<void> {
    for (const { base } of parts.entries) if (base.kind === 'segment') await this.#maker.remove(base)
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
    while (!this.#end.signal.aborted) {
      const table = this.#options.tables.get(name)
      if (!table) return
      const isIdle = what === 'all' || this.#isIdle(name)
      const old = nextWork(table.parts, isIdle, what === 'all')
      if (!old || !(await this.#replace(table, old))) return
    }
  }

  /** Replaces some entries by segments. Returns false if they changed meanwhile in a way that needs another try. */
  async #replace(table: IndexTable, old: readonly PartEntry[]): Promise<boolean> {
    const next = await this.#rebuilt(table, old)
    if (!next) return true
    if (await this.#publish(table, old, next)) {
      for (const { base } of old) if (base.kind === 'segment') await this.#maker.remove(base)
      reportMuchFreedMemory()
      return true
    }
    for (const { base } of next) if (base.kind === 'segment') await this.#maker.remove(base)
    return false
  }

  /** Builds segments with the rows of entries. Undefined if one of them could not be read, and was given up. */
  async #rebuilt({ definition }: IndexTable, old: readonly PartEntry[]): Promise<readonly PartEntry[] | undefined> {
    const [first] = old
    const last = old.at(-1)
    if (!first || !last) return []
    if (first.base.kind === 'lost') {
      const { firstSeq, endSeq } = first
      const read = (connection: DuckDBConnection) => this.#maker.fromDatabase(connection, definition, firstSeq, endSeq)
      return this.#options.database.readBeside(read)
    }
    if (old.every(({ live, part }) => live.dead === part.rows)) return []
    try {
      const built = await this.#maker.build(old, definition, first.firstSeq, last.endSeq)
      await this.#maker.warm(built, old)
      return [built]
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error
      await this.#options.database.writeInTurn((transact) => this.#lose(transact, error))
      return undefined
    }
  }

  #publish(before: IndexTable, old: readonly PartEntry[], made: readonly PartEntry[]): Promise<boolean> {
    const { database, tables } = this.#options
    return database.writeInTurn(async (transact) => {
      const now = tables.get(before.name)
      if (!now || now.definition.uuid !== before.definition.uuid || this.#end.signal.aborted) return false
      const current = old.map(({ firstSeq }) => now.parts.entries.find((entry) => entry.firstSeq === firstSeq))
      // Deletions can be followed, edits cannot. A segment that could be read may have been lost.
      const isSame = current.every(
        (entry, i) =>
          entry?.overlay === old[i]?.overlay &&
          entry?.part.rows === old[i]?.part.rows &&
          entry?.base.kind === old[i]?.base.kind,
      )
      if (!isSame) return false
      const entries = current.filter((entry) => entry !== undefined)
      const next = await sinceDeleted(made, entries)
      const parts = now.parts.replaced(entries, next)
      const definition = { ...now.definition, segments: recordsOf(parts) }
      await transact((connection) => saveDefinition(connection, definition))
      tables.set(before.name, now.changed(definition, parts))
      return true
    })
  }

  /** Called when a part of a segment could not be read. The database answers until the segment was built again. */
  damaged(error: DamagedSegment): void {
    if (this.#end.signal.aborted) return
    this.#options.database
      .writeInTurn((transact) => this.#lose(transact, error))
      .catch((fault: unknown) => {
        if (!this.#end.signal.aborted) this.#options.onFault(fault)
      })
  }

  /** Runs the transaction of a write, which is done again if a segment turns out damaged. */
  async retrying<T>(transact: Transact, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await transact(work)
      } catch (error) {
        if (!(error instanceof DamagedSegment)) throw error
        await this.#lose(transact, error)
      }
    }
  }

  /** Gives up a segment that cannot be read. To be called in the turn of a write. */
  async #lose(transact: Transact, error: DamagedSegment): Promise<void> {
    for (const table of this.#options.tables.values()) {
      const entry = table.parts.entries.find(({ base }) => base.kind === 'segment' && base.segment.path === error.path)
      if (entry?.base.kind !== 'segment') continue
      const { file, segment } = entry.base
      this.#options.onNotice(`Segment ${file} of index ${table.name} is built again: ${error.message}`)
      const parts = table.parts.replaced([entry], [lostEntry(file, entry)])
      const definition = { ...table.definition, segments: recordsOf(parts) }
      await transact((connection) => saveDefinition(connection, definition))
      this.#options.tables.set(table.name, table.changed(definition, parts))
      await this.#maker.remove({ file, segment })
      this.#enqueue(table.name)
    }
  }
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

/** Marks the rows of a segment dead that are no longer in the database. */
async function withoutDeleted(
  connection: DuckDBConnection,
  { table }: IndexDefinition,
  entry: PartEntry,
): Promise<PartEntry> {
  const { firstSeq, endSeq, part } = entry
  const range = `FROM ${table} WHERE _seq >= ${firstSeq} AND _seq < ${endSeq}`
  const [[count] = []] = await (await connection.run(`SELECT count(*) ${range}`)).getRows()
  if (Number(count) === part.rows) return entry
  const present = new Uint8Array(endSeq - firstSeq)
  const found = await connection.stream(`SELECT CAST(_seq AS DOUBLE) ${range}`)
  for (let chunk = await found.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await found.fetchChunk()) {
    const seqs = doublesOf(chunk.getColumnVector(0))
    for (let i = 0; i < chunk.rowCount; i++) present[(seqs[i] ?? 0) - firstSeq] = 1
  }
  const dead: number[] = []
  for (let i = 0; i < present.length; i++) if (present[i] === 0) dead.push(firstSeq + i)
  return (await new IndexParts([entry]).removed(dead)).entries[0] ?? entry
}

function hasWork(parts: IndexParts, isIdle: boolean): boolean {
  return nextWork(parts, isIdle, false) !== undefined
}

/** Returns the entries to replace by one segment. `all`: also seals the open tail. */
function nextWork(
  { entries, isOutdated }: IndexParts,
  isIdle: boolean,
  all: boolean,
): readonly PartEntry[] | undefined {
  // A segment of them would have old values. The next start reads them from the database.
  if (isOutdated) return undefined
  const lost = entries.find(({ base }) => base.kind === 'lost')
  if (lost) return [lost]
  const isSealable = ({ base, isOpen }: PartEntry): boolean => base.kind === 'tail' && (!isOpen || all)
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
