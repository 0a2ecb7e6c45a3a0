/**
 * Remembers which ids an index may hold (a Bloom filter that grows in layers), so that loading new documents under
 * their own ids does not look each of them up in the table. It never forgets an id; it may name one that is not there.
 */
export class IdFilter {
  readonly #layers: Layer[] = []

  add(id: string): void {
    let layer = this.#layers.at(-1)
    if (!layer || layer.count >= layer.capacity) {
      layer = new Layer(layer ? layer.capacity * 4 : 1 << 16)
      this.#layers.push(layer)
    }
    layer.add(id)
  }

  mayContain(id: string): boolean {
    return this.#layers.some((layer) => layer.has(id))
  }
}

/** About one false positive in 100,000. */
const BITS_PER_ID = 24
const PROBES = 12

class Layer {
  readonly capacity: number
  count = 0
  readonly #bits: Uint32Array
  readonly #mask: number

  constructor(capacity: number) {
    this.capacity = capacity
    const bits = 2 ** Math.ceil(Math.log2(capacity * BITS_PER_ID))
    this.#bits = new Uint32Array(bits / 32)
    this.#mask = bits - 1
  }

  add(id: string): void {
    this.count++
    this.#probe(id, (word, bit) => {
      this.#bits[word] = (this.#bits[word] ?? 0) | bit
      return true
    })
  }

  has(id: string): boolean {
    return this.#probe(id, (word, bit) => ((this.#bits[word] ?? 0) & bit) !== 0)
  }

  #probe(id: string, visit: (word: number, bit: number) => boolean): boolean {
    const [a, b] = hashTwice(id)
    for (let i = 0; i < PROBES; i++) {
      // Kirsch and Mitzenmacher: two hashes make as many as are needed.
      const position = (a + Math.imul(i, b) + i * i) & this.#mask
      if (!visit(position >>> 5, 1 << (position & 31))) return false
    }
    return true
  }
}

/** Two independent 32-bit multiplicative hashes of the UTF-16 units. */
function hashTwice(text: string): [number, number] {
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
  return [(a ^ (a >>> 13)) >>> 0, ((b ^ (b >>> 16)) >>> 0) | 1]
}
