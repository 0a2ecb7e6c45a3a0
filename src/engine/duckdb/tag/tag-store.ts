import { setTimeout as delay } from 'node:timers/promises'
import { Problem, problem } from '../../../errors.ts'
import type { TagStep } from '../../step-observer.ts'
import {
  type Failure,
  KEPT_FAILURES,
  type Leadership,
  type TagPosition,
  type TagStatus,
  type TagStore,
  type UnderWay,
} from '../../tag-store.ts'
import type { TagTask, TagWork } from '../../tag-task.ts'
import { retryingStale } from '../condition/snapshot.ts'
import { type Run, runOn } from '../database/bookkeeping.ts'
import { isFailedTransaction, isOutOfMemory } from '../database/engine-fault.ts'
import { stopping } from '../database/read-slots.ts'
import type { IndexTable } from '../table/index-table.ts'
import { BatchSize } from './batch-size.ts'
import { commitTagBatch } from './tag-commit.ts'
import type { TagHost } from './tag-host.ts'
import { writePlan } from './tag-plan.ts'
import { freshStatus, withoutCursor } from './tag-progress.ts'
import {
  type Cursor,
  finishRecord,
  makeTagTables,
  planOf,
  readPlans,
  readPositions,
  readStatus,
  removePlan,
  savePlan,
  savePosition,
  saveReplay,
  saveStatus,
} from './tag-tables.ts'

/** Milliseconds before a checkpoint that readers prevented is retried. */
const CHECKPOINT_AGAIN_MS = 20

/** Stores positions, plans and statuses in the database of the documents, so that tags commit together with them. */
export class DuckdbTagStore implements TagStore {
  readonly #host: TagHost
  readonly #sizes = new Map<string, BatchSize>()
  readonly #closing = new AbortController()

  private constructor(host: TagHost) {
    this.#host = host
  }

  static async open(host: TagHost): Promise<DuckdbTagStore> {
    await host.database.write(makeTagTables)
    return new DuckdbTagStore(host)
  }

