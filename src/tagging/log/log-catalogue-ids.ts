import { hash } from 'node:crypto'

const FIRST_CAPACITY = 64
/** 32-bit words kept of a digest: 128 bits, so that collisions do not occur in practice. */
const WORDS = 4
const EMPTY = -1

/**
 * Maps ids to offsets. A hash table of digests in typed arrays, about 40 bytes per id of any length. A Map of strings
 * would need several times as much.
 */
export class IdTable {
  #digests = new Uint32Array(FIRST_CAPACITY * WORDS)
  #offsets = new Float64Array(FIRST_CAPACITY).fill(EMPTY)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: string): number | undefined {
    const offset = this.#offsets[this.#slotOf(digestOf(id))]
    return offset === undefined || offset === EMPTY ? undefined : offset
  }

  /** Returns false if the id exists already. Its offset is then unchanged. */
  add(id: string, offset: number): boolean {
    return this.#add(digestOf(id), offset)
  }

  dropBelow(offset: number): void {
    this.#rebuild(this.#offsets.length, offset)
  }

  #add(digest: Uint32Array, offset: number): boolean {
    const slot = this.#slotOf(digest)
    if (this.#offsets[slot] !== EMPTY) return false
    this.#digests.set(digest, slot * WORDS)
    this.#offsets[slot] = offset
    this.#size += 1
    if (this.#size * 3 > this.#offsets.length * 2) this.#rebuild(this.#offsets.length * 2, 0)
    return true
  }

  /** Returns the slot of the digest, or the free slot it would take. */
  #slotOf(digest: Uint32Array): number {
    const mask = this.#offsets.length - 1
    let slot = (digest[0] ?? 0) & mask
    while (this.#offsets[slot] !== EMPTY && !this.#isAt(slot, digest)) slot = (slot + 1) & mask
    return slot
  }

  #isAt(slot: number, digest: Uint32Array): boolean {
    const start = slot * WORDS
    for (let word = 0; word < WORDS; word += 1) {
      if (this.#digests[start + word] !== digest[word]) return false
    }
    return true
  }

  #rebuild(capacity: number, lowest: number): void {
    const [digests, offsets] = [this.#digests, this.#offsets]
    this.#digests = new Uint32Array(capacity * WORDS)
    this.#offsets = new Float64Array(capacity).fill(EMPTY)
    this.#size = 0
    for (const [slot, offset] of offsets.entries()) {
      if (offset === EMPTY || offset < lowest) continue
      this.#add(digests.subarray(slot * WORDS, (slot + 1) * WORDS), offset)
    }
  }
}

/** Clients may choose ids, so they are hashed to spread them evenly. */
function digestOf(id: string): Uint32Array {
  const bytes = hash('sha256', id, 'buffer')
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + WORDS * 4))
}
