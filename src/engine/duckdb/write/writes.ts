import type { DuckDBConnection } from '@duckdb/node-api'
import { problem } from '../../../errors.ts'
import { expecting, Turn } from '../../../turn.ts'
import type { WriteResult } from '../../engine.ts'
import type { StepObserver, StorageStep } from '../../step-observer.ts'
import { holding } from '../condition/snapshot.ts'
import type { Database, Transact } from '../database/database.ts'
import { engineProblem } from '../database/engine-fault.ts'
import type { Journal } from '../journal/journal.ts'
import type { StoredRow } from '../parts/index-parts.ts'
import { DamagedSegment } from '../segment/file/segment-file.ts'
import { saveDefinition } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'
import { type AppliedWrite, applyAgain, applyWrite } from './applied-write.ts'
import type { ChangeLog } from './change-log.ts'
import type { JournaledWrites } from './flush.ts'
import type { Flusher } from './flusher.ts'
import { entryOf, printEntries } from './journal-entry.ts'
import { publishTables } from './publish-tables.ts'
import { findStored, removeRows } from './stored-rows.ts'
import { addColumns, addManyFields } from './widen-mapping.ts'
import type { AnnouncedWrite, RequestedWrite, WritePlanner } from './write-planner.ts'
import { type QueuedWrite, WriteQueue } from './write-queue.ts'

/** A write with more operations, or more bytes of sources, goes to the database directly. So do documents of opened files. */
const MOST_JOURNALED = 1_000
const MOST_JOURNALED_BYTES = 4 * 1024 * 1024

/** Bytes of sources from which a record of the journal is closed. */
const ENOUGH_BYTES = 8 * 1024 * 1024

/** Maximum number of documents per transaction of several writes. More would delay other writes. */
const MOST_TOGETHER = 50_000

interface WritesOptions {
  readonly database: Database
  readonly journal: Journal
  readonly flusher: Flusher
  readonly tables: Map<string, IndexTable>
  readonly changes: ChangeLog
  readonly planner: WritePlanner
  /** Gives up a segment that cannot be read. Called in a turn of the database. */
  readonly lose: (error: DamagedSegment) => Promise<unknown>
  readonly steps?: StepObserver<StorageStep>
}

type Waiting = QueuedWrite<AnnouncedWrite, readonly WriteResult[]>

/** An index while a group of writes is applied to it. */
interface Head {
  /** The published table. */
  readonly base: IndexTable
  readonly table: IndexTable
  readonly applied: readonly AppliedWrite[]
}

/**
 * Writes documents, in order of arrival. Small writes go to the journal, those that wait together in one record. Large
 * writes, and those that add columns, go to the database.
 */
export class Writes {
  readonly #options: WritesOptions
  readonly #queue: WriteQueue<AnnouncedWrite, readonly WriteResult[]>

  constructor(options: WritesOptions) {
    this.#options = options
    this.#queue = new WriteQueue((waiting) => this.#carryOut(waiting))
  }

  /** Resolves when the write is durable and published. */
  write(table: IndexTable, write: RequestedWrite): Promise<readonly WriteResult[]> {
    return this.#queue.write(this.#options.planner.announce(table, write))
  }

