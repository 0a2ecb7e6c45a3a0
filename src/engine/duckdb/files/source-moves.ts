const SMALLEST = 1024

/** Where sources are after they were copied to another file in the order of their offsets. */
export class SourceMoves {
  /** Old offsets, ascending, and the new ones. */
  #old = new Float64Array(SMALLEST)
  #new = new Float64Array(SMALLEST)
  #count = 0
  #end = 0

  /** End of the sources copied so far. */
  get end(): number {
    return this.#end
  }

  /** Adds the next source, which follows the previous one in the new file. */
  add(at: number, size: number): void {
    const count = this.#count++
    if (count === this.#old.length) {
      this.#old = doubled(this.#old)
      this.#new = doubled(this.#new)
    }
    this.#old[count] = at
    this.#new[count] = this.#end
    this.#end += size
  }

  /** Returns the new offset of the source at an old one. */
  newOffset(at: number): number {
    const offsets = this.#old
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((offsets[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    if (low === this.#count || offsets[low] !== at) throw new Error(`no source was copied from offset ${at}`)
    return this.#new[low] ?? 0
  }
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length)
  larger.set(values)
  return larger
}
