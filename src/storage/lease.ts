import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClusterClient, ClusterFailure, ClusterRefusal } from '../cluster-client/cluster-client.ts'
import { ClusterIndex, type ClusterRecord, type RecordVersion } from './cluster-index.ts'

/**
 * Another server executes now, or has continued the work of this process. Work in progress must not be finished here.
 */
export class Overtaken extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Overtaken'
  }
}

/** Owner of the lease. The document changes as long as its owner lives. */
interface LeaseDocument {
  /** Empty if the lease was released. */
  readonly owner: string
  readonly epoch: number
  readonly beat: number
}

interface LeaseOptions {
  readonly client: ClusterClient
  readonly prefix: string
  /** Name of the lease; one lease exists per name. */
  readonly name?: string
  /** Milliseconds. How long the document must be unchanged before another server may take over. */
  readonly leaseMs: number
}

const TAGGING = 'tagging'
const LONGEST_LOOK_MS = 1_000

/** Lease that lets a single server of a deployment do exclusive work. */
export class Lease {
  readonly #index: ClusterIndex
  readonly #id: string
  readonly #leaseMs: number
  readonly #owner = randomUUID()

  constructor({ client, prefix, name = TAGGING, leaseMs }: LeaseOptions) {
    this.#index = new ClusterIndex({ client, name: `${prefix}lease`, properties: {} })
    this.#id = name
    this.#leaseMs = leaseMs
  }

  /** Resolves when this process holds the lease. Retries while the cluster is unavailable. */
  async acquire(signal: AbortSignal): Promise<HeldLease> {
    let seen: { readonly version: RecordVersion; readonly since: number } | undefined
    for (;;) {
      signal.throwIfAborted()
      const known = await this.#look(signal)
      const now = performance.now()
      const hasMoved = known !== undefined && known !== 'away' && !isSame(seen?.version, known.version)
      if (hasMoved) seen = { version: known.version, since: now }
      if (known !== 'away' && this.#isFree(known, seen?.since ?? now, now)) {
        const held = await this.#take(known)
        if (held !== undefined) return held
      }
      await delay(Math.min(LONGEST_LOOK_MS, this.#leaseMs / 10), undefined, { signal })
    }
  }

  async #look(signal: AbortSignal): Promise<ClusterRecord<LeaseDocument> | undefined | 'away'> {
    try {
      return await this.#index.get<LeaseDocument>(this.#id, signal)
    } catch (error) {
      if (!isOutage(error)) throw error
      return 'away'
    }
  }

  /** Uses the local clock only, since the clocks of servers differ. */
  #isFree(known: ClusterRecord<LeaseDocument> | undefined, since: number, now: number): boolean {
    const owner = known?.source.owner ?? ''
    return owner === '' || owner === this.#owner || now - since >= this.#leaseMs
  }

  async #take(known: ClusterRecord<LeaseDocument> | undefined): Promise<HeldLease | undefined> {
    const epoch = (known?.source.epoch ?? 0) + 1
    const document: LeaseDocument = { owner: this.#owner, epoch, beat: 0 }
    try {
      const version = await this.#index.put(this.#id, { ...document }, { over: known?.version ?? 'absent' })
      return version && new HeldLease(this.#index, this.#id, document, version, this.#leaseMs)
    } catch (error) {
      if (!isOutage(error)) throw error
      return undefined
    }
  }
}

/** The lease while this process holds it. */
export class HeldLease {
  readonly #index: ClusterIndex
  readonly #id: string
  readonly #leaseMs: number
  readonly #lost = new AbortController()
  readonly #ended = new AbortController()
  readonly #beating: Promise<void>
  #document: LeaseDocument
  #version: RecordVersion

  constructor(index: ClusterIndex, id: string, document: LeaseDocument, version: RecordVersion, leaseMs: number) {
    this.#index = index
    this.#id = id
    this.#document = document
    this.#version = version
    this.#leaseMs = leaseMs
    this.#beating = this.#beatOn()
  }

  /** Aborts when another server holds the lease, or may hold it. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Rejects with `Overtaken` unless this process holds the lease at this moment. */
  async check(): Promise<void> {
    const known = await this.#index.get<LeaseDocument>(this.#id)
    if (!this.#isOurs(known)) this.#lose()
    if (this.lost.aborted) throw new Overtaken('another server has taken over')
  }

  async release(): Promise<void> {
    this.#ended.abort()
    await this.#beating
    if (this.lost.aborted) return
    this.#lose()
    try {
      await this.#index.put(this.#id, { ...this.#document, owner: '' }, { over: this.#version })
    } catch (error) {
      // The lease expires anyway.
      if (!isOutage(error)) throw error
    }
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#ended
    let confirmed = performance.now()
    while (!signal.aborted && !this.lost.aborted) {
      const sinceThen = performance.now() - confirmed
      // After a failed heartbeat, retry sooner.
      const pause = sinceThen > this.#leaseMs / 3 ? this.#leaseMs / 15 : this.#leaseMs / 3
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      try {
        if (!(await this.#beat())) this.#lose()
        else confirmed = performance.now()
      } catch (error) {
        if (!isOutage(error) || performance.now() - confirmed > this.#leaseMs) this.#lose()
      }
    }
  }

  async #beat(): Promise<boolean> {
    const next = { ...this.#document, beat: this.#document.beat + 1 }
    const version = await this.#index.put(this.#id, { ...next }, { over: this.#version })
    if (version !== undefined) {
      this.#document = next
      this.#version = version
      return true
    }
    // A heartbeat with a lost response has changed the document too.
    const known = await this.#index.get<LeaseDocument>(this.#id)
    if (known === undefined || !this.#isOurs(known)) return false
    this.#document = known.source
    this.#version = known.version
    return true
  }

  #isOurs(known: ClusterRecord<LeaseDocument> | undefined): boolean {
    const { owner, epoch } = this.#document
    return known !== undefined && known.source.owner === owner && known.source.epoch === epoch
  }

  #lose(): void {
    this.#lost.abort(new Overtaken('another server has taken over'))
  }
}

const isSame = (one: RecordVersion | undefined, other: RecordVersion): boolean =>
  one?.seqNo === other.seqNo && one.primaryTerm === other.primaryTerm

const AWAY = new Set([408, 429, 500, 502, 503, 504])

const isOutage = (error: unknown): boolean =>
  error instanceof ClusterFailure || (error instanceof ClusterRefusal && AWAY.has(error.status))
