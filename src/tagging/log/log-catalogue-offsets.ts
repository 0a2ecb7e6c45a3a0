const FIRST_CAPACITY = 16

/** List of ascending offsets, eight bytes each. */
export class AscendingOffsets {
  #values = new Float64Array(FIRST_CAPACITY)
  #length = 0

  get length(): number {
    return this.#length
  }

  at(place: number): number | undefined {
    return place < this.#length ? this.#values[place] : undefined
  }

  push(offset: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length] = offset
    this.#length += 1
  }

  /** Returns the index of the first offset >= `from`, `length` if none exists. */
  placeOf(from: number): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#values[middle] ?? Number.POSITIVE_INFINITY) < from) low = middle + 1
      else high = middle
    }
    return low
  }

  dropBelow(offset: number): void {
    const first = this.placeOf(offset)
    if (first === 0) return
    const kept = this.#values.slice(first, this.#length)
    this.#values = new Float64Array(Math.max(FIRST_CAPACITY, kept.length))
    this.#values.set(kept)
    this.#length = kept.length
  }
}
