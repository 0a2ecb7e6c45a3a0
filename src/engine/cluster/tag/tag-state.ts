import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { ClusterIndex, type RecordVersion } from '../../../storage/cluster-index.ts'
import type { Failure, TagReplay, TagStatus } from '../../tag-store.ts'

/** Progress of a collection and of its record in progress. Stored as one document. */
export type CollectionState = {
  readonly collection: string
  readonly run: number
  readonly nextOffset: number
  readonly replays: readonly TagReplay[]
  /** Number of the last plan that was started; unique per collection. */
  readonly attempt: number
  /** A plan that is being written, or was left unfinished. */
  readonly planning?: { readonly offset: number; readonly run: number; readonly attempt: number }
  readonly underWay?: WorkUnderWay
}

/** A record with a complete plan. Storing it commits the plan. */
export type WorkUnderWay = {
  readonly id: string
  readonly offset: number
  readonly run: number
  readonly attempt: number
  readonly startMs: number
  readonly endMs: number
  readonly indices: readonly string[]
  readonly idPath: string
  /** Number of chunks in the work list, and number of leading chunks that are done. */
  readonly chunks: number
  readonly cursor: number
  readonly propagated: number
  readonly nbRequest: number
  readonly updated: number
  readonly failed: number
  readonly failures: readonly Failure[]
  readonly unitDone: number
  readonly unitTotal: number
  /** True if other attempts at this plan may have left chunks behind. */
  readonly untidy: boolean
}

export interface StoredState {
  readonly state: CollectionState
  readonly version: RecordVersion | 'absent'
}

/** States per page. */
const PAGE = 1_000

/** The states of all collections. Every change is a compare-and-set on the state it was computed from. */
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

  /** Undefined if the state was changed concurrently. */
  write(state: CollectionState, over: StoredState['version']): Promise<RecordVersion | undefined> {
    return this.#index.put(state.collection, state, { over })
  }

  /** Changes the state, with retries on conflicts. `change` returns undefined if nothing has to be changed. */
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

/** Returns the state with a replay added: position, run and list change together. */
export function withReplay(state: CollectionState, fromOffset: number, acceptedMs: number): CollectionState {
  const run = state.run + 1
  // Replays from this offset or later are superseded.
  const replays = state.replays.filter((replay) => replay.fromOffset < fromOffset)
  return {
    ...state,
    run,
    nextOffset: Math.min(state.nextOffset, fromOffset),
    replays: [...replays, { run, fromOffset, acceptedMs }],
  }
}

/**
 * Returns the state with a record finished. The position is set after the record, unless a later replay starts at or
 * before it.
 */
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
