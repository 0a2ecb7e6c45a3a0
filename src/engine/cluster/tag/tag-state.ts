import type { ClusterClient, WireObject } from '../../../cluster-client/cluster-client.ts'
import { ClusterIndex, type RecordVersion } from '../../../storage/cluster-index.ts'
import type { Failure, TagReplay, TagStatus } from '../../tag-store.ts'

/** Where a collection is: how far its records are executed, and how far the one under way. One document. */
export interface CollectionState {
  readonly collection: string
  readonly run: number
  readonly nextOffset: number
  readonly replays: readonly TagReplay[]
  /** Of the last plan that was begun; no two have the same. */
  readonly attempt: number
  /** A plan that is being written, or was left unfinished. */
  readonly planning?: { readonly offset: number; readonly run: number; readonly attempt: number }
  readonly underWay?: WorkUnderWay
}

/** A record whose plan is complete: this is what makes it count. */
export interface WorkUnderWay {
  readonly id: string
  readonly offset: number
  readonly run: number
  readonly attempt: number
  readonly startMs: number
  readonly endMs: number
  readonly indices: readonly string[]
  readonly idPath: string
  /** Chunks of the work list, and how many of them, from the first on, are done. */
  readonly chunks: number
  readonly cursor: number
  readonly propagated: number
  readonly nbRequest: number
  readonly updated: number
  readonly failed: number
  readonly failures: readonly Failure[]
  readonly unitDone: number
  readonly unitTotal: number
  /** Other attempts at this plan may have left chunks behind. */
  readonly untidy: boolean
}

export interface StoredState {
  readonly state: CollectionState
  readonly version: RecordVersion | 'absent'
}

/** How many states are listed at once. */
const PAGE = 1_000

/** The states of all collections; every change is made over the state it was computed from. */
export class TagStates {
  readonly #index: ClusterIndex

  constructor(client: ClusterClient, prefix: string) {
    this.#index = new ClusterIndex({
      client,
      name: `${prefix}tag-state`,
      properties: { collection: { type: 'keyword' } },
    })
  }

  async read(collection: string): Promise<StoredState> {
    const found = await this.#index.get<CollectionState>(collection)
    return found === undefined
      ? { state: initialState(collection), version: 'absent' }
      : { state: found.source, version: found.version }
  }

  /** Undefined when somebody else has changed it since. */
  write(state: CollectionState, over: StoredState['version']): Promise<RecordVersion | undefined> {
    return this.#index.put(state.collection, state as unknown as WireObject, { over })
  }

  /** Changes it whoever else does; `change` answers undefined when nothing is to be changed. */
  async change(
    collection: string,
    change: (state: CollectionState) => CollectionState | undefined,
  ): Promise<CollectionState> {
    for (;;) {
      const { state, version } = await this.read(collection)
      const changed = change(state)
      if (changed === undefined) return state
      if ((await this.write(changed, version)) !== undefined) return changed
    }
  }

  async all(): Promise<readonly CollectionState[]> {
    await this.#index.refresh()
    const states: CollectionState[] = []
    for (let after: string | undefined; ; ) {
      const { hits } = await this.#index.search<StatePage>({
        size: PAGE,
        sort: [{ collection: { order: 'asc', unmapped_type: 'keyword' } }],
        ...(after === undefined ? {} : { search_after: [after] }),
      })
      states.push(...hits.hits.map(({ _source }) => _source))
      after = states.at(-1)?.collection
      if (hits.hits.length < PAGE) return states
    }
  }
}

interface StatePage {
  readonly hits: { readonly hits: readonly { readonly _source: CollectionState }[] }
}

const initialState = (collection: string): CollectionState => ({
  collection,
  run: 0,
  nextOffset: 0,
  replays: [],
  attempt: 0,
})

/** With a replay in force: position, run and list change together. */
export function withReplay(state: CollectionState, fromOffset: number, acceptedMs: number): CollectionState {
  const run = state.run + 1
  // One from further on tells nothing any more.
  const replays = state.replays.filter((replay) => replay.fromOffset < fromOffset)
  return {
    ...state,
    run,
    nextOffset: Math.min(state.nextOffset, fromOffset),
    replays: [...replays, { run, fromOffset, acceptedMs }],
  }
}

/** With a record finished: the position is behind it, unless a replay came meanwhile that begins at or before it. */
export function withFinished(state: CollectionState, offset: number, run: number): CollectionState {
  const { underWay: _done, planning, ...rest } = state
  const isRepeated = state.replays.some((replay) => replay.run > run && replay.fromOffset <= offset)
  return {
    ...rest,
    ...(planning === undefined || planning.offset === offset ? {} : { planning }),
    nextOffset: isRepeated ? state.nextOffset : offset + 1,
  }
}

export const isSameWork = (one: WorkUnderWay | undefined, other: WorkUnderWay): boolean =>
  one !== undefined && one.offset === other.offset && one.attempt === other.attempt && one.cursor === other.cursor

export function statusOf(collection: string, work: WorkUnderWay, finished = false): TagStatus {
  const { id, offset, run, propagated, nbRequest, updated, failed, failures } = work
  const { unitDone, unitTotal, startMs, endMs } = work
  const counts = { propagated, nbRequest, updated, failed, failures, unitDone, unitTotal }
  return { id, offset, collection, run, ...counts, startMs, endMs, finished }
}
