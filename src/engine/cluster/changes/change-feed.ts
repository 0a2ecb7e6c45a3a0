import { type ClusterClient, ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import { mergeDocument } from '../../../model/json/json-object.ts'
import { ClusterIndex } from '../../../storage/cluster-index.ts'
import { ClusterSequence, NUMBER_PROPERTIES, sequenceId } from '../../../storage/cluster-index-sequence.ts'
import type { ChangeFeed, ChangeInterest, ChangeKind, DocumentChange } from '../../change-feed.ts'
import type { NoteChanges } from '../tag/tag-apply.ts'
import { TagStates, type WorkUnderWay } from '../tag/tag-state.ts'
import type { LoadNotes } from '../write/bulk-writer.ts'
import { LoadChanges } from './change-feed-load.ts'
import { changesMade } from './change-feed-look.ts'
import {
  type ChangeOrigin,
  type ChangeSlot,
  changesBeyond,
  emptySlot,
  type IntendedChange,
  slotBehind,
  splitIntoSlots,
} from './change-feed-slot.ts'

/** Slots per read request. */
const PAGE = 4
/** Slots per delete request. */
const REMOVED_AT_ONCE = 1_000
/** Milliseconds. Poll interval for changes by other servers or newly settled ones, while there are listeners. */
const POLL_MS = 1_000
/** Milliseconds. How long to wait for a missing slot before a later one. */
const GAP_MS = 10_000
/** Id of the document that stores the forgotten position. */
const FORGOTTEN = 'forgotten'

const KINDS: readonly ChangeKind[] = ['CREATE', 'UPDATE', 'DELETE']

/** Settles a slot with the changes that were made. */
type Settle = (made: readonly IntendedChange[]) => Promise<void>

/**
 * The document changes of a cluster. Since a cluster has no transactions, changes are first recorded in numbered slots,
 * and read only once it is certain which of them were made. Slots are read in order; an unsettled slot blocks the
 * following ones.
 */
export class ClusterChangeFeed implements ChangeFeed {
  readonly #client: ClusterClient
  readonly #index: ClusterIndex
  readonly #sequence: ClusterSequence
  readonly #states: TagStates
  readonly #listeners = new Set<() => void>()
  #interest: ChangeInterest | undefined
  #poll: NodeJS.Timeout | undefined
  /** Next slot to read. */
  #reached = 0
  #head: number | undefined
  /** Queue: slots are appended one batch after the other. */
  #appending: Promise<unknown> = Promise.resolve()
  #gap: { readonly number: number; readonly since: number } | undefined

  constructor(client: ClusterClient, prefix: string) {
    this.#client = client
    this.#index = new ClusterIndex({ client, name: `${prefix}changes`, properties: NUMBER_PROPERTIES })
    this.#sequence = new ClusterSequence(this.#index)
    this.#states = new TagStates(client, prefix)
  }

  watch(interest: ChangeInterest): void {
    this.#interest = interest
  }

  async read(after: number, limit: number, signal?: AbortSignal): Promise<readonly DocumentChange[]> {
    const until = signal ?? new AbortController().signal
    const from = Math.max(after, await this.#forgotten())
    const found: DocumentChange[] = []
    for (let next = slotBehind(from); found.length < limit; ) {
      this.#reached = next
      const { entries, beyond } = await this.#sequence.read<ChangeSlot>(next, PAGE, signal)
      for (const { number, source } of entries) {
        const slot = source.settled ? source : await this.#settleByLook(number, source, until)
        if (slot === undefined) return found.slice(0, limit)
        found.push(...changesBeyond(number, slot, from))
        this.#reached = next = number + 1
        if (found.length >= limit) break
      }
      const isBlocked = entries.length === 0 && (beyond === undefined || !(await this.#closeGap(next)))
      if (isBlocked || (entries.length < PAGE && beyond === undefined)) break
    }
    return found.slice(0, limit)
  }

  async forget(upTo: number): Promise<void> {
    const before = await this.#forgotten()
    if (upTo <= before) return
    // Stored before the slots are deleted, so that slots numbered later start after them.
    await this.#index.put(FORGOTTEN, { upTo })
    for (let from = slotBehind(before); from < slotBehind(upTo); from += REMOVED_AT_ONCE) {
      const count = Math.min(REMOVED_AT_ONCE, slotBehind(upTo) - from)
      await this.#index.deleteAll(Array.from({ length: count }, (_, i) => sequenceId(from + i)))
    }
  }

  onChanges(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#poll ??= setInterval(() => this.#look(), POLL_MS).unref()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.close()
    }
  }

  close(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  /** Notifies listeners that changes may have been settled. */
  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Loads subscriptions registered by other servers. */
  async catchUp(): Promise<void> {
    await this.#interest?.catchUp?.()
  }

  /** Undefined if no subscription is interested in the index. */
  noteLoad(index: string, load: string): LoadNotes | undefined {
    const interest = this.#interest
    if (interest === undefined || KINDS.every((kind) => interest.wants(index, kind) === 'nothing')) return undefined
    return {
      begin: async (items, operations) => {
        const changes = await LoadChanges.prepare(this.#client, index, interest, items, operations)
        const settle = await this.#append(`load:${load}`, { kind: 'load' }, interest, changes.changes())
        return (written) => settle(changes.changes(written))
      },
    }
  }

  noteTag({ offset, run, attempt }: WorkUnderWay, chunk: number, collection: string): NoteChanges {
    return async (changes) => {
      const interest = this.#interest
      if (interest === undefined) return undefined
      await interest.catchUp?.()
      const wanted = changes.map(({ entry, over, part }): IntendedChange | undefined => {
        const want = interest.wants(entry.index, 'UPDATE')
        if (want === 'nothing') return undefined
        const before = want === 'both' ? { before: printWire(over.source) } : {}
        const after = printWire(mergeDocument(over.source, part))
        return { kind: 'UPDATE', ...entry, seqNo: over.seqNo, ...before, after }
      })
      const intended = wanted.filter((change) => change !== undefined)
      if (intended.length === 0) return undefined
      const origin = { kind: 'tag', collection, offset, attempt, chunk } as const
      const settle = await this.#append(`tag:${offset}:${run}`, origin, interest, intended)
      return (made) =>
        settle(wanted.filter((change, i) => change !== undefined && made[i] === true) as IntendedChange[])
    }
  }

  async #append(
    cause: string,
    origin: ChangeOrigin,
    interest: ChangeInterest,
    changes: readonly IntendedChange[],
  ): Promise<Settle> {
    const acceptedMs = Date.now()
    const slots = splitIntoSlots(changes).map(
      (part): ChangeSlot => ({ cause, origin, acceptedMs, mark: interest.mark(), settled: false, changes: part }),
    )
    const numbers = await this.#number(slots)
    return async (made) => {
      const left = new Map(made.map((change) => [keyOf(change), change]))
      for (const [i, { changes: intended }] of slots.entries()) {
        const number = numbers[i]
        const done = intended.flatMap((change) => left.get(keyOf(change)) ?? [])
        if (number !== undefined) await this.#settle(number, intended, done)
      }
      this.tell()
    }
  }

  /** Appends slots and returns their numbers. */
  async #number(slots: readonly ChangeSlot[]): Promise<readonly number[]> {
    if (slots.length === 0) return []
    const appended = this.#appending.then(
      () => this.#appendNow(slots),
      () => this.#appendNow(slots),
    )
    this.#appending = appended
    return appended
  }

  async #appendNow(slots: readonly ChangeSlot[]): Promise<readonly number[]> {
    const from = this.#head ?? Math.max(await this.#sequence.end(), slotBehind(await this.#forgotten()))
    // Unknown until the outcome of the append is certain.
    this.#head = undefined
    const outcomes = await this.#sequence.append(from, slots)
    const numbers = outcomes.map((outcome) => {
      if ('fault' in outcome) throw outcome.fault
      return outcome.number
    })
    this.#head = Math.max(...numbers) + 1
    return numbers
  }

  async #settle(number: number, intended: readonly IntendedChange[], made: readonly IntendedChange[]): Promise<void> {
    const isAsIntended = made.length === intended.length && made.every((change, i) => isSame(change, intended[i]))
    const doc = { settled: true, ...(isAsIntended ? {} : { changes: made }) }
    const path = this.#index.path(`_update/${sequenceId(number)}`)
    try {
      await this.#client.send({
        method: 'POST',
        path,
        body: { doc },
        query: { retry_on_conflict: 3 },
        repeatable: true,
      })
    } catch (error) {
      // It was settled from the documents meanwhile, read and forgotten.
      if (!(error instanceof ClusterRefusal && error.status === 404)) throw error
    }
  }

  async #settleByLook(number: number, slot: ChangeSlot, signal: AbortSignal): Promise<ChangeSlot | undefined> {
    const made = await changesMade(this.#client, this.#states, slot, signal)
    if (made === undefined) return undefined
    await this.#settle(number, slot.changes, made)
    return { ...slot, settled: true, changes: made }
  }

  /** Returns true if reading may continue after a missing number. */
  async #closeGap(number: number): Promise<boolean> {
    if (this.#gap?.number !== number) this.#gap = { number, since: performance.now() }
    if (performance.now() - this.#gap.since < GAP_MS) return false
    await this.#index.put(sequenceId(number), { ...emptySlot, number }, { over: 'absent' })
    return true
  }

  async #forgotten(): Promise<number> {
    return (await this.#index.get<{ readonly upTo: number }>(FORGOTTEN))?.source.upTo ?? 0
  }

  /** Polls for changes. Ignores errors: an unavailable cluster is reported by the next read. */
  #look(): void {
    this.#sequence.read<ChangeSlot>(this.#reached, 1, undefined, ['settled']).then(
      ({ entries }) => {
        if (entries.length > 0) this.tell()
      },
      () => undefined,
    )
  }
}

const keyOf = ({ index, id, routing }: IntendedChange): string => JSON.stringify([index, id, routing])

const isSame = (one: IntendedChange, other: IntendedChange | undefined): boolean =>
  one.kind === other?.kind && one.before === other.before && one.after === other.after
