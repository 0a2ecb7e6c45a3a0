import { ClusterRefusal, type WireJson, type WireObject } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import {
  closePointsInTime,
  KEEP_ALIVE,
  LONGEST_WAIT_MS,
  openPointInTime,
  type PointInTime,
} from '../request/point-in-time.ts'
import type { Hit, SearchAnswer } from '../request/search-answer.ts'

/** Hits per page; without sources they are small. */
const PAGE = 5_000

/** A document of a snapshot, with the parts needed for planning. */
export interface SnapshotHit extends Hit {
  readonly _routing?: string
  readonly fields?: Readonly<Record<string, readonly WireJson[]>>
}

/** A snapshot of indices, queried repeatedly while a plan is made. */
export class TagSnapshot {
  readonly indices: readonly string[]
  readonly #context: ClusterContext
  readonly #points: ReadonlyMap<string, PointInTime>

  private constructor(context: ClusterContext, points: ReadonlyMap<string, PointInTime>) {
    this.#context = context
    this.#points = points
    this.indices = [...points.keys()]
  }

  /** Opens one point in time per index, because a field may have different types in different indices. */
  static async open(context: ClusterContext, indices: readonly string[], signal: AbortSignal): Promise<TagSnapshot> {
    const points = new Map<string, PointInTime>()
    try {
      for (const index of indices) {
        signal.throwIfAborted()
        points.set(index, await openPointInTime(context, [index]))
      }
    } catch (error) {
      await closePointsInTime(context, [...points.values()])
      throw error
    }
    return new TagSnapshot(context, points)
  }

  async search(index: string, body: WireObject, signal: AbortSignal): Promise<SearchAnswer> {
    await this.#keepOthers(index, signal)
    return this.#ask(this.#pointOf(index), body, signal)
  }

  /** Returns all documents of a query, page by page. */
  async *pages(index: string, body: WireObject, signal: AbortSignal): AsyncIterable<readonly SnapshotHit[]> {
    const point = this.#pointOf(index)
    for (const part of point.parts) {
      let after: readonly WireJson[] | undefined
      do {
        await this.#keepOthers(index, signal)
        const place = after === undefined ? {} : { search_after: after }
        const wanted = { ...body, ...part, ...place, size: PAGE, sort: point.sort, track_total_hits: false }
        const hits: readonly SnapshotHit[] = (await this.#ask(point, wanted, signal)).hits.hits
        if (hits.length > 0) yield hits
        after = hits.length < PAGE ? undefined : hits.at(-1)?.sort
      } while (after !== undefined)
    }
  }

  close(): Promise<void> {
    return closePointsInTime(this.#context, [...this.#points.values()])
  }

  #pointOf(index: string): PointInTime {
    const point = this.#points.get(index)
    if (point === undefined) throw new Error(`index ${index} is not part of the snapshot`)
    return point
  }

  /** Keeps the other points in time alive: the cluster closes unused ones after a while. */
  async #keepOthers(index: string, signal: AbortSignal): Promise<void> {
    const latest = Date.now() - LONGEST_WAIT_MS
    for (const [name, point] of this.#points) {
      if (name !== index && point.usedAt < latest) await this.#ask(point, { size: 0, track_total_hits: false }, signal)
    }
  }

  async #ask(point: PointInTime, body: WireObject, signal: AbortSignal): Promise<SearchAnswer> {
    try {
      const answer = await this.#context.client.send<SearchAnswer>({
        method: 'POST',
        path: '/_search',
        query: { allow_partial_search_results: false },
        body: { ...body, pit: { id: point.id, keep_alive: KEEP_ALIVE } },
        repeatable: true,
        signal,
      })
      point.id = answer.pit_id ?? point.id
      point.usedAt = Date.now()
      return answer
    } catch (error) {
      throw isLost(error) ? Object.assign(problem('ENGINE_UNAVAILABLE', { reason: LOST }), { cause: error }) : error
    }
  }
}

const LOST = 'The cluster closed the snapshot during the scan: a node or an index was lost; try again'

const isLost = (error: unknown): boolean =>
  error instanceof ClusterRefusal && (error.type === 'search_context_missing_exception' || error.status === 404)
