import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { TagRecord } from '../../model/tag-record.ts'
import { kafkaReason } from '../../storage/kafka-connection.ts'
import { type Fetched, PartitionReader, type Place, type StoredMessage } from './kafka-tag-log-partition.ts'
import { readRecord } from './kafka-tag-log-record.ts'
import { findTopic, type TopicOptions, TopicRefused, topicWarnings } from './kafka-tag-log-topic.ts'
import { LogCatalogue } from './log-catalogue.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
/** Milliseconds the broker may hold a fetch request while it has no new records. */
const POLL_MS = 1_000
const TAIL_BYTES = 4 * 1024 * 1024
/** Bytes per fetch of an older record. The records after it are often needed next. */
const BACK_BYTES = 256 * 1024
/** Bytes of recent records in memory. The least recently used are evicted. */
const RECENT_BYTES = 16 * 1024 * 1024

interface FollowerOptions extends TopicOptions {
  readonly onWarning: (message: string) => void
  readonly onRecords: () => void
}

/** `refused`: the topic cannot be used as the log, and a retry does not help. */
type FollowerState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'away'; readonly reason: string; readonly since: number }
  | { readonly kind: 'refused'; readonly reason: string }

interface Connection {
  readonly tail: PartitionReader
  /** A separate reader, because `tail` mostly blocks on new records. */
  readonly back: PartitionReader
}

/** Reads the topic from its beginning, then follows it. Reconnects until it is closed. */
export class KafkaLogFollower {
  readonly catalogue = new LogCatalogue()
  readonly #options: FollowerOptions
  /** Recent records by offset. */
  readonly #recent = new LRUCache<number, TagRecord>({ maxSize: RECENT_BYTES })
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>
  #state: FollowerState = { kind: 'away', reason: 'the topic has not been read yet', since: Date.now() }
  #changed = Promise.withResolvers<void>()
  #connection: Connection | undefined
  #topicId: string | undefined
  #position = 0
  #first = 0
  #lowest = 0
  #loaded = false
  #badRecords = 0
  #back: Promise<unknown> = Promise.resolve()

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  get state(): FollowerState {
    return this.#state
  }

  /** True once the whole topic has been read. */
  get loaded(): boolean {
    return this.#loaded
  }

  /** The next offset to read. */
  get position(): number {
    return this.#position
  }

  get first(): number {
    return this.#first
  }

  get badRecords(): number {
    return this.#badRecords
  }

  /** Resolves when records arrive or the state changes. */
  get changed(): Promise<void> {
    return this.#changed.promise
  }

