import type { WriteListener, WrittenBatches } from './engine.ts'

/** The acknowledged writes of an engine. Nothing is kept: without listeners it costs nothing. */
export class WriteFeed implements WrittenBatches {
  readonly #listeners = new Set<WriteListener>()

  listen(listener: WriteListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  tell(...batch: Parameters<WriteListener>): void {
    for (const listener of this.#listeners) listener(...batch)
  }
}
