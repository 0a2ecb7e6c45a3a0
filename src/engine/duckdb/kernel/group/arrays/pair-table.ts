const FIRST_SLOTS = 256

/** Rehashing at this load keeps probe sequences short. */
const MOST_LOAD = 0.5

/**
 * Numbers pairs of unsigned 32-bit integers by order of appearance: a hash table with open addressing. A pair is a
 * tile, a double (its two halves), or a bucket and a key in it.
 */
export class PairTable {
  #count = 0
  #highs = new Uint32Array(FIRST_SLOTS * MOST_LOAD)
  #lows = new Uint32Array(FIRST_SLOTS * MOST_LOAD)
  /** Number of the pair plus 1 in each slot; 0 is free. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #shift = 32 - Math.log2(FIRST_SLOTS)

  get count(): number {
    return this.#count
  }

  high(number: number): number {
    return this.#highs[number] ?? 0
  }

  low(number: number): number {
    return this.#lows[number] ?? 0
  }

  /** Returns the number of a pair; a new one if the pair is new. */
  numberOf(high: number, low: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hashPair(high, low) >>> this.#shift
    for (;;) {
      const number = (slots[slot] ?? 0) - 1
      if (number < 0) return this.#add(high, low, slot)
      if (this.#lows[number] === low && this.#highs[number] === high) return number
      slot = (slot + 1) & mask
    }
  }

  #add(high: number, low: number, slot: number): number {
    const number = this.#count++
    this.#highs[number] = high
    this.#lows[number] = low
    this.#slots[slot] = number + 1
    if (this.#count === this.#highs.length) this.#grow()
    return number
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    this.#shift--
    this.#highs = longer(this.#highs, slots.length * MOST_LOAD)
    this.#lows = longer(this.#lows, slots.length * MOST_LOAD)
    for (let number = 0; number < this.#count; number++) {
      let slot = hashPair(this.#highs[number] ?? 0, this.#lows[number] ?? 0) >>> this.#shift
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

function longer(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length)
  copy.set(array)
  return copy
}

/** The finalizer of MurmurHash3 over both halves: every bit of the result depends on every bit of the pair. */
export function hashPair(high: number, low: number): number {
  let hash = Math.imul(high ^ 0x9e3779b9, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15) ^ low, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b)
  return (hash ^ (hash >>> 16)) >>> 0
}

const double = new Float64Array(1)
const halves = new Uint32Array(double.buffer)

/** Returns the number of a double; -0 equals 0. */
export function numberOfDouble(table: PairTable, value: number): number {
  double[0] = value + 0
  return table.numberOf(halves[1] ?? 0, halves[0] ?? 0)
}

/** The inverse of `numberOfDouble`. */
export function doubleAt(table: PairTable, number: number): number {
  halves[1] = table.high(number)
  halves[0] = table.low(number)
  return double[0] ?? 0
}

export function hashDouble(value: number): number {
  double[0] = value + 0
  return hashPair(halves[1] ?? 0, halves[0] ?? 0)
}
