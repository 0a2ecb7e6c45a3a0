/** LRU cache with a maximum number of entries. */
export class BoundedCache<K, V> {
  readonly #most: number
  readonly #entries = new Map<K, V>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: K, make: () => V): V {
    let value = this.#entries.get(key)
    if (value === undefined) value = make()
    else this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#most) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest)
        break
      }
    }
    return value
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }
}
