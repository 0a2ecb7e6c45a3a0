import { setTimeout as delay } from 'node:timers/promises'
import type { StepObserver } from '../engine/step-observer.ts'
import type { Failure, TagPosition, TagStatus, TagStore } from '../engine/tag-store.ts'
import type { TagTask, TagWork } from '../engine/tag-task.ts'
import { Problem } from '../errors.ts'
import type { TagRecord } from '../model/tag-record.ts'
import { offsetsOf, type TagLog } from './log/tag-log.ts'
import { prepareTask, requireCollection, TagFailure, type TaskSources } from './prepare-task.ts'
import { type Head, readyHeads } from './tag-lanes.ts'
import { replayOf } from './tag-status.ts'
import type { TagBatch } from './tagging.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** Retries after an internal error before the record fails. */
const INTERNAL_TRIES = 10

/** Maximum number of records executed in parallel, for collections that share no index. */
const SIDE_BY_SIDE = 4

/**
 * Milliseconds. Poll interval of the log without a notification: another process may have written, or a write was slow.
 */
const LOOK_MS = 5_000

export interface TagExecutorOptions extends TaskSources {
  readonly log: TagLog
  readonly store: TagStore
  /** Called with the reason why records wait. */
  readonly onFault: (error: unknown, message: string) => void
  readonly onBatch?: (batch: TagBatch) => void
  /** Waits before a retry. Replaced in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly steps?: StepObserver
}

/** A record being executed, and the indices it blocks. */
interface Running extends Head {
  readonly done: Promise<void>
}

/**
 * A record with the position it was chosen at: all its steps belong to that run. A replay accepted later has a later
 * run, so FINISH knows that it must not move the position past the replay.
 */
interface ChosenRecord {
  readonly record: TagRecord
  readonly position: Pick<TagPosition, 'run' | 'replays'>
}

interface WaitingHead extends Head {
  readonly chosen: ChosenRecord
}

/**
 * Executes the records of the log: in log order if they share an index, else in parallel. Transient errors are retried
 * forever; a waiting record blocks those behind it.
 */
export class TagExecutor {
  readonly #options: TagExecutorOptions
  readonly #running = new Map<string, Running>()
  readonly #stopping = new AbortController()
  /** Reasons why records wait, by collection. Reported by the health check. */
  readonly #troubles = new Map<string, string>()
  /** Number of records finished since the start. */
  #finished = 0
  #wake = Promise.withResolvers<void>()
  #ended: Promise<void> = Promise.resolve()

  constructor(options: TagExecutorOptions) {
    this.#options = options
  }

  start(): void {
    this.#ended = this.#run()
  }

  /** Waits for the current steps. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'))
    this.wake()
    await this.#ended
  }

  /** Checks the log for work. */
  wake(): void {
    this.#wake.resolve()
  }