  /**
   * Runs `work` after all earlier writes and before all later ones. The database is complete meanwhile. `work` publishes
   * what it changes. It runs again if a segment turns out damaged before that.
   */
  exclusive<T>(work: (transact: Transact) => Promise<T>): Promise<T> {
    return this.#queue.exclusive(async () => {
      await this.#repair()
      return this.#inDatabase((transact) => this.#retrying(() => work(transact), this.#options.lose))
    })
  }

  close(): Promise<void> {
    return this.#queue.close()
  }

  #inDatabase<T>(work: (transact: Transact) => Promise<T>): Promise<T> {
    const { database, flusher } = this.#options
    return database.writeInTurn(async (transact) => {
      await flusher.inTurn(transact)
      return work(transact)
    })
  }

  /** Runs `work`, again without a segment that turns out damaged. */
  async #retrying<T>(work: () => Promise<T>, lose: (error: DamagedSegment) => Promise<unknown>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof DamagedSegment)) throw error
        await lose(error)
      }
    }
  }

  /** Gives up a segment outside a turn of the database. */
  async #loseInTurn(error: DamagedSegment): Promise<void> {
    const { database, lose } = this.#options
    await database.writeInTurn(() => lose(error))
  }

  /** After a failed append, nothing is written before the journal has a new file. */
  async #repair(): Promise<void> {
    const { journal, flusher } = this.#options
    if (!journal.isBroken) return
    try {
      await flusher.flushed()
      await journal.repair()
    } catch (error) {
      throw engineProblem(error)
    }
  }

  async #carryOut(waiting: readonly Waiting[]): Promise<number> {
    try {
      await this.#repair()
      if (this.#options.flusher.isFull) await this.#options.flusher.flushed()
    } catch (error) {
      for (const { reject } of waiting) reject(error)
      return waiting.length
    }
    const [first] = waiting
    if (first && isLarge(first)) return this.#store(together(waiting))
    // Many short steps, each of which would wait for the turn of a loop.
    return (await expecting(this.#journal(waiting))) || this.#store(waiting.slice(0, 1))
  }

  /** Writes the first small writes to the journal. Returns how many, 0 if the first needs the database. */
  async #journal(waiting: readonly Waiting[]): Promise<number> {
    const { journal } = this.#options
    const { heads, taken, settle } = await this.#apply(waiting)
    const applied = [...heads.values()].flatMap((head) => head.applied)
    if (applied.length === 0) {
      settle()
      return taken
    }
    const entries = applied.map(entryOf)
    await this.#step('journaling')
    const record = journal.append(printEntries(entries))
    const sources = [...heads.values()].map((head) => writeSources(head.base, head.applied))
    const [appended, ...written] = await Promise.allSettled([record, ...sources])
    const failed = [appended, ...written].find((outcome) => outcome.status === 'rejected')
    if (appended?.status !== 'fulfilled' || failed) {
      if (appended?.status === 'fulfilled') journal.reject()
      settle(engineProblem(failed?.reason))
      return taken
    }
    await this.#step('journaled')
    await this.#publish(heads, { number: appended.value, entries })
    settle()
    return taken
  }

  /**
   * Publishes the writes of a record, and passes them to the flusher in the same step: a flush must not lack what readers
   * see. If a segment was published meanwhile, the writes are applied to the new parts.
   */
  async #publish(heads: ReadonlyMap<string, Head>, writes: JournaledWrites): Promise<void> {
    const { flusher, tables } = this.#options
    const change = async (now: IndexTable): Promise<IndexTable> => {
      const head = heads.get(now.name)
      if (!head || now === head.base) return head?.table ?? now
      let table = now
      for (const applied of head.applied) table = await applyAgain(table, applied)
      return table
    }
    await this.#retrying(
      () => publishTables(tables, [...heads.keys()], change, () => flusher.add(writes)),
      (error) => this.#loseInTurn(error),
    )
  }

  /** Applies small writes one after the other, in memory. `settle` gives each its results, or the error. */
  async #apply(waiting: readonly Waiting[]) {
    const heads = new Map<string, Head>()
    const settled: (() => void)[] = []
    const failing: ((error: unknown) => void)[] = []
    const turn = new Turn()
    let taken = 0
    let bytes = 0
    for (const queued of waiting) {
      if (isLarge(queued) || bytes > ENOUGH_BYTES || (taken > 0 && turn.isOver)) break
      const { write, resolve, reject } = queued
      let head: Head | undefined
      let next: AppliedWrite | 'later'
      try {
        head = heads.get(write.index) ?? this.#head(write.index)
        next = await this.#applyTo(head, write)
      } catch (error) {
        if (error instanceof DamagedSegment) {
          await this.#loseInTurn(error)
          break
        }
        reject(error)
        taken++
        continue
      }
      if (next === 'later') break
      taken++
      settled.push(() => resolve(next.results))
      failing.push(reject)
      if (next.table.definition === next.before) continue
      bytes += next.rows?.sources.length ?? 0
      heads.set(write.index, { base: head.base, table: next.table, applied: [...head.applied, next] })
    }
    const settle = (error?: unknown): void => {
      if (error === undefined) for (const one of settled) one()
      else for (const one of failing) one(error)
    }
    return { heads, taken, settle }
  }

  /** Returns `later` if the write cannot be part of this record. */
  async #applyTo({ base, table }: Head, write: AnnouncedWrite): Promise<AppliedWrite | 'later'> {
    // The files of its segments may be closed.
    if (this.#options.tables.get(base.name) !== base) return 'later'
    // Only the database knows the ids of these rows.
    if (write.met.length > 0 && base.parts.lost.length > 0) return 'later'
    return holding([base], async () => {
      const stored = await table.parts.findAll(new Set(write.met))
      // What the write reads is not in the source file yet.
      const isUnwritten = ({ at }: StoredRow): boolean => at >= base.definition.sourceEnd
      if (table !== base && [...stored.values()].some(isUnwritten)) return 'later'
      const ready = await this.#options.planner.plan(table, write, stored)
      const { mapping, layout } = table.definition
      if (ready.mapping !== mapping || ready.layout !== layout) return 'later'
      if (ready.batch.sourceBytes > MOST_JOURNALED_BYTES) return 'later'
      return applyWrite(table, ready, write)
    })
  }

  #head(index: string): Head {
    const base = this.#table(index)
    return { base, table: base, applied: [] }
  }

  /** Writes to the database: together, or if that fails one by one, so that none fails because of another. */
  async #store(waiting: readonly Waiting[]): Promise<number> {
    try {
      await this.#inDatabase(async (transact) => {
        if (waiting.length > 1 && (await this.#storeSafely(transact, waiting)) === undefined) return
        for (const queued of waiting) {
          const error = await this.#storeSafely(transact, [queued])
          if (error !== undefined) queued.reject(error)
        }
      })
    } catch (error) {
      // Nothing was begun: those that were settled do not notice.
      for (const { reject } of waiting) reject(error)
    }
    return waiting.length
  }

  /** Returns the error if it fails. */
  async #storeSafely(transact: Transact, waiting: readonly Waiting[]): Promise<unknown> {
    try {
      const writes = waiting.map(({ write }) => write)
      const all = await this.#retrying(() => this.#storeAll(transact, writes), this.#options.lose)
      for (const [i, { resolve }] of waiting.entries()) resolve(all[i] ?? [])
      return undefined
    } catch (error) {
      return error ?? new Error('a write failed')
    }
  }

  async #storeAll(transact: Transact, writes: readonly AnnouncedWrite[]): Promise<readonly (readonly WriteResult[])[]> {
    const { planner, tables, changes } = this.#options
    let base = this.#table(writes[0]?.index ?? '')
    for (const { planned } of writes) {
      const wider = (await planned)?.mapping
      if (wider) base = await addManyFields(transact, tables, base, wider)
    }
    const { layout } = base.definition
    const applied: AppliedWrite[] = []
    let table = base
    for (const write of writes) {
      const { met } = write
      const find = (connection: DuckDBConnection) => findStored(connection, base, new Set(met))
      const stored = met.length > 0 ? await transact(find) : new Map<string, StoredRow>()
      const ready = await planner.plan(table, write, stored)
      if (ready.layout !== layout && writes.length > 1) throw new Error('writes that add columns are stored one by one')
      const next = await applyWrite(table, ready, write)
      applied.push(next)
      table = next.table
    }
    await transact(async (connection) => {
      if (table !== base) await storeRows(connection, base, table, applied)
      for (const { raised } of applied) if (raised) await changes.add(connection, raised)
    })
    tables.set(table.name, table)
    if (applied.some(({ raised }) => raised !== undefined)) changes.tell()
    return applied.map(({ results }) => results)
  }

  #table(name: string): IndexTable {
    const table = this.#options.tables.get(name)
    if (!table) throw problem('INDEX_NOT_FOUND', { name })
    return table
  }

  async #step(step: StorageStep): Promise<void> {
    await this.#options.steps?.(step)
  }
}