  /** Always succeeds, because only one process uses the data directory. */
  async lead(signal: AbortSignal): Promise<Leadership> {
    signal.throwIfAborted()
    return { lost: this.#closing.signal, resign: async () => undefined }
  }

  async position(collection: string): Promise<TagPosition> {
    const [position] = await this.#read((run) => readPositions(run, collection))
    return position ?? { collection, run: 0, nextOffset: 0, replays: [] }
  }

  positions(): Promise<readonly TagPosition[]> {
    return this.#read((run) => readPositions(run))
  }

  async replay(collection: string, fromOffset: number, acceptedMs: number): Promise<void> {
    await this.#step('replaying')
    await this.#write(async (run) => {
      const [position] = await readPositions(run, collection)
      const next = { run: (position?.run ?? 0) + 1, nextOffset: Math.min(position?.nextOffset ?? 0, fromOffset) }
      await savePosition(run, { collection, ...next })
      await saveReplay(run, collection, { run: next.run, fromOffset, acceptedMs })
    })
    await this.#step('replayed')
  }

  async status(id: string): Promise<TagStatus | undefined> {
    const status = await this.#read((run) => readStatus(run, id))
    return status && withoutCursor(status)
  }

  async underWay(collection: string): Promise<UnderWay | undefined> {
    const [plan] = await this.#read((run) => readPlans(run, collection))
    if (!plan) return undefined
    const { id: _, ...underWay } = plan
    return underWay
  }

  async plan(task: TagTask, signal: AbortSignal): Promise<TagStatus> {
    await this.#step('planning')
    const status = await retryingStale(() => this.#writePlan(task, signal))
    await this.#step('planned')
    return withoutCursor(status)
  }

  async #writePlan(task: TagTask, signal: AbortSignal): Promise<TagStatus & Cursor> {
    const { database, flusher, options } = this.#host
    await flusher.flushed()
    const tables = task.indices.map((name) => this.#table(name))
    const shown = tables.find(({ definition }) => definition.opened !== undefined)
    if (shown !== undefined) throw problem('INDEX_READ_ONLY', { name: shown.name })
    const status = await database.writeBeside(signal, async (reader) => {
      const planned = await writePlan(reader, tables, task, options.blocks)
      const fresh = {
        ...freshStatus(task),
        propagated: planned.units,
        failed: planned.failed,
        failures: planned.failures,
        total: planned.entries,
      }
      if (planned.units === 0) return { ...fresh, finished: true }
      const run: Run = (sql, values) => reader.rows(sql, values)
      await saveStatus(run, fresh)
      await savePlan(run, planOf(task))
      return fresh
    })
    if (status.finished) await this.#finishAlone(task, status)
    return status
  }

  /** Finishes a record without any work: saves its status together with the position. */
  async #finishAlone(work: Pick<TagWork, 'record' | 'run'>, status: TagStatus & Cursor): Promise<void> {
    const { collection, offset } = work.record
    await this.#write(async (run) => {
      await saveStatus(run, status)
      await finishRecord(run, collection, { offset, run: work.run })
      await this.#step('finishing')
    })
    await this.#step('finished')
  }

  async apply(work: TagWork, signal: AbortSignal): Promise<TagStatus> {
    const { collection } = work.record
    const size = this.#sizes.get(collection) ?? new BatchSize(this.#host.options.batch)
    this.#sizes.set(collection, size)
    for (;;) {
      signal.throwIfAborted()
      await this.#makeRoom(signal)
      try {
        const status = await this.#applyBatch(work, size)
        if (status.finished) this.#sizes.delete(collection)
        return withoutCursor(status)
      } catch (error) {
        if (!isOutOfMemory(error) || !size.halve()) throw error
      }
    }
  }

  /** DuckDB keeps updates in memory until a checkpoint, so the write-ahead log must not grow without limit. */
  async #makeRoom(signal: AbortSignal): Promise<void> {
    const { database, options } = this.#host
    while ((await database.logBytes()) > options.walLimit) {
      if (await database.checkpoint()) return
      await delay(CHECKPOINT_AGAIN_MS, undefined, { signal })
    }
  }

  async #applyBatch(work: TagWork, size: BatchSize): Promise<TagStatus & Cursor> {
    const { writes, changes, replace } = this.#host
    await this.#step('applying')
    // Waiting for the write queue or for the thread does not count as work.
    let began = 0
    const { status, batch, entries, waitedMs } = await writes.exclusive(async (transact) => {
      began = performance.now()
      const step = (name: TagStep): Promise<void> => this.#step(name)
      const committed = await transact((connection) => commitTagBatch(connection, work, size.current, this.#host, step))
      for (const changed of committed.batch.tables) replace(changed)
      return committed
    })
    if (!status.finished) size.took(entries, performance.now() - began - waitedMs)
    if (batch.changes.length > 0) changes.tell()
    await this.#step('applied')
    if (status.finished) await this.#step('finished')
    return status
  }

  async fail(work: Omit<TagWork, 'indices' | 'idPath'>, failure: Failure): Promise<TagStatus> {
    const { record } = work
    const status = await this.#write(async (run) => {
      const [plan] = await readPlans(run, record.collection)
      const isPlanned = plan?.id === record.id && plan.run === work.run
      const known = isPlanned ? await readStatus(run, record.id) : undefined
      const before = known ?? freshStatus(work)
      const ended: TagStatus & Cursor = {
        ...before,
        nbRequest: before.propagated,
        failed: before.failed + 1,
        failures: [...before.failures, failure].slice(0, KEPT_FAILURES),
        unitDone: 0,
        unitTotal: 0,
        endMs: work.now(),
        finished: true,
      }
      await saveStatus(run, ended, known?.failures.length)
      if (plan && isPlanned) await removePlan(run, plan)
      await finishRecord(run, record.collection, { offset: record.offset, run: work.run })
      await this.#step('finishing')
      return ended
    })
    this.#sizes.delete(record.collection)
    await this.#step('finished')
    return withoutCursor(status)
  }

  isTransient(error: unknown): boolean {
    if (error instanceof Problem) return error.code === 'ENGINE_UNAVAILABLE' || error.code === 'ENGINE_TIMEOUT'
    return isFailedTransaction(error)
  }

  async close(): Promise<void> {
    this.#closing.abort(stopping())
  }

  #read<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#host.database.readAside((connection) => work(runOn(connection)))
  }

  #write<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#host.database.write((connection) => work(runOn(connection)))
  }

  #table(name: string): IndexTable {
    const table = this.#host.table(name)
    if (!table) throw problem('INDEX_NOT_FOUND', { name })
    return table
  }

  async #step(step: TagStep): Promise<void> {
    await this.#host.steps?.(step)
  }
}
