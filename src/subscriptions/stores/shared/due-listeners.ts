/** Those who want to hear that deliveries may be due. */
export class DueListeners {
  readonly #listeners = new Set<() => void>()
  #isTelling = false

  add(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Once for all of a turn, and after whatever transaction is under way. */
  tell(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      for (const listener of this.#listeners) listener()
    })
  }
}