const isLarge = ({ write }: Waiting): boolean => write.operations.length > MOST_JOURNALED || write.isOpened === true

/** Returns the first writes if they can share a transaction: writes of new documents to one index. */
function together(waiting: readonly Waiting[]): readonly Waiting[] {
  const [first] = waiting
  if (!first?.write.planned) return waiting.slice(0, 1)
  let documents = 0
  const end = waiting.findIndex((queued) => {
    const { index, planned, operations } = queued.write
    documents += operations.length
    return index !== first.write.index || !planned || !isLarge(queued) || documents > MOST_TOGETHER
  })
  return waiting.slice(0, end < 0 ? waiting.length : Math.max(end, 1))
}

async function writeSources({ definition, sources }: IndexTable, applied: readonly AppliedWrite[]): Promise<void> {
  const texts = applied.flatMap(({ rows }) => (rows ? [rows.sources] : []))
  if (texts.length > 0) await sources.write(definition.sourceEnd, texts)
}

/** Stores rows, sources and definition. Syncs the source file. */
async function storeRows(
  connection: DuckDBConnection,
  before: IndexTable,
  { definition }: IndexTable,
  applied: readonly AppliedWrite[],
): Promise<void> {
  await addColumns(connection, before.definition, definition.layout)
  const toDisk = async (): Promise<void> => {
    await writeSources(before, applied)
    await before.sources.sync()
  }
  const toTable = async (): Promise<void> => {
    await saveDefinition(connection, definition)
    for (const { rows } of applied) await rows?.appendTo(connection, definition.table)
    const removed = applied.flatMap((one) => one.removed)
    await removeRows(
      connection,
      definition.table,
      removed.map(({ seq }) => seq),
    )
  }
  // Wait for both even if one fails: the transaction must not end while rows are being appended.
  const outcomes = await Promise.allSettled([toDisk(), toTable()])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
