import { problem } from '../errors.ts'
import type { NewTagRecord, TagRecord } from '../model/tag-record.ts'
import { readPositions } from './log/tag-log.ts'
import { TagExecutor, type TagExecutorOptions } from './tag-executor.ts'
import { immediateResponse, updateResponse } from './tag-status.ts'
import type { SeenRecords, TagBatch, Tagging, TagListing, UpdateResponse } from './tagging.ts'

const RETRY_SECONDS = '5'

/** Milliseconds between two removals of expired records. */
const TRIM_EVERY_MS = 3_600_000

const DAY_MS = 86_400_000

/** Milliseconds before the next attempt to open, after the store was unavailable. */
const OPEN_AGAIN_MS = 5_000

/**
 * Combines a log, a store and an executor. Reads nothing before it is needed, because a cluster may be down at the
 * start.
 */
export function createTagging(options: Omit<TagExecutorOptions, 'onBatch'>): Tagging {
  return new TaggingService(options)
}

class TaggingService implements Tagging {
  readonly #options: Omit<TagExecutorOptions, 'onBatch'>
  readonly #executor: TagExecutor
  readonly #listeners = new Set<(batch: TagBatch) => void>()
  #opened: Promise<void> | undefined
  #opening: NodeJS.Timeout | undefined
  #trimming: NodeJS.Timeout | undefined

  constructor(options: Omit<TagExecutorOptions, 'onBatch'>) {
    this.#options = options
    this.#executor = new TagExecutor({
      ...options,
      onBatch: (batch) => {
        for (const listener of this.#listeners) listener(batch)
      },
    })
  }

  async submit(record: NewTagRecord): Promise<UpdateResponse> {
    const { log, store, settings, steps } = this.#options
    const { maxPending } = settings.tagging
    await this.#open()
    const { nextOffset } = await store.position(record.collection)
    if ((await log.count(record.collection, nextOffset)) >= maxPending) {
      const reason = `Collection ${record.collection} has ${maxPending} unfinished tag requests; try again later`
      const headers = { 'Retry-After': RETRY_SECONDS }
      throw problem('TOO_MANY_REQUESTS', { reason, setting: 'tagging.maxPending' }, headers)
    }
    await steps?.('logging')
    const logged = await log.append(record)
    await steps?.('logged')
    return immediateResponse(logged, logged.creationTime)
  }

  async replay(collection: string, offset: number): Promise<void> {
    const { log, store, now } = this.#options
    await this.#open()
    const first = await log.firstOffset()
    if (offset < first) {
      const reason = `must be at least ${first}, the first offset in the log`
      throw problem('OFFSET_NOT_RETAINED', { parameter: 'offset', reason, value: offset })
    }
    await store.replay(collection, offset, now())
    this.#executor.wake()
  }

  async status(collection: string, id: string, seen: SeenRecords = {}): Promise<UpdateResponse> {
    const { log, store } = this.#options
    const record = await log.find(id)
    if (record === undefined || record.collection !== collection || !isSeen(record, seen)) {
      throw problem('TAG_REQUEST_NOT_FOUND', { name: id, owner: `collection ${collection}` })
    }
    // Read the position first: a status written in between then belongs to this position or to a later one.
    const position = await store.position(collection)
    return updateResponse(record, await store.status(id), position)
  }

  list(collection: string, listing: TagListing): AsyncIterable<TagRecord> {
    const { narrowing, ...page } = listing
    const { log } = this.#options
    return narrowing === undefined ? log.list(collection, page) : ownRecords(log.list(collection), listing)
  }

  async hasRecords(collection: string): Promise<boolean> {
    return (await this.#options.log.next(collection, 0)) !== undefined
  }

  async lag(): Promise<ReadonlyMap<string, number>> {
    const { log, store } = this.#options
    return log.counts(await readPositions(store))
  }

  async health(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    const { ok, detail } = await this.#options.log.health()
    if (!ok) return { ok, detail }
    return { ok: true, detail: [detail, ...this.#executor.troubles].join('; ') }
  }

  get badRecords(): number {
    return this.#options.log.badRecords
  }

  onBatch(listener: (batch: TagBatch) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(): void {
    this.#executor.start()
    this.#openSoon()
    const { retention } = this.#options.settings.tagging.log
    if (retention === 'forever' || this.#options.log.trim === undefined) return
    const trim = (): void => {
      this.#trim(Number.parseInt(retention, 10) * DAY_MS).catch((error: unknown) =>
        this.#options.onFault(error, 'the tag log could not be trimmed'),
      )
    }
    trim()
    this.#trimming = setInterval(trim, TRIM_EVERY_MS)
    this.#trimming.unref()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#opening)
    clearInterval(this.#trimming)
    await this.#executor.stop()
    await this.#options.log.close()
    await this.#options.store.close()
  }

  /** Prevents a log restored from an older backup from reusing an offset that was already applied. */
  #open(): Promise<void> {
    const open = async (): Promise<void> => {
      const { log, store } = this.#options
      const positions = await store.positions()
      await log.raise(Math.max(0, ...positions.map((position) => position.nextOffset)))
    }
    this.#opened ??= open().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  /** Opens before the first request, so that a log that does not match the documents is detected at once. */
  #openSoon(): void {
    this.#open().catch(() => {
      // `health` reports the error, and so does any call that needs the log.
      this.#opening = setTimeout(() => this.#openSoon(), OPEN_AGAIN_MS)
      this.#opening.unref()
    })
  }

  async #trim(ageMs: number): Promise<void> {
    const { log, store, now } = this.#options
    const positions = await readPositions(store)
    await log.trim?.(now() - ageMs, ({ collection, offset }) => offset < (positions.get(collection) ?? 0))
  }
}

const isSeen = (record: TagRecord, { narrowing }: SeenRecords): boolean =>
  narrowing === undefined || record.narrowing === narrowing

/** Returns the records of one narrowing, renumbered from 0 in log order. */
async function* ownRecords(records: AsyncIterable<TagRecord>, listing: TagListing): AsyncIterable<TagRecord> {
  const { from = 0, size = Number.POSITIVE_INFINITY } = listing
  let number = -1
  for await (const record of records) {
    if (!isSeen(record, listing)) continue
    number += 1
    if (number >= from) yield { ...record, offset: number }
    if (number - from + 1 >= size) return
  }
}
