import { type Writer, withRightsOf } from '../../access/writer.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'

export interface WriterRightsOptions {
  readonly subscriptions: Pick<SubscriptionStore, 'change' | 'readAll' | 'onChange'>
  /** Whether `created_by` names the caller as it was authenticated. */
  readonly namesCallers: boolean
  readonly onFault: (error: unknown) => void
}

/** Callers that are remembered while subscriptions are being read. */
const MOST_EARLY = 10_000

/**
 * Keeps the rights of those whom only their requests tell of: callers with a token, or named by a proxy. Each request
 * says what its sender may do now, and that is stored with their subscriptions, for every server. Those of API keys are
 * in the file of keys.
 */
export class WriterRights {
  readonly #options: WriterRightsOptions
  /** By writer: their subscriptions, each with the rights it has, as a text. */
  readonly #known = new Map<string, Map<string, string>>()
  readonly #writers = new Map<string, string>()
  readonly #early = new Map<string, Writer>()
  readonly #storing = new Map<string, Promise<void>>()
  /** The last request of those whose rights are just being stored. */
  readonly #later = new Map<string, Writer>()
  #isLoaded = false
  #stopListening: () => void = () => undefined

  constructor(options: WriterRightsOptions) {
    this.#options = options
  }

  /** Reads whose subscriptions there are. */
  async start(): Promise<void> {
    const { subscriptions } = this.#options
    this.#stopListening = subscriptions.onChange((record) => this.#learn(record))
    for await (const record of subscriptions.readAll()) if (!this.#writers.has(record.id)) this.#learn(record)
    this.#isLoaded = true
    for (const writer of this.#early.values()) this.note(writer)
    this.#early.clear()
  }

  /** What was begun has ended when it resolves. */
  async stop(): Promise<void> {
    this.#stopListening()
    while (this.#storing.size > 0) await Promise.all(this.#storing.values())
  }

  /** A request of this caller came. What it changes is stored soon; the request does not wait. */
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

  /** A fault leaves them as they are: the next request of the caller tries again. */
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

  /** Whose requests tell of the rights of a subscription; undefined: no request does. */
  #keyOf({ created_by, created_by_admin, access: { writer } }: SubscriptionRecord): string | undefined {
    if (writer !== undefined) return writer.mode === 'apikey' || writer.user === undefined ? undefined : keyOf(writer)
    // Written before rights were kept: its owner's next request tells them.
    return this.#options.namesCallers && !created_by_admin ? unknownKey(created_by) : undefined
  }
}

const keyOf = ({ mode, user = '' }: Writer): string => `${mode} ${user}`
const unknownKey = (user: string): string => ` ${user}`

const rightsText = ({ key, roles, permissions, organisations, sent }: Writer): string =>
  JSON.stringify([key, roles, permissions, organisations, sent])
