import { documentReaderOf } from '../../collections/open-collection.ts'
import type { Limits } from '../../config/settings.ts'
import { canonicalText } from '../../engine/canonical-plan.ts'
import type { Engine } from '../../engine/engine.ts'
import { Problem, problem } from '../../errors.ts'
import type { Count } from '../../model/search.ts'
import { resolveSelection } from '../../query/request/effective-query.ts'
import type { Operation } from '../operation.ts'
import { LiveFeed, type SeenEvent } from './live-feed.ts'
import { liveStream } from './live-stream.ts'

/** Milliseconds between two looks at the revisions of the indices. Longer for an engine in another process. */
const LOOK_MS = { own: 250, cluster: 1_000 } as const
/** Milliseconds for which a feed without streams is kept, for clients that connect again. */
const LINGER_MS = 30_000

interface LiveFeedsOptions {
  readonly engine: Pick<Engine, 'count' | 'capabilities' | 'revisions' | 'writes'>
  readonly limits: Pick<Limits, 'liveStreams' | 'liveMs'>
  readonly now: () => number
  readonly onFault: (error: unknown) => void
}

interface KeptFeed {
  readonly feed: LiveFeed
  readonly key: string
  /** Aborted when the feed ends, with its streams. */
  readonly ended: AbortController
  unfollowedSince: number | undefined
}

/** The live streams of a server. Streams with the same selection share a feed, and all feeds share one look. */
export class LiveFeeds {
  readonly #options: LiveFeedsOptions
  readonly #feeds = new Map<string, Promise<KeptFeed>>()
  readonly #open = new Set<KeptFeed>()
  readonly #stopped = new AbortController()
  #streams = 0
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => void) | undefined
  #isLooking = false

  constructor(options: LiveFeedsOptions) {
    this.#options = options
  }

  /** Opens a stream of printed events. Throws TOO_MANY_REQUESTS if there are too many. */
  async follow(request: Count, operation: Operation, seen: SeenEvent | undefined): Promise<AsyncIterable<string>> {
    const { liveStreams: most, liveMs } = this.#options.limits
    if (this.#streams >= most) {
      const reason = `The server has at most ${most} live streams`
      throw problem('TOO_MANY_REQUESTS', { reason, setting: 'limits.liveStreams' }, { 'Retry-After': '5' })
    }
    this.#streams++
    const release = (): void => {
      this.#streams--
    }
    try {
      const { feed, ended } = await this.#feedOf(request, operation)
      const signal = AbortSignal.any([
        operation.signal,
        ended.signal,
        this.#stopped.signal,
        AbortSignal.timeout(liveMs),
      ])
      return liveStream(feed, seen, signal, release)
    } catch (error) {
      release()
      throw error
    }
  }

  /** Ends all streams. */
  close(): void {
    this.#stopped.abort()
    this.#sleep()
  }

  async #feedOf(request: Count, operation: Operation): Promise<KeptFeed> {
    const { collection } = operation
    const predicate = resolveSelection(request, operation)
    const { reference, infos, schema } = collection
    const selection = { indices: schema.indices, predicate }
    const { geometry_path, centroid_path, timestamp_path } = reference.params
    const key = canonicalText([selection, geometry_path, centroid_path, timestamp_path])
    const known = this.#feeds.get(key)
    if (known !== undefined) return known
    const feed = new LiveFeed({ engine: this.#options.engine, selection, infos, reader: documentReaderOf(collection) })
    const made = this.#begin({ feed, key, ended: new AbortController(), unfollowedSince: this.#options.now() })
    this.#feeds.set(key, made)
    made.catch(() => this.#feeds.delete(key))
    return made
  }

  async #begin(kept: KeptFeed): Promise<KeptFeed> {
    const { engine } = this.#options
    const { signal } = this.#stopped
    const { indices } = kept.feed.selection
    this.#unlisten ??= engine.writes.listen((...batch) => {
      for (const { feed } of this.#open) feed.note(...batch)
    })
    const revision = revisionOf(indices, await engine.revisions(indices, signal))
    await kept.feed.begin(revision, signal)
    this.#open.add(kept)
    this.#timer ??= setInterval(() => void this.#look(), this.#interval).unref()
    return kept
  }

  get #interval(): number {
    return this.#options.engine.capabilities.refreshes === true ? LOOK_MS.cluster : LOOK_MS.own
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      this.#dropUnfollowed()
      const { signal } = this.#stopped
      const names = [...new Set([...this.#open].flatMap(({ feed }) => feed.selection.indices))]
      if (names.length === 0) return
      const revisions = await this.#options.engine.revisions(names, signal)
      for (const { feed, ended } of this.#open) {
        // an index that was deleted, or replaced by one of other documents
        if (feed.selection.indices.some((name) => !revisions.has(name))) ended.abort()
        else await feed.look(revisionOf(feed.selection.indices, revisions), signal)
      }
    } catch (error) {
      // an engine that is away is asked again; the streams stay open
      if (!(error instanceof Problem) && !this.#stopped.signal.aborted) this.#options.onFault(error)
    } finally {
      this.#isLooking = false
    }
  }

  #dropUnfollowed(): void {
    const now = this.#options.now()
    for (const kept of this.#open) {
      if (kept.feed.isFollowed) kept.unfollowedSince = undefined
      else kept.unfollowedSince ??= now
      const isOver = kept.unfollowedSince !== undefined && now - kept.unfollowedSince > LINGER_MS
      if (!isOver && !kept.ended.signal.aborted) continue
      this.#open.delete(kept)
      this.#feeds.delete(kept.key)
    }
    if (this.#open.size === 0) this.#sleep()
  }

  #sleep(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#unlisten?.()
    this.#unlisten = undefined
  }
}

const revisionOf = (indices: readonly string[], revisions: ReadonlyMap<string, string>): string =>
  JSON.stringify(indices.map((name) => revisions.get(name) ?? ''))
