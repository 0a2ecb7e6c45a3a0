import { reportFreedMemory } from './freed-memory.ts'

/** Something that is in memory while it is used, and after that as long as there is room: usually a column. */
export class Slot<T = unknown> {
  /** Memory it takes. */
  readonly bytes: number
  readonly #load: (signal: AbortSignal) => Promise<T>
  #value: T | undefined
  #loading: Loading | undefined
  /** Number of users. */
  pins = 0
  /** Nobody will want it again. */
  isForgotten = false

  constructor(bytes: number, load: (signal: AbortSignal) => Promise<T>) {
    this.bytes = bytes
    this.#load = load
  }

  /** Undefined if it is not in memory. */
  get value(): T | undefined {
    return this.#value
  }

  /** Undefined if it is loaded. */
  get loading(): Promise<void> | undefined {
    return this.#loading?.done
  }

  /** Begins to load it. Calls `onFailure` if that fails or is aborted. */
  begin(onFailure: () => void): void {
    const abort = new AbortController()
    const done = this.#load(abort.signal).then(
      (value) => {
        if (this.#loading !== loading) return
        this.#loading = undefined
        this.#value = value
      },
      (error: unknown) => {
        if (this.#loading === loading) {
          this.#loading = undefined
          onFailure()
        }
        throw error
      },
    )
    // Those who wait for it report the error. If they all left, there is none to report.
    done.catch(() => undefined)
    const loading = { done, abort }
    this.#loading = loading
  }

  /** Gives up loading, or drops the value. */
  drop(): void {
    this.#loading?.abort.abort()
    this.#loading = undefined
    this.#value = undefined
  }
}

interface Loading {
  readonly done: Promise<void>
  readonly abort: AbortController
}

/** Ends the use of slots. Further calls do nothing. */
export type Unpin = () => void

/**
 * Columns of segments in memory, within a budget. Over the budget, the least recently used ones that nobody uses are
 * dropped. What is in use always stays, even over the budget.
 */
export class SegmentMemory {
  readonly maxBytes: number
  #bytes = 0
  #loads = 0
  #evictions = 0
  /** Loaded slots that nobody uses, the least recently used first. */
  readonly #idle = new Set<Slot>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Bytes of all slots that are loaded or being loaded. */
  get bytes(): number {
    return this.#bytes
  }

  get loads(): number {
    return this.#loads
  }

  get evictions(): number {
    return this.#evictions
  }

  /** Keeps slots in memory until the returned function is called. At once if they are loaded. */
  hold(slots: readonly Slot[], signal?: AbortSignal): Unpin | Promise<Unpin> {
    signal?.throwIfAborted()
    let isLoaded = true
    for (const slot of slots) {
      this.#pin(slot)
      if (slot.loading) isLoaded = false
    }
    let isHeld = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      for (const slot of slots) this.#unpin(slot)
    }
    return isLoaded ? release : waitFor(slots, signal, release)
  }

  /** Drops slots that nobody will want again. Those in use are dropped when they are released. */
  forget(slots: Iterable<Slot>): void {
    for (const slot of slots) {
      slot.isForgotten = true
      if (this.#idle.delete(slot)) this.#drop(slot)
    }
  }

  #pin(slot: Slot): void {
    slot.pins++
    if (slot.pins === 1) this.#idle.delete(slot)
    if (slot.value !== undefined || slot.loading) return
    this.#loads++
    this.#bytes += slot.bytes
    slot.begin(() => {
      this.#bytes -= slot.bytes
    })
    this.#evict()
  }

  #unpin(slot: Slot): void {
    slot.pins--
    if (slot.pins > 0) return
    if (slot.loading || (slot.isForgotten && slot.value !== undefined)) this.#drop(slot)
    else if (slot.value !== undefined) {
      this.#idle.add(slot)
      this.#evict()
    }
  }

  #evict(): void {
    if (this.#bytes <= this.maxBytes) return
    for (const slot of this.#idle) {
      this.#idle.delete(slot)
      this.#evictions++
      this.#drop(slot)
      if (this.#bytes <= this.maxBytes) return
    }
  }

  #drop(slot: Slot): void {
    slot.drop()
    this.#bytes -= slot.bytes
    reportFreedMemory(slot.bytes)
  }
}

/** Waits until slots are loaded. If that fails, or the signal aborts first, they are released. */
async function waitFor(slots: readonly Slot[], signal: AbortSignal | undefined, release: Unpin): Promise<Unpin> {
  const aborted = signal && Promise.withResolvers<never>()
  const onAbort = (): void => aborted?.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const loaded = Promise.all(slots.map(({ loading }) => loading))
    await (aborted ? Promise.race([loaded, aborted.promise]) : loaded)
    return release
  } catch (error) {
    release()
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