  get troubles(): readonly string[] {
    return [...this.#troubles.values()]
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const stopListening = this.#options.log.onRecords(() => this.wake())
    try {
      while (!signal.aborted) {
        try {
          const { lost, resign } = await this.#options.store.lead(signal)
          try {
            await this.#lead(AbortSignal.any([signal, lost]))
          } finally {
            await Promise.all([...this.#running.values()].map((running) => running.done))
            await resign()
          }
        } catch (error) {
          if (signal.aborted) return
          this.#options.onFault(error, 'tags are waiting')
          await this.#pause(FIRST_WAIT_MS, signal).catch(() => undefined)
        }
      }
    } finally {
      stopListening()
    }
  }

  /** Executes records while this process is the leader. */
  async #lead(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>()
      await this.#begin(signal)
      const look = setTimeout(() => this.wake(), LOOK_MS)
      const leave = (): void => this.wake()
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      await this.#wake.promise
      signal.removeEventListener('abort', leave)
      clearTimeout(look)
    }
  }

  /** Starts every record that may start now. */
  async #begin(signal: AbortSignal): Promise<void> {
    for (let finished = -1; finished !== this.#finished; ) {
      finished = this.#finished
      // Records arrive and finish while heads are read. All records up to the last known offset existed before the
      // second read, so that read misses no record that must run first. If one finished meanwhile, read again.
      const last = Math.max(-1, ...(await this.#readHeads()).map((head) => head.offset))
      const waiting = (await this.#readHeads()).filter((head) => head.offset <= last)
      if (finished !== this.#finished) continue
      const ready = readyHeads(waiting, [...this.#running.values()])
      for (const { chosen, ...head } of ready.slice(0, SIDE_BY_SIDE - this.#running.size)) {
        this.#running.set(head.collection, { ...head, done: this.#carryOut(chosen, signal) })
      }
    }
  }

  /** Returns the next record of each idle collection. */
  async #readHeads(): Promise<readonly WaitingHead[]> {
    const { log, store } = this.#options
    const heads: WaitingHead[] = []
    const positions = await store.positions()
    const byCollection = new Map(positions.map((position) => [position.collection, position]))
    for (const record of await log.heads(offsetsOf(positions))) {
      const position = byCollection.get(record.collection) ?? { run: 0, replays: [] }
      if (!this.#running.has(record.collection)) heads.push(await this.#headOf({ record, position }))
    }
    return heads
  }

  /** Returns the next record of a collection, or the one in progress if a restart interrupted it. */
  async #headOf(next: ChosenRecord): Promise<WaitingHead> {
    const { log, store, references, engine } = this.#options
    const { collection } = next.record
    const underWay = await store.underWay(collection)
    const planned = underWay && (await log.next(collection, underWay.offset))
    const chosen = planned ? { record: planned, position: positionAt(next.position, underWay.run) } : next
    const reference = await references.get(collection)
    const infos = reference === undefined ? [] : await engine.indices(reference.params.index_name)
    const indices = new Set([...(underWay?.indices ?? []), ...infos.map((info) => info.name)])
    return { collection, offset: chosen.record.offset, indices: [...indices], chosen }
  }

  async #carryOut(chosen: ChosenRecord, signal: AbortSignal): Promise<void> {
    const { collection } = chosen.record
    try {
      await this.#options.steps?.('chosen')
      await this.#execute(chosen, signal)
    } finally {
      this.#running.delete(collection)
      this.#troubles.delete(collection)
      this.#finished++
      this.wake()
    }
  }

  /** Executes all steps of one record. Returns when it is finished or the signal aborts. */
  async #execute(chosen: ChosenRecord, signal: AbortSignal): Promise<void> {
    const { collection } = chosen.record
    let waitMs = FIRST_WAIT_MS
    let internal = 0
    while (!signal.aborted) {
      try {
        if (await this.#step(chosen, signal)) return
        waitMs = FIRST_WAIT_MS
        internal = 0
        this.#troubles.delete(collection)
      } catch (error) {
        if (signal.aborted) return
        const isPassing = this.#options.store.isTransient(error) || isOutage(error)
        internal += isPassing ? 0 : 1
        const message = error instanceof Error ? error.message : String(error)
        this.#troubles.set(collection, `tags of ${collection} are waiting: ${message}`)
        this.#options.onFault(error, `a tag of ${collection} is retried`)
        if (internal >= INTERNAL_TRIES && (await this.#giveUp(chosen))) return
        await this.#pause(waitMs, signal).catch(() => undefined)
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      }
    }
  }

  /** Executes one step of a record. Returns true if the record is finished. */
  async #step(chosen: ChosenRecord, signal: AbortSignal): Promise<boolean> {
    const { store, references, onBatch, now } = this.#options
    const { record } = chosen
    const underWay = await store.underWay(record.collection)
    try {
      if (underWay === undefined) return (await store.plan(await this.#taskOf(chosen), signal)).finished
      await requireCollection(record, references)
      const before = await store.status(record.id)
      const began = performance.now()
      const status = await store.apply({ ...underWay, record, now }, signal)
      const seconds = (performance.now() - began) / 1000
      onBatch?.({ action: record.action, documents: updatedSince(before, status), seconds })
      return status.finished
    } catch (error) {
      const failure = failureOf(record, error)
      if (failure === undefined) throw error
      return (await store.fail(await this.#workOf(chosen), failure)).finished
    }
  }

  async #taskOf(chosen: ChosenRecord): Promise<TagTask> {
    const { record, run, startMs } = await this.#workOf(chosen)
    return prepareTask(record, run, startMs, this.#options)
  }

  async #workOf({ record, position }: ChosenRecord): Promise<Pick<TagWork, 'record' | 'run' | 'startMs' | 'now'>> {
    const { store, now } = this.#options
    const status = await store.status(record.id)
    const replay = status === undefined ? undefined : replayOf(record, position.replays, status.run)
    const startMs = replay?.acceptedMs ?? status?.startMs ?? record.creationTime
    return { record, run: position.run, startMs, now }
  }

  /** Fails a record after repeated internal errors. */
  async #giveUp(chosen: ChosenRecord): Promise<boolean> {
    const { id, collection } = chosen.record
    const message = 'Internal error; see the server log.'
    try {
      await this.#options.store.fail(await this.#workOf(chosen), { id, type: 'INTERNAL_ERROR', message })
      return true
    } catch (error) {
      this.#options.onFault(error, `the failure of a tag of ${collection} could not be stored`)
      return false
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return (this.#options.wait ?? ((time, stop) => delay(time, undefined, { signal: stop })))(ms, signal)
  }
}

/** The position as it was in the given run, without later replays. */
const positionAt = ({ replays }: ChosenRecord['position'], run: number): ChosenRecord['position'] => ({
  run,
  replays: replays.filter((replay) => replay.run <= run),
})

const updatedSince = (before: TagStatus | undefined, after: TagStatus): number =>
  after.updated - (before?.run === after.run ? before.updated : 0)

/** True if the engine or the log is unavailable. */
const isOutage = (error: unknown): boolean =>
  error instanceof Problem && (error.status >= 502 || error.code === 'LOG_UNAVAILABLE')

/** Returns the failure of a record for permanent errors, undefined for errors to retry. */
function failureOf(record: TagRecord, error: unknown): Failure | undefined {
  if (error instanceof TagFailure) return error.failure
  if (!(error instanceof Problem) || error.status >= 500) return undefined
  const type = error.code === 'INDEX_NOT_FOUND' || error.code === 'COLLECTION_NOT_FOUND' ? error.code : 'INVALID_FILTER'
  return { id: record.id, type, message: `${error.message}.` }
}
