import { Problem, problem } from '../../errors.ts'
import { type NewTagRecord, RECORD_VERSION, type TagRecord } from '../../model/tag-record.ts'
import { KafkaSender } from '../../storage/kafka-sender.ts'
import { KafkaLogFollower } from './kafka-tag-log-follower.ts'
import { printRecord } from './kafka-tag-log-record.ts'
import type { LogCatalogue } from './log-catalogue.ts'
import type { Positions, TagLog } from './tag-log.ts'

const PATIENCE_MS = 5_000

export interface KafkaTagLogOptions {
  readonly brokers: readonly string[]
  readonly topic: string
  /** Retention of a topic created here. Absent: forever. */
  readonly retentionMs?: number
  /** Milliseconds a call may wait for the broker. */
  readonly patienceMs?: number
  /** Called for topic settings that may lose records, for invalid records and for outages. */
  readonly onWarning?: (message: string) => void
}

/** Opens a log in a topic with one partition. Connects in the background, because a broker may be down at the start. */
export function openKafkaTagLog(options: KafkaTagLogOptions): TagLog {
  return new KafkaTagLog(options)
}

class KafkaTagLog implements TagLog {
  readonly kind = 'kafka'
  readonly #topic: string
  readonly #patienceMs: number
  readonly #follower: KafkaLogFollower
  readonly #sender: KafkaSender
  readonly #listeners = new Set<() => void>()
  #closed = false

  constructor({ patienceMs = PATIENCE_MS, onWarning = () => undefined, ...options }: KafkaTagLogOptions) {
    const { brokers, topic } = options
    this.#topic = topic
    this.#patienceMs = patienceMs
    this.#sender = new KafkaSender({ brokers, topic, patienceMs })
    this.#follower = new KafkaLogFollower({
      ...options,
      onWarning,
      onRecords: () => {
        for (const listener of this.#listeners) listener()
      },
    })
  }

  get badRecords(): number {
    return this.#follower.badRecords
  }

  /**
   * A record is accepted once it has been read back: readers only see fully replicated records, and all later results
   * of this server include it. If the record was sent twice, the first offset counts.
   */
  async append(record: NewTagRecord): Promise<TagRecord> {
    const value = printRecord(record)
    return this.#available(async () => {
      const until = this.#deadline()
      await this.#ready(until)
      let fault: { readonly error: unknown } | undefined
      const failed = Promise.withResolvers<void>()
      this.#sender.send({ partition: 0, value }, until).catch((error: unknown) => {
        fault = { error }
        failed.resolve()
      })
      for (;;) {
        const offset = this.#follower.catalogue.find(record.id)
        if (offset !== undefined) return { v: RECORD_VERSION, offset, ...record }
        if (fault !== undefined) throw fault.error
        await this.#change(until, failed.promise)
      }
    })
  }

  find(id: string): Promise<TagRecord | undefined> {
    return this.#available(async () => {
      const catalogue = await this.#catalogue()
      if (catalogue.find(id) === undefined) await this.#catchUp()
      const offset = catalogue.find(id)
      return offset === undefined ? undefined : this.#follower.read(offset)
    })
  }

  next(collection: string, from: number): Promise<TagRecord | undefined> {
    return this.#available(async () => {
      const offset = (await this.#catalogue()).next(collection, from)
      return offset === undefined ? undefined : this.#follower.read(offset)
    })
  }

  count(collection: string, from: number): Promise<number> {
    return this.#available(async () => (await this.#catalogue()).count(collection, from))
  }

  heads(positions: Positions): Promise<readonly TagRecord[]> {
    return this.#available(async () => {
      const heads: TagRecord[] = []
      // Sequential, because a fetch for one offset often contains the next.
      for (const offset of (await this.#catalogue()).heads(positions)) heads.push(await this.#follower.read(offset))
      return heads
    })
  }

  counts(positions: Positions): Promise<ReadonlyMap<string, number>> {
    return this.#available(async () => (await this.#catalogue()).counts(positions))
  }

  async *list(
    collection: string,
    { from = 0, size = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly size?: number } = {},
  ): AsyncIterable<TagRecord> {
    await this.#available(() => this.#catchUp())
    const { catalogue, position: end } = this.#follower
    let next = from
    for (let left = size; left > 0; left -= 1) {
      const offset = catalogue.next(collection, next)
      if (offset === undefined || offset >= end) return
      yield await this.#available(() => this.#follower.read(offset))
      next = offset + 1
    }
  }

  firstOffset(): Promise<number> {
    return this.#available(async () => {
      await this.#catalogue()
      return this.#follower.first
    })
  }

  /** If the broker is down, the check runs on reconnect. No record is accepted before. */
  raise(lowest: number): Promise<void> {
    return this.#available(() => this.#follower.raise(lowest))
  }

  onRecords(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async health(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    if (this.#closed) return { ok: false, detail: 'the tag log is closed' }
    const { state } = this.#follower
    return state.kind === 'ready'
      ? { ok: true, detail: `tag log in topic ${this.#topic}` }
      : { ok: false, detail: state.reason }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#listeners.clear()
    await Promise.all([this.#sender.close(), this.#follower.close()])
  }

  /** Returns the catalogue. Works during an outage, once the whole topic has been read. */
  async #catalogue(): Promise<LogCatalogue> {
    const { loaded, state, catalogue } = this.#follower
    if (!loaded || state.kind === 'refused') await this.#ready(this.#deadline())
    return catalogue
  }

  /** Reads what other servers have appended so far. */
  async #catchUp(): Promise<void> {
    const until = this.#deadline()
    await this.#ready(until)
    const end = await this.#follower.readEnd()
    while (this.#follower.position < end) await this.#change(until)
  }

  /** Waits until the topic is usable, at most `patienceMs` after the beginning of an outage. */
  async #ready(until: number): Promise<void> {
    for (;;) {
      const { state } = this.#follower
      if (this.#closed) throw new Error('the tag log is closed')
      if (state.kind === 'ready') return
      if (state.kind === 'refused') throw new Error(state.reason)
      await this.#change(Math.min(until, state.since + this.#patienceMs))
    }
  }

  /** Resolves when records arrive, when the state changes or with `other`. Rejects at the deadline. */
  async #change(until: number, other: Promise<void> = new Promise(() => undefined)): Promise<void> {
    const expired = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => expired.reject(new Error('the tag log does not respond')),
      Math.max(0, until - Date.now()),
    )
    try {
      await Promise.race([this.#follower.changed, other, expired.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #deadline(): number {
    return Date.now() + this.#patienceMs
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Problem) throw error
      throw Object.assign(problem('LOG_UNAVAILABLE', {}, { 'Retry-After': '5' }), { cause: error })
    }
  }
}
