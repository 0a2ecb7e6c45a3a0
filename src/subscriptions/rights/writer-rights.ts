import { type Writer, withRightsOf } from '../../access/rights/writer.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'

interface WriterRightsOptions {
  readonly subscriptions: Pick<SubscriptionStore, 'change' | 'readAll' | 'onChange'>
  /** True if `created_by` is the name of the authenticated caller. */
  readonly namesCallers: boolean
  readonly onFault: (error: unknown) => void
}

/** Maximum number of callers remembered while subscriptions are being loaded. */
const MOST_EARLY = 10_000

/**
 * Stores the rights of callers that are known only from their requests: those with a token, or named by a proxy. Each
 * request shows the current rights of its sender, which are stored with the sender's subscriptions for all servers.
 * Rights of API keys come from the key file.
 */
export class WriterRights {
  readonly #options: WriterRightsOptions
  /** Subscriptions by writer, each with its stored rights as text. */
  readonly #known = new Map<string, Map<string, string>>()
  readonly #writers = new Map<string, string>()
  readonly #early = new Map<string, Writer>()
  readonly #storing = new Map<string, Promise<void>>()
  /** The latest request of writers whose rights are being stored. */
  readonly #later = new Map<string, Writer>()
  #isLoaded = false
  #stopListening: () => void = () => undefined

  constructor(options: WriterRightsOptions) {
    this.#options = options
  }

  /** Loads the writers of all subscriptions. */
  async start(): Promise<void> {
    const { subscriptions } = this.#options
    this.#stopListening = subscriptions.onChange((record) => this.#learn(record))
    for await (const record of subscriptions.readAll()) if (!this.#writers.has(record.id)) this.#learn(record)
    this.#isLoaded = true
    for (const writer of this.#early.values()) this.note(writer)
    this.#early.clear()
  }

  /** Waits for writes in progress. */
  async stop(): Promise<void> {
    this.#stopListening()
    while (this.#storing.size > 0) await Promise.all(this.#storing.values())
  }

  /** Records the rights of a caller at a request. They are stored in the background. */
  note(writer: Writer): void {
    if (writer.user === undefined) return
    if (!this.#isLoaded) {
      if (this.#early.size < MOST_EARLY) this.#early.set(keyOf(writer), writer)
      return
    }
    const key = keyOf(writer)
    if (this.#storing.has(key)) {
      this.#later.set(key, writer)
      return
    }
    const ids = this.#differing(writer)
    if (ids.length > 0) this.#storing.set(key, this.#storeAll(key, ids, writer))
  }

  /** After an error the next request of the caller tries again. */
  async #storeAll(key: string, ids: readonly string[], writer: Writer): Promise<void> {
    await this.#store(ids, writer).catch(this.#options.onFault)
    this.#storing.delete(key)
    const later = this.#later.get(key)
    this.#later.delete(key)
    if (later !== undefined) this.note(later)
  }

  #differing(writer: Writer): readonly string[] {
    const text = rightsText(writer)
    const ofMode = this.#known.get(keyOf(writer)) ?? []
    const ofAny = this.#known.get(unknownKey(writer.user ?? '')) ?? []
    return [...ofMode, ...ofAny].filter(([, known]) => known !== text).map(([id]) => id)
  }

  async #store(ids: readonly string[], writer: Writer): Promise<void> {
    for (const id of ids) {
      await this.#options.subscriptions.change(id, (current) => {
        const { writer: before } = current.access
        if (current.deleted || (before !== undefined && keyOf(before) !== keyOf(writer))) return undefined
        const { within: _within, ...rights } = writer
        const after = before === undefined ? rights : withRightsOf(before, writer)
        if (before !== undefined && rightsText(before) === rightsText(after)) return undefined
        return { ...current, access: { ...current.access, writer: after } }
      })
    }
  }

  #learn(record: SubscriptionRecord): void {
    const { id, deleted, access } = record
    const before = this.#writers.get(id)
    if (before !== undefined) {
      const known = this.#known.get(before)
      known?.delete(id)
      if (known?.size === 0) this.#known.delete(before)
      this.#writers.delete(id)
    }
    const key = deleted ? undefined : this.#keyOf(record)
    if (key === undefined) return
    const known = this.#known.get(key) ?? new Map<string, string>()
    this.#known.set(key, known.set(id, access.writer === undefined ? '' : rightsText(access.writer)))
    this.#writers.set(id, key)
  }

  /** Returns whose requests update the rights of a subscription. Undefined: no requests do. */
  #keyOf({ created_by, created_by_admin, access: { writer } }: SubscriptionRecord): string | undefined {
    if (writer !== undefined) return writer.mode === 'apikey' || writer.user === undefined ? undefined : keyOf(writer)
    // Written before rights were stored: the owner's next request supplies them.
    return this.#options.namesCallers && !created_by_admin ? unknownKey(created_by) : undefined
  }
}

const keyOf = ({ mode, user = '' }: Writer): string => `${mode} ${user}`
const unknownKey = (user: string): string => ` ${user}`

const rightsText = ({ key, roles, permissions, organisations, sent }: Writer): string =>
  JSON.stringify([key, roles, permissions, organisations, sent])
