/** Listeners for deliveries that may be due. */
export class DueListeners {
  readonly #listeners = new Set<() => void>()
  #isTelling = false

  add(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Notifies once per event loop iteration, after the current transaction. */
  tell(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      for (const listener of this.#listeners) listener()
    })
  }
}
