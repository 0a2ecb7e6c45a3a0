import type { ClusterClient, WireObject } from '../../cluster-client/cluster-client.ts'
import { engineProblem } from '../../cluster-client/cluster-problem.ts'
import { isOutage } from '../../cluster-client/outage-watch.ts'
import { Problem, problem } from '../../errors.ts'
import { type NewTagRecord, RECORD_VERSION, type TagRecord } from '../../model/tag-record.ts'
import { ClusterIndex } from '../../storage/cluster-index.ts'
import { ClusterSequence, NUMBER_PROPERTIES, sequenceId } from '../../storage/cluster-index-sequence.ts'
import { ClusterLogFollower } from './cluster-tag-log-follower.ts'
import { readEntry, writeRecord } from './cluster-tag-log-record.ts'
import type { Positions, TagLog } from './tag-log.ts'

export interface ClusterTagLogOptions {
  /** Closed by its owner. */
  readonly client: ClusterClient
  /** Prefix of the index name (`cluster.prefix`). */
  readonly prefix: string
  /** Shard copies that must be active to accept a record (`tagging.cluster.activeShards`). */
  readonly activeShards: string
  /** Milliseconds between polls for records of other servers, while listeners exist. */
  readonly pollMs?: number
  /** Milliseconds to wait for a missing offset. */
  readonly gapMs?: number
  /** Called for offsets with unreadable records. */
  readonly onBadRecord?: (offset: number) => void
}

const POLL_MS = 1_000
const GAP_MS = 10_000

/** Records read, removed or appended by one request. */
const PAGE = 500

/** Opens a log in an index of the cluster, with one document per record, numbered by its offset. */
export function openClusterTagLog(options: ClusterTagLogOptions): TagLog {
  return new ClusterTagLog(options)
}

interface Waiting {
  readonly record: NewTagRecord
  readonly resolve: (record: TagRecord) => void
  readonly reject: (error: unknown) => void
}

class ClusterTagLog implements TagLog {
  readonly kind = 'index'
  readonly #index: ClusterIndex
  readonly #sequence: ClusterSequence
  readonly #follower: ClusterLogFollower
  readonly #listeners = new Set<() => void>()
  readonly #pollMs: number
  #poll: NodeJS.Timeout | undefined
  #waiting: Waiting[] = []
  #appending: Promise<void> | undefined

