import { CHUNK_ENTRIES, type UnitProgress, type WorkChunk, type WorkEntry } from './tag-plan.ts'

/** Chunks per write request. */
const CHUNKS_AT_ONCE = 4

/** Writes the entries of a plan in chunks, in the order of its units. Holds only a few chunks in memory. */
export class WorkListWriter {
  readonly #write: (from: number, chunks: readonly WorkChunk[]) => Promise<void>
  #entries: WorkEntry[] = []
  #chunks: WorkChunk[] = []
  #written = 0
  #unit = 0
  #unitDone = 0
  #unitTotal = 0

  constructor(write: (from: number, chunks: readonly WorkChunk[]) => Promise<void>) {
    this.#write = write
  }

  /** Starts a unit. Its number must be larger than those of previous units. */
  async begin(unit: number, total: number): Promise<void> {
    // The last entry completes all previous units, including those without entries.
    if (this.#entries.length === CHUNK_ENTRIES) await this.#close({ nbRequest: unit, unitDone: 0, unitTotal: 0 })
    this.#unit = unit
    this.#unitDone = 0
    this.#unitTotal = total
  }

  async add(entry: WorkEntry): Promise<void> {
    if (this.#entries.length === CHUNK_ENTRIES) {
      await this.#close({ nbRequest: this.#unit, unitDone: this.#unitDone, unitTotal: this.#unitTotal })
    }
    this.#entries.push(entry)
    this.#unitDone++
  }

  /** Writes the remaining entries. Returns the number of chunks. */
  async end(units: number): Promise<number> {
    if (this.#entries.length > 0) await this.#close({ nbRequest: units, unitDone: 0, unitTotal: 0 })
    await this.#flush()
    return this.#written
  }

  async #close(after: UnitProgress): Promise<void> {
    this.#chunks.push({ entries: this.#entries, after })
    this.#entries = []
    if (this.#chunks.length === CHUNKS_AT_ONCE) await this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#chunks.length === 0) return
    await this.#write(this.#written, this.#chunks)
    this.#written += this.#chunks.length
    this.#chunks = []
  }
}
