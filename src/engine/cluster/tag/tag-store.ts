import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { engineProblem } from '../../../cluster-client/cluster-problem.ts'
import { Problem } from '../../../errors.ts'
import { type HeldLease, Lease, Overtaken } from '../../../storage/lease.ts'
import { Slots } from '../../slots.ts'
import type { StepObserver } from '../../step-observer.ts'
import type { Failure, Leadership, TagPosition, TagStatus, TagStore, UnderWay } from '../../tag-store.ts'
import type { TagTask, TagWork } from '../../tag-task.ts'
import type { IndexCatalog } from '../catalog/index-catalog.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { type AppliedBatch, type ApplySettings, applyBatch, type NoteChanges } from './tag-apply.ts'
import { type PlanName, TagPlans } from './tag-plan.ts'
import { makePlan } from './tag-planner.ts'
import { advance, failedWork, toPosition, withFailure } from './tag-progress.ts'
import {
  type CollectionState,
  isSameWork,
  type StoredState,
  statusOf,
  TagStates,
  type WorkUnderWay,
  withFinished,
  withReplay,
} from './tag-state.ts'
import { TagStatuses } from './tag-status.ts'
import { WorkListWriter } from './tag-work-list.ts'
import { refreshIndices } from './tag-write.ts'

/** Settings for executing tags on a cluster (`tagging.cluster`). */
export interface ClusterTagSettings extends ApplySettings {
  /** Maximum number of chunks processed concurrently. */
  readonly inFlight: number
  readonly leaseSeconds: number
}

/** Default settings. */
export const defaultTagSettings: ClusterTagSettings = {
  bulkActions: 1_000,
  bulkBytes: 5 * 1024 * 1024,
  inFlight: 4,
  conflictRetries: 10,
  leaseSeconds: 30,
}

/** A cluster with a known dialect. */
interface KnownCluster {
  readonly context: ClusterContext
  readonly catalog: IndexCatalog
}

interface ClusterTagStoreOptions {
  readonly client: ClusterClient
  /** Name prefix of the internal indices. */
  readonly prefix: string
  readonly settings: ClusterTagSettings
  /** Calls the cluster and converts its errors to problems. */
  readonly ask: <T>(signal: AbortSignal | undefined, work: (known: KnownCluster) => Promise<T>) => Promise<T>
  /** Records the changes of a chunk for subscriptions. */
  readonly note: (work: WorkUnderWay, chunk: number, collection: string) => NoteChanges
  readonly onCommitted: () => void
  readonly steps?: StepObserver
}

/** Tagging on a cluster: the state is kept in internal indices, and documents are changed by compare-and-set. */
export function clusterTagStore(options: ClusterTagStoreOptions): TagStore {
  return new ClusterTagStore(options)
}

class ClusterTagStore implements TagStore {
  readonly #options: ClusterTagStoreOptions
  readonly #states: TagStates
  readonly #statuses: TagStatuses
  readonly #plans: TagPlans
  readonly #lease: Lease
  readonly #steps: StepObserver
  /** Shared by all collections, so that memory does not grow with their number. */
  readonly #slots: Slots
  #held: HeldLease | undefined

  constructor(options: ClusterTagStoreOptions) {
    const { client, prefix, settings, steps } = options
    this.#options = options
    this.#states = new TagStates(client, prefix)
    this.#statuses = new TagStatuses(client, prefix, this.#states)
    this.#plans = new TagPlans(client, prefix)
    this.#lease = new Lease({ client, prefix, leaseMs: settings.leaseSeconds * 1_000 })
    this.#steps = steps ?? (() => undefined)
    this.#slots = new Slots(settings.inFlight)
  }

  async lead(signal: AbortSignal): Promise<Leadership> {
    const held = await this.#lease.acquire(signal)
    this.#held = held
    return { lost: held.lost, resign: () => held.release() }
  }

  position(collection: string): Promise<TagPosition> {
    return this.#ask(async () => toPosition((await this.#states.read(collection)).state))
  }

  positions(): Promise<readonly TagPosition[]> {
    return this.#ask(async () => (await this.#states.all()).map(toPosition))
  }