  constructor({ client, prefix, activeShards, pollMs, gapMs, onBadRecord }: ClusterTagLogOptions) {
    this.#index = new ClusterIndex({
      client,
      name: `${prefix}tag-log`,
      properties: { ...NUMBER_PROPERTIES, collection: { type: 'keyword' }, creationTime: { type: 'long' } },
      settings: { 'translog.durability': 'request' },
    })
    this.#sequence = new ClusterSequence(this.#index, activeShards)
    this.#pollMs = pollMs ?? POLL_MS
    this.#follower = new ClusterLogFollower({
      index: this.#index,
      sequence: this.#sequence,
      gapMs: gapMs ?? GAP_MS,
      onBadRecord: onBadRecord ?? (() => undefined),
    })
  }

  get badRecords(): number {
    return this.#follower.badRecords
  }

  append(record: NewTagRecord): Promise<TagRecord> {
    return this.#available(async () => {
      const appended = await new Promise<TagRecord>((resolve, reject) => {
        this.#waiting.push({ record, resolve, reject })
        this.#appending ??= this.#appendAll().finally(() => {
          this.#appending = undefined
        })
      })
      this.#tell()
      return appended
    })
  }

  find(id: string): Promise<TagRecord | undefined> {
    return this.#available(async () => {
      const { catalogue } = this.#follower
      if (catalogue.find(id) === undefined) await this.#follower.catchUp()
      const offset = catalogue.find(id)
      return offset === undefined ? undefined : this.#recordAt(offset)
    })
  }

  next(collection: string, from: number): Promise<TagRecord | undefined> {
    return this.#available(async () => {
      const { catalogue } = this.#follower
      if (catalogue.next(collection, from) === undefined) await this.#follower.catchUp()
      const offset = catalogue.next(collection, from)
      return offset === undefined ? undefined : this.#recordAt(offset)
    })
  }

  count(collection: string, from: number): Promise<number> {
    return this.#available(async () => {
      await this.#follower.catchUp()
      return this.#follower.catalogue.count(collection, from)
    })
  }

  heads(positions: Positions): Promise<readonly TagRecord[]> {
    return this.#available(async () => {
      await this.#follower.catchUp()
      return this.#recordsAt(this.#follower.catalogue.heads(positions))
    })
  }

  counts(positions: Positions): Promise<ReadonlyMap<string, number>> {
    return this.#available(async () => {
      await this.#follower.catchUp()
      return this.#follower.catalogue.counts(positions)
    })
  }

  async *list(
    collection: string,
    { from = 0, size = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly size?: number } = {},
  ): AsyncIterable<TagRecord> {
    await this.#available(() => this.#follower.catchUp())
    const { catalogue } = this.#follower
    const { end } = catalogue
    let left = size
    for (let next: number | undefined = from; next !== undefined && left > 0; ) {
      const offsets: number[] = []
      while (offsets.length < Math.min(PAGE, left)) {
        next = catalogue.next(collection, next)
        if (next === undefined || next >= end) break
        offsets.push(next++)
      }
      const records = await this.#available(() => this.#recordsAt(offsets))
      yield* records
      left -= offsets.length
      if (offsets.length === 0) return
    }
  }

  firstOffset(): Promise<number> {
    return this.#available(() => this.#follower.readFirst())
  }

  raise(lowest: number): Promise<void> {
    return this.#available(() => this.#follower.raise(lowest))
  }

  trim(createdBefore: number, isFinished: (record: TagRecord) => boolean): Promise<number> {
    return this.#available(async () => {
      await this.#follower.catchUp()
      const before = await this.#follower.readFirst()
      let first = before
      for (let ended = false; !ended; ) {
        const { entries } = await this.#sequence.read<WireObject>(first, PAGE)
        ended = entries.length === 0
        for (const { number, source } of entries) {
          const entry = readEntry(number, source)
          if (entry.kind === 'record' && !(entry.record.creationTime < createdBefore && isFinished(entry.record))) {
            ended = true
            break
          }
          first = entry.kind === 'gap' ? entry.next : number + 1
        }
      }
      if (first === before) return first
      await this.#follower.writeFirst(first)
      for (let at = before; at < first; at += PAGE) {
        const numbers = Array.from({ length: Math.min(PAGE, first - at) }, (_, i) => at + i)
        await this.#index.deleteAll(numbers.map(sequenceId))
      }
      return first
    })
  }

  onRecords(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#poll ??= setInterval(() => this.#look(), this.#pollMs).unref()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stopPolling()
    }
  }

  async health(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    try {
      await this.#available(() => this.#follower.catchUp())
      return { ok: true, detail: `tag log in index ${this.#index.name}` }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { ok: false, detail: `the tag log in index ${this.#index.name} cannot be reached` }
    }
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    this.#stopPolling()
    await this.#appending
  }

  /** Requests that arrive during a write are written together by the next one. */
  async #appendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, PAGE)
      try {
        // Read records of other servers first, to avoid trying offsets that are taken.
        await this.#follower.catchUp()
        const sources = batch.map(({ record }) => writeRecord(record))
        const outcomes = await this.#sequence.append(this.#follower.end, sources)
        for (const [i, { record, resolve, reject }] of batch.entries()) {
          const outcome = outcomes[i]
          if (outcome === undefined || 'fault' in outcome) reject(outcome?.fault)
          else resolve({ v: RECORD_VERSION, offset: outcome.number, ...record })
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  async #recordAt(offset: number): Promise<TagRecord | undefined> {
    const [record] = await this.#recordsAt([offset])
    return record
  }

  async #recordsAt(offsets: readonly number[]): Promise<readonly TagRecord[]> {
    const found = await this.#index.getAll<WireObject>(offsets.map(sequenceId))
    return found.flatMap((document, i) => {
      const entry = document && readEntry(offsets[i] ?? 0, document.source)
      return entry?.kind === 'record' ? [entry.record] : []
    })
  }

  /** Polls for records of other servers. Errors are ignored because all other calls report them. */
  #look(): void {
    const { catalogue } = this.#follower
    const { end } = catalogue
    this.#follower.catchUp().then(
      () => {
        if (catalogue.end > end) this.#tell()
      },
      () => undefined,
    )
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  #stopPolling(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Problem) throw error
      // The whole cluster is unavailable, not only the log.
      if (isOutage(error)) throw engineProblem(error)
      throw Object.assign(problem('LOG_UNAVAILABLE', {}, { 'Retry-After': '5' }), { cause: error })
    }
  }
}
