/**
 * Bloom filter of the ids an index may contain, growing in layers. With it, loading new documents with explicit ids
 * does not look up each of them in the table. No false negatives; false positives are possible.
 */
export class IdFilter {
  readonly #layers: Layer[] = []

  /** Adds an id. Returns true if it may have been added before. */
  add(id: string): boolean {
    hash(id)
    for (const layer of this.#layers) if (layer.has()) return true
    let layer = this.#layers.at(-1)
    if (!layer || layer.count >= layer.capacity) {
      layer = new Layer(layer ? layer.capacity * 4 : 1 << 16)
      this.#layers.push(layer)
    }
    layer.add()
    return false
  }
}

/** About one false positive in 100,000 when a layer is full. */
const BITS_PER_ID = 24

/** A block of 512 bits is one CPU cache line. An id sets its bits in two blocks. */
const BLOCK_WORDS = 16

/** Odd multipliers that derive one bit position in a block each from a hash. */
const SPREAD = Int32Array.of(0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947)

/** Hashes of the current id. Module variables, to avoid allocating an object per id. */
let first = 0
let second = 0

/** Operates on the id hashed last. */
class Layer {
  readonly capacity: number
  count = 0
  readonly #bits: Int32Array
  readonly #blockMask: number

  constructor(capacity: number) {
    this.capacity = capacity
    const bits = 2 ** Math.ceil(Math.log2(capacity * BITS_PER_ID))
    this.#bits = new Int32Array(bits / 32)
    this.#blockMask = bits / 32 / BLOCK_WORDS - 1
  }

  add(): void {
    this.count++
    this.#addTo(first & this.#blockMask, second)
    this.#addTo((second >>> 3) & this.#blockMask, Math.imul(first, MIX) ^ second)
  }

  has(): boolean {
    return (
      this.#isIn(first & this.#blockMask, second) &&
      this.#isIn((second >>> 3) & this.#blockMask, Math.imul(first, MIX) ^ second)
    )
  }

  #addTo(block: number, pattern: number): void {
    const bits = this.#bits
    for (let i = 0; i < SPREAD.length; i++) {
      const place = Math.imul(pattern, SPREAD[i] ?? 1) >>> 23
      const word = block * BLOCK_WORDS + (place >>> 5)
      bits[word] = (bits[word] ?? 0) | (1 << (place & 31))
    }
  }

  #isIn(block: number, pattern: number): boolean {
    for (let i = 0; i < SPREAD.length; i++) {
      const place = Math.imul(pattern, SPREAD[i] ?? 1) >>> 23
      if (((this.#bits[block * BLOCK_WORDS + (place >>> 5)] ?? 0) & (1 << (place & 31))) === 0) return false
    }
    return true
  }
}

const MIX = 0x9e3779b1

/** Two independent 32-bit multiplicative hashes of the UTF-16 units. */
function hash(text: string): void {
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    a = Math.imul(a ^ c, 0x01000193)
    b = Math.imul(b ^ c, 0xcc9e2d51)
    b = (b << 15) | (b >>> 17)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b)
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  first = a ^ (a >>> 13)
  second = b ^ (b >>> 16)
}