  /** Refuses the topic if it ends before this offset, now and after each reconnect. */
  async raise(lowest: number): Promise<void> {
    this.#lowest = Math.max(this.#lowest, lowest)
    if (this.#state.kind !== 'ready' || this.#position >= this.#lowest) return
    // Records that another server appended and executed may not have been read yet.
    const end = await this.readEnd()
    if (end < this.#lowest) this.#setState({ kind: 'refused', reason: this.#endReason(end) })
  }

  /** Asks the broker for the offset of the next message. */
  async readEnd(): Promise<number> {
    return (await this.#withBack((reader) => reader.ends())).end
  }

  /** Returns the record of an offset in the catalogue. */
  async read(offset: number): Promise<TagRecord> {
    const known = this.#recent.get(offset)
    if (known !== undefined) return known
    const { messages } = await this.#withBack((reader) => reader.fetch(offset, { waitMs: 0, bytes: BACK_BYTES }))
    let wanted: TagRecord | undefined
    // Backwards, so that the requested record is added last and evicted last.
    for (const message of messages.toReversed()) {
      const record = readRecord(message.offset, message.value)
      if ('fault' in record) continue
      this.#keep(record, message)
      if (record.offset === offset) wanted = record
    }
    if (wanted === undefined) throw new Error(`offset ${offset} of topic ${this.#options.topic} could not be read`)
    return wanted
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    await this.#disconnect()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const connection = await this.#connect()
        pause = FIRST_PAUSE_MS
        await this.#follow(connection)
      } catch (error) {
        if (signal.aborted) break
        this.#fail(error)
      }
      await this.#disconnect()
      await delay(pause, undefined, { signal }).catch(() => undefined)
    }
    await this.#disconnect()
  }

  async #connect(): Promise<Connection> {
    const place = await findTopic(this.#options)
    if (this.#topicId === undefined)
      for (const text of await topicWarnings(this.#options)) this.#options.onWarning(text)
    const connection = this.#open(place)
    const { first, end } = await connection.tail.ends()
    if (this.#topicId !== undefined && this.#topicId !== place.topicId) {
      throw new TopicRefused(`topic ${place.topic} was recreated while it was in use`)
    }
    if (end < Math.max(this.#lowest, this.#position)) throw new TopicRefused(this.#endReason(end))
    this.#topicId = place.topicId
    this.#drop(first)
    this.#position = Math.max(this.#position, first)
    while (this.#position < end) await this.#advance(connection, 0)
    this.#loaded = true
    if (this.#state.kind !== 'ready') this.#setState({ kind: 'ready' })
    return connection
  }

  #open(place: Place): Connection {
    // If closed during the topic lookup, nobody would close these readers.
    this.#stopped.signal.throwIfAborted()
    const { brokers } = this.#options
    const connection = { tail: new PartitionReader(brokers, place), back: new PartitionReader(brokers, place) }
    this.#connection = connection
    return connection
  }

  /** Ends with an error: of the broker, or because the readers were closed. */
  async #follow(connection: Connection): Promise<void> {
    while (this.#state.kind === 'ready') await this.#advance(connection, POLL_MS)
  }

  async #advance({ tail }: Connection, waitMs: number): Promise<void> {
    const fetched = await tail.fetch(this.#position, { waitMs, bytes: TAIL_BYTES })
    if (fetched.first !== undefined) this.#drop(fetched.first)
    if (fetched.next > this.#position) this.#take(fetched)
  }

  #take({ messages, next }: Fetched): void {
    const { topic, onWarning, onRecords } = this.#options
    let taken = 0
    for (const message of messages) {
      const { offset } = message
      const record = readRecord(offset, message.value)
      if ('fault' in record) {
        this.catalogue.skip(offset)
        this.#badRecords += 1
        onWarning(`offset ${offset} of topic ${topic} is skipped, it is not a valid record: ${record.fault}`)
      } else if (this.catalogue.add(offset, record.id, record.collection)) {
        this.#keep(record, message)
        taken += 1
      }
    }
    this.#position = next
    this.#tellChange()
    if (taken > 0 && this.#loaded) onRecords()
  }

  #keep(record: TagRecord, { value }: StoredMessage): void {
    // The value of a record is never empty.
    this.#recent.set(record.offset, record, { size: value?.length ?? 1 })
  }

  #drop(first: number): void {
    if (first <= this.#first) return
    this.#first = first
    this.catalogue.dropBelow(first)
  }

  #endReason(end: number): string {
    const { topic } = this.#options
    const known = Math.max(this.#lowest, this.#position)
    return `topic ${topic} ends at offset ${end}, but offsets up to ${known} were read before: it is another topic`
  }

  #fail(error: unknown): void {
    if (error instanceof TopicRefused) {
      this.#setState({ kind: 'refused', reason: error.message })
      return
    }
    const since = this.#state.kind === 'away' ? this.#state.since : Date.now()
    const reason = `topic ${this.#options.topic} cannot be reached: ${kafkaReason(error)}`
    this.#setState({ kind: 'away', reason, since })
  }

  #setState(state: FollowerState): void {
    const before = this.#state
    this.#state = state
    // Warn once per outage, not once per retry.
    if (state.kind !== 'ready' && (before.kind !== state.kind || before.reason !== state.reason)) {
      this.#options.onWarning(`tag log: ${state.reason}`)
    }
    this.#tellChange()
  }

  #tellChange(): void {
    const changed = this.#changed
    this.#changed = Promise.withResolvers<void>()
    changed.resolve()
  }

  /** Serialises calls, because the reader has one fetch session with the broker. */
  #withBack<T>(work: (reader: PartitionReader) => Promise<T>): Promise<T> {
    const turn = this.#back.then(async () => {
      const connection = this.#connection
      if (connection === undefined) throw new Error(`topic ${this.#options.topic} is not connected`)
      return work(connection.back)
    })
    this.#back = turn.catch(() => undefined)
    return turn
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await Promise.all([connection?.tail.close(), connection?.back.close()])
  }
}
