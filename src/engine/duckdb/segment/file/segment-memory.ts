import { reportFreedMemory } from './freed-memory.ts'

/** Something to hold in memory, usually a column of a segment. Equal keys mean equal values. */
export interface Loadable<T> {
  readonly key: string
  load(): Promise<Loaded<T>>
}

export interface Loaded<T> {
  readonly bytes: number
  readonly value: T
}

/** Values that stay in memory until they are released. */
interface Held<T> {
  readonly values: readonly T[]
  /** Further calls do nothing. */
  release(): void
}

interface Entry {
  readonly loading: Promise<Loaded<unknown>>
  /** 0 while it is loading. */
  bytes: number
  /** Number of readers. */
  pins: number
  isForgotten: boolean
}

/**
 * Loaded parts of segments within a budget. Over the budget, the least recently used ones that nobody reads are dropped.
 * What is in use always stays, even over the budget.
 */
export class SegmentMemory {
  readonly maxBytes: number
  #bytes = 0
  #loads = 0
  #evictions = 0
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Bytes of all loaded values that were not dropped. */
  get bytes(): number {
    return this.#bytes
  }

  get loads(): number {
    return this.#loads
  }

  get evictions(): number {
    return this.#evictions
  }

  /** Returns a value, which may leave the budget (but not vanish) at once. */
  async get<T>(key: string, load: () => Promise<Loaded<T>>): Promise<T> {
    return this.use([{ key, load }], ([value]) => value as T)
  }

  /** Holds values during some work. */
  async use<T, R>(wanted: readonly Loadable<T>[], work: (values: readonly T[]) => R | Promise<R>): Promise<R> {
    const { values, release } = await this.hold(wanted)
    try {
      return await work(values)
    } finally {
      release()
    }
  }

  /** Loads what is missing. If that fails, nothing is held. */
  async hold<T>(wanted: readonly Loadable<T>[]): Promise<Held<T>> {
    const entries = wanted.map((loadable) => this.#pin(loadable))
    let isHeld = true
    const release = (): void => {
      if (isHeld) this.#unpin(entries)
      isHeld = false
    }
    // Also the others must have settled before they are released, for their bytes to be known.
    const results = await Promise.allSettled(entries.map(({ loading }) => loading))
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) {
      release()
      throw failure.reason
    }
    const values = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.value as T] : []))
    return { values, release }
  }

  /** Drops values, for example of a segment that was merged. Those in use are dropped when they are released. */
  forget(isObsolete: (key: string) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (!isObsolete(key)) continue
      this.#entries.delete(key)
      entry.isForgotten = true
      if (entry.pins === 0) this.#drop(entry)
    }
  }

  #pin({ key, load }: Loadable<unknown>): Entry {
    const found = this.#entries.get(key)
    const entry = found ?? this.#load(key, load)
    entry.pins++
    if (found) this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  #load(key: string, load: () => Promise<Loaded<unknown>>): Entry {
    this.#loads++
    const loading = (async () => load())()
    const entry: Entry = { loading, bytes: 0, pins: 0, isForgotten: false }
    loading.then(
      ({ bytes }) => {
        entry.bytes = bytes
        this.#bytes += bytes
        this.#evict()
      },
      () => {
        // The next reader tries again.
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    )
    return entry
  }

  #unpin(entries: readonly Entry[]): void {
    for (const entry of entries) {
      entry.pins--
      if (entry.pins === 0 && entry.isForgotten) this.#drop(entry)
    }
    this.#evict()
  }

  #evict(): void {
    if (this.#bytes <= this.maxBytes) return
    for (const [key, entry] of this.#entries) {
      if (entry.pins > 0) continue
      this.#entries.delete(key)
      this.#evictions++
      this.#drop(entry)
      if (this.#bytes <= this.maxBytes) return
    }
  }

  #drop(entry: Entry): void {
    this.#bytes -= entry.bytes
    reportFreedMemory(entry.bytes)
  }
}
