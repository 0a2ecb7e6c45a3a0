/** Rows per chunk. A change copies the chunks it touches only. */
const CHUNK = 2 ** 16
const CHUNK_WORDS = CHUNK / 32

/** Which rows of a part exist: one bit per row, in chunks. An absent chunk has live rows only. Immutable. */
export class LiveRows {
  /** Number of dead rows. */
  readonly dead: number
  readonly #chunks: readonly (Uint32Array | undefined)[]

  private constructor(chunks: readonly (Uint32Array | undefined)[], dead: number) {
    this.#chunks = chunks
    this.dead = dead
  }

  static readonly all: LiveRows = new LiveRows([], 0)

  isLive(row: number): boolean {
    const chunk = this.#chunks[Math.floor(row / CHUNK)]
    return chunk === undefined || ((chunk[(row % CHUNK) >>> 5] ?? 0) & (1 << (row & 31))) === 0
  }

  /** True if all rows from `from` to `to` (excluded) are live, as far as whole chunks tell. */
  areLive(from: number, to: number): boolean {
    for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK < to; chunk++) {
      if (this.#chunks[chunk] !== undefined) return false
    }
    return true
  }

  /** Sets the bytes of dead rows among `from` to `to` (excluded) to 0. `mask[0]` belongs to row `from`. */
  clearDead(from: number, to: number, mask: Uint8Array): void {
    for (let row = from; row < to; ) {
      const index = Math.floor(row / CHUNK)
      const end = Math.min(to, (index + 1) * CHUNK)
      const chunk = this.#chunks[index]
      if (chunk === undefined) {
        row = end
        continue
      }
      while (row < end) {
        const word = chunk[(row % CHUNK) >>> 5] ?? 0
        const next = Math.min(end, (Math.floor(row / 32) + 1) * 32)
        if (word !== 0) for (let r = row; r < next; r++) if ((word & (1 << (r & 31))) !== 0) mask[r - from] = 0
        row = next
      }
    }
  }

  /** Returns the same rows without some that are dead from now on. */
  without(rows: Iterable<number>): LiveRows {
    const chunks = [...this.#chunks]
    const copied = new Set<number>()
    let dead = this.dead
    for (const row of rows) {
      const index = Math.floor(row / CHUNK)
      let chunk = chunks[index]
      if (chunk === undefined || !copied.has(index)) {
        chunk = chunk === undefined ? new Uint32Array(CHUNK_WORDS) : chunk.slice()
        chunks[index] = chunk
        copied.add(index)
      }
      const word = (row % CHUNK) >>> 5
      const bit = 1 << (row & 31)
      if (((chunk[word] ?? 0) & bit) !== 0) continue
      chunk[word] = (chunk[word] ?? 0) | bit
      dead++
    }
    return copied.size === 0 ? this : new LiveRows(chunks, dead)
  }

  /** Yields the dead rows, ascending. */
  *deadRows(): Iterable<number> {
    for (const [index, chunk] of this.#chunks.entries()) {
      if (chunk === undefined) continue
      for (let word = 0; word < CHUNK_WORDS; word++) {
        const bits = chunk[word] ?? 0
        if (bits === 0) continue
        for (let bit = 0; bit < 32; bit++) if ((bits & (1 << bit)) !== 0) yield index * CHUNK + word * 32 + bit
      }
    }
  }
}