  replay(collection: string, fromOffset: number, acceptedMs: number): Promise<void> {
    return this.#ask(async () => {
      await this.#steps('replaying')
      await this.#states.change(collection, (state) => withReplay(state, fromOffset, acceptedMs))
      await this.#steps('replayed')
    })
  }

  status(id: string): Promise<TagStatus | undefined> {
    return this.#ask(() => this.#statuses.read(id))
  }

  underWay(collection: string): Promise<UnderWay | undefined> {
    return this.#ask(async () => {
      const { underWay } = (await this.#states.read(collection)).state
      if (underWay === undefined) return undefined
      const { offset, run, startMs, indices, idPath } = underWay
      return { collection, offset, run, startMs, indices, idPath }
    })
  }

  plan(task: TagTask, signal: AbortSignal): Promise<TagStatus> {
    return this.#options.ask(signal, async (known) => {
      const { id, collection, offset } = task.record
      await this.#steps('planning')
      await this.#mayWrite()
      const { state, version } = await this.#states.read(collection)
      const done = await this.#alreadyPlanned(state, offset, id)
      if (done !== undefined) return done
      // A unique attempt number separates the chunks of this attempt from those of others.
      const name = { offset, run: task.run, attempt: state.attempt + 1 }
      const reserved = { ...state, attempt: name.attempt, planning: name }
      const over = await this.#states.write(reserved, version)
      if (over === undefined) throw new Overtaken('another server is planning this record')
      if (state.planning !== undefined) await this.#plans.removeAll(state.planning.offset)
      await this.#statuses.open(id, collection)
      const work = await this.#makePlan(known, task, name, state.planning !== undefined, signal)
      await this.#mayWrite()
      await this.#commitPlan(collection, name, work)
      await this.#steps('planned')
      return work.propagated === 0 ? this.#finish(known, collection, work, task.now) : statusOf(collection, work)
    })
  }

  apply(work: TagWork, signal: AbortSignal): Promise<TagStatus> {
    return this.#options.ask(signal, async (known) => {
      const { id, collection, offset } = work.record
      await this.#steps('applying')
      const stored = await this.#states.read(collection)
      const { underWay } = stored.state
      if (underWay?.offset !== offset) {
        const done = await this.#alreadyPlanned(stored.state, offset, id)
        if (done !== undefined) return done
        throw new Error(`record ${offset} of ${collection} is not in progress`)
      }
      if (underWay.cursor >= underWay.chunks) return this.#finish(known, collection, underWay, work.now)
      const { done, fault } = await this.#applyChunks(known, work, underWay, signal)
      if (done.length === 0) throw fault?.error
      const moved = advance(underWay, done, work.now())
      await this.#steps('committing')
      await this.#commit(stored, moved, underWay)
      await this.#steps('applied')
      this.#options.onCommitted()
      if (fault !== undefined) throw fault.error
      if (moved.cursor < moved.chunks) return statusOf(collection, moved)
      return this.#finish(known, collection, moved, work.now)
    })
  }

  fail(work: Omit<TagWork, 'indices' | 'idPath'>, failure: Failure): Promise<TagStatus> {
    return this.#options.ask(undefined, async (known) => {
      const { id, collection, offset } = work.record
      await this.#mayWrite()
      const { state } = await this.#states.read(collection)
      const { underWay } = state
      if (underWay !== undefined && underWay.offset === offset) {
        return this.#finish(known, collection, withFailure(underWay, failure), work.now)
      }
      const done = await this.#alreadyPlanned(state, offset, id)
      if (done !== undefined) return done
      return this.#finish(known, collection, failedWork(work, failure, state), work.now)
    })
  }

  isTransient(error: unknown): boolean {
    if (error instanceof Overtaken) return true
    const found = engineProblem(error)
    return found instanceof Problem && (found.code === 'ENGINE_UNAVAILABLE' || found.code === 'ENGINE_TIMEOUT')
  }

  async close(): Promise<void> {
    await this.#held?.release()
  }

  #ask<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.ask(undefined, work)
  }

  async #mayWrite(): Promise<void> {
    if (this.#held === undefined) throw new Overtaken('this process does not hold the lease for executing tags')
    await this.#held.check()
  }

  /**
   * Returns the status of a record that is in progress or already executed: another server was faster, or a response
   * was lost.
   */
  async #alreadyPlanned(state: CollectionState, offset: number, id: string): Promise<TagStatus | undefined> {
    if (state.underWay?.offset === offset) return statusOf(state.collection, state.underWay)
    return state.nextOffset > offset ? this.#statuses.read(id) : undefined
  }

  async #makePlan(
    { context }: KnownCluster,
    task: TagTask,
    name: PlanName,
    untidy: boolean,
    signal: AbortSignal,
  ): Promise<WorkUnderWay> {
    const { record, run, startMs, indices, idPath } = task
    // Makes all acknowledged writes visible to the plan.
    await refreshIndices(context.client, indices)
    const list = new WorkListWriter((from, chunks) => this.#plans.write(name, from, chunks))
    const planned = await makePlan(context, task, list, signal)
    const chunks = await list.end(planned.propagated)
    const progress = { nbRequest: 0, updated: 0, unitDone: 0, unitTotal: 0, cursor: 0 }
    const { id, offset } = record
    const { attempt } = name
    return {
      ...{ id, offset, run, attempt, startMs, endMs: task.now(), indices, idPath, chunks, untidy },
      ...progress,
      ...planned,
    }
  }

  /** Commits the plan. Fails if another plan was started meanwhile; a concurrent replay is allowed. */
  async #commitPlan(collection: string, { attempt }: PlanName, underWay: WorkUnderWay): Promise<void> {
    await this.#states.change(collection, ({ planning, ...state }) => {
      if (planning?.attempt !== attempt) throw new Overtaken('another server has planned this record')
      return { ...state, underWay }
    })
  }

  async #applyChunks(
    { context, catalog }: KnownCluster,
    { record }: TagWork,
    underWay: WorkUnderWay,
    signal: AbortSignal,
  ): Promise<AppliedBatch> {
    const { settings, note } = this.#options
    const { cursor, idPath } = underWay
    const chunks = await this.#plans.read(underWay, cursor, Math.min(settings.inFlight, underWay.chunks - cursor))
    const common = { client: context.client, catalog, settings, record, idPath, steps: this.#steps, signal }
    return applyBatch(this.#slots, chunks, (i) => ({
      ...common,
      mayWrite: () => this.#mayWrite(),
      note: note(underWay, cursor + i, record.collection),
    }))
  }

  /** Advances the cursor from its value when the chunks were read. */
  async #commit(stored: StoredState, moved: WorkUnderWay, before: WorkUnderWay): Promise<void> {
    if ((await this.#states.write({ ...stored.state, underWay: moved }, stored.version)) !== undefined) return
    await this.#states.change(stored.state.collection, (state) => {
      if (!isSameWork(state.underWay, before)) throw new Overtaken('another server has continued with this record')
      return { ...state, underWay: moved }
    })
  }

  /** Finishes a record. All changes are visible to searches before the status is finished. Idempotent. */
  async #finish(
    { context }: KnownCluster,
    collection: string,
    work: WorkUnderWay,
    now: () => number,
  ): Promise<TagStatus> {
    await this.#steps('finishing')
    await refreshIndices(context.client, work.indices)
    if (work.untidy) await this.#plans.removeAll(work.offset)
    else await this.#plans.remove(work, work.chunks)
    await this.#mayWrite()
    const ended = { ...work, nbRequest: work.propagated, unitDone: 0, unitTotal: 0, endMs: now() }
    const status = await this.#statuses.finish(statusOf(collection, ended, true))
    await this.#states.change(collection, (state) => {
      const isOurs =
        state.underWay === undefined ? state.nextOffset <= work.offset : state.underWay.offset === work.offset
      return isOurs ? withFinished(state, work.offset, work.run) : undefined
    })
    await this.#steps('finished')
    this.#options.onCommitted()
    return status
  }
}
