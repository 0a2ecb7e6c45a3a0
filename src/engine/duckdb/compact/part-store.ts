import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { StepObserver, StorageStep } from '../../step-observer.ts'
import type { Database } from '../database/database.ts'
import { isStale } from '../database/engine-fault.ts'
import { stopping } from '../database/read-slots.ts'
import { doublesOf } from '../database/vector-items.ts'
import type { IndexDefinition } from '../index/index-definition.ts'
import { IndexParts, recordsOf } from '../parts/index-parts.ts'
import { lostEntry, type PartEntry } from '../parts/part-entry.ts'
import { reportMuchFreedMemory } from '../segment/file/freed-memory.ts'
import { DamagedSegment, removeLeftovers } from '../segment/file/segment-file.ts'
import type { SegmentMemory } from '../segment/file/segment-memory.ts'
import { readDefinition, saveDefinition } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'
import type { Flusher } from '../write/flusher.ts'
import { publishTables } from '../write/publish-tables.ts'
import type { BuilderThread } from './builder-thread.ts'
import { readRows } from './database-rows.ts'
import { type Merge, nextMerge } from './merge-policy.ts'
import { SegmentMaker } from './segment-maker.ts'
import { withSegments } from './with-segments.ts'

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
  readonly flusher: Flusher
  readonly thread: BuilderThread
  readonly memory: SegmentMemory
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

  /** Returns the size of the segment files of an index. */
  async bytes({ segments }: IndexDefinition): Promise<number> {
    let sum = 0
    for (const { file } of segments) {
      // may have been replaced by another one meanwhile
      const found = await stat(join(this.#directory, file)).catch(() => undefined)
      sum += found?.size ?? 0
    }
    return sum
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

  /** Replaces some entries by segments. Returns false if they changed meanwhile in a way that needs another try. */
  async #replace(table: IndexTable, old: readonly PartEntry[]): Promise<boolean> {
    let made: readonly PartEntry[] = []
    let isPublished = false
    try {
      made = await this.#rebuilt(table, old)
      isPublished = await this.#publish(table, old, made)
      return isPublished
    } catch (error) {
      // A lost segment is read from the database. The index was dropped meanwhile.
      if (isStale(error)) return false
      if (!(error instanceof DamagedSegment)) throw error
      return await this.#options.database.writeInTurn(() => this.lose(error))
    } finally {
      for (const { base } of isPublished ? old : made) if (base.kind === 'segment') await this.#maker.remove(base)
      if (isPublished) reportMuchFreedMemory()
    }
  }

  /** Builds segments with the rows of entries. */
  async #rebuilt({ definition }: IndexTable, old: readonly PartEntry[]): Promise<readonly PartEntry[]> {
    const [first] = old
    const last = old.at(-1)
    if (!first || !last) return []
    await this.#step('building')
    const made = await this.#build(definition, old, first, last)
    await this.#step('built')
    return made
  }

  async #build(
    definition: IndexDefinition,
    old: readonly PartEntry[],
    { base, firstSeq }: PartEntry,
    { endSeq }: PartEntry,
  ): Promise<readonly PartEntry[]> {
    if (base.kind === 'lost') {
      const { database, flusher } = this.#options
      // The lost part knows what was deleted since it was lost. The database must know the rest.
      await flusher.flushed()
      return database.readBeside((connection) => this.#maker.fromDatabase(connection, definition, firstSeq, endSeq))
    }
    if (old.every(({ live, part }) => live.dead === part.rows)) return []
    const built = await this.#maker.build(old, definition, firstSeq, endSeq)
    await this.#maker.warm(built, old)
    return [built]
  }

  #publish(before: IndexTable, old: readonly PartEntry[], made: readonly PartEntry[]): Promise<boolean> {
    const { database, tables, flusher } = this.#options
    const { name, uuid } = before.definition
    return database.writeInTurn(async (transact) => {
      if (this.#end.signal.aborted) return false
      // Otherwise the segments would have rows that the database lacks.
      await flusher.inTurn(transact)
      const now = tables.get(name)
      const replaced = now?.definition.uuid === uuid ? await withSegments(now, old, made) : undefined
      if (!replaced) return false
      const { segments } = replaced.definition
      await this.#step('publishing')
      await transact(async (connection) => {
        const stored = await readDefinition(connection, name)
        if (!stored) throw new Error(`the catalog has no index ${name}`)
        await saveDefinition(connection, { ...stored, segments })
      })
      // Writes to the journal went on meanwhile. They delete, and add rows.
      await publishTables(tables, [name], async (table) => {
        const next = await withSegments(table, old, made)
        if (!next) throw new Error(`the parts of index ${name} were edited in the turn of another write`)
        return next
      })
      await this.#step('published')
      return true
    })
  }

  /** Called when a part of a segment could not be read. The database answers until the segment was built again. */
  damaged(error: DamagedSegment): void {
    if (this.#end.signal.aborted) return
    this.#options.database
      .writeInTurn(() => this.lose(error))
      .catch((fault: unknown) => {
        if (!this.#end.signal.aborted) this.#options.onFault(fault)
      })
  }

  /**
   * Gives up a segment that cannot be read. To be called in a turn of the database. Returns false if no index has it any
   * more. The catalog keeps the name of its file: if the server ends before the segment is built again, the next start
   * builds it.
   */
  async lose(error: DamagedSegment): Promise<boolean> {
    const { tables, onNotice, onFault } = this.#options
    for (const table of tables.values()) {
      const entry = table.parts.entries.find(({ base }) => base.kind === 'segment' && base.segment.path === error.path)
      if (entry?.base.kind !== 'segment') continue
      const { file, segment } = entry.base
      onNotice(`Segment ${file} of index ${table.name} is built again: ${error.message}`)
      const parts = table.parts.replaced([entry], [lostEntry(file, entry)])
      tables.set(table.name, table.changed({ ...table.definition, segments: recordsOf(parts) }, parts))
      await this.#maker.remove({ file, segment }).catch(onFault)
      this.#enqueue(table.name)
      return true
    }
    return false
  }

  async #step(step: StorageStep): Promise<void> {
    await this.#options.steps?.(step)
  }
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
  return nextWork(parts, isIdle) !== undefined
}

/** Returns the entries to replace by one segment. */
function nextWork({ entries, isOutdated }: IndexParts, isIdle: boolean): readonly PartEntry[] | undefined {
  // A segment of them would have old values. The next start reads them from the database.
  if (isOutdated) return undefined
  const lost = entries.find(({ base }) => base.kind === 'lost')
  if (lost) return [lost]
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
