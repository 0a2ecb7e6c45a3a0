/** The best rows seen so far: those with the lowest ranks. Rows of equal rank are compared by `tie`. A bounded heap. */
export class TopRows {
  /** Rows with higher ranks are not among the best. */
  threshold: number
  readonly #most: number
  readonly #tie: (a: number, b: number) => number
  /** The worst row comes first; each row is worse than those at 2i + 1 and 2i + 2. */
  #rows = new Uint32Array(16)
  #ranks = new Float64Array(16)
  #size = 0

  /** `limit`: rows with higher ranks are known to be of no interest. `most` is at least 1. */
  constructor(most: number, tie: (a: number, b: number) => number, limit: number) {
    this.#most = most
    this.#tie = tie
    this.threshold = limit
  }

  get size(): number {
    return this.#size
  }

  /** Forgets the rows, but not what they tell: as many rows exist that are at least as good as the threshold. */
  clear(): void {
    this.#size = 0
  }

  /** Adds a row if it is among the best. Its rank must not exceed the threshold. Rows must be distinct. */
  add(row: number, rank: number): void {
    if (this.#size < this.#most) {
      if (this.#size === this.#rows.length) this.#grow()
      this.#rise(this.#size++, row, rank)
    } else {
      if (!this.#isWorse(this.#rows[0] ?? 0, this.#ranks[0] ?? 0, row, rank)) return
      this.#sink(row, rank)
    }
    if (this.#size === this.#most) this.threshold = Math.min(this.threshold, this.#ranks[0] ?? 0)
  }

  /** Returns the rows, best first. */
  sorted(): Uint32Array {
    const [rows, ranks] = [this.#rows, this.#ranks]
    const places = new Uint32Array(this.#size).map((_, i) => i)
    places.sort((a, b) => {
      const x = ranks[a] ?? 0
      const y = ranks[b] ?? 0
      return x < y ? -1 : x > y ? 1 : this.#tie(rows[a] ?? 0, rows[b] ?? 0)
    })
    return places.map((place) => rows[place] ?? 0)
  }

  #isWorse(row: number, rank: number, other: number, otherRank: number): boolean {
    return rank > otherRank || (rank === otherRank && this.#tie(row, other) > 0)
  }

  #rise(from: number, row: number, rank: number): void {
    const [rows, ranks] = [this.#rows, this.#ranks]
    let at = from
    while (at > 0) {
      const up = (at - 1) >>> 1
      const upRow = rows[up] ?? 0
      const upRank = ranks[up] ?? 0
      if (!this.#isWorse(row, rank, upRow, upRank)) break
      rows[at] = upRow
      ranks[at] = upRank
      at = up
    }
    rows[at] = row
    ranks[at] = rank
  }

  #sink(row: number, rank: number): void {
    const [rows, ranks] = [this.#rows, this.#ranks]
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= this.#size) break
      const next = down + 1
      if (next < this.#size && this.#isWorse(rows[next] ?? 0, ranks[next] ?? 0, rows[down] ?? 0, ranks[down] ?? 0)) {
        down = next
      }
      if (!this.#isWorse(rows[down] ?? 0, ranks[down] ?? 0, row, rank)) break
      rows[at] = rows[down] ?? 0
      ranks[at] = ranks[down] ?? 0
      at = down
    }
    rows[at] = row
    ranks[at] = rank
  }

  #grow(): void {
    const rows = new Uint32Array(2 * this.#size)
    const ranks = new Float64Array(2 * this.#size)
    rows.set(this.#rows)
    ranks.set(this.#ranks)
    this.#rows = rows
    this.#ranks = ranks
  }
}
