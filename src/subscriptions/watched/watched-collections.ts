import { openReference } from '../../collections/open-collection.ts'
import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import type { Engine } from '../../engine/engine.ts'
import { WatchedCollection, type WatchedCollectionOptions } from './watched-collection.ts'

interface WatchedCollectionsOptions extends WatchedCollectionOptions {
  readonly references: Pick<ReferenceStore, 'get'>
  readonly engine: Pick<Engine, 'indices'>
}

/** Cache of collections that events refer to, valid until they change. */
export class WatchedCollections {
  readonly #options: WatchedCollectionsOptions
  readonly #known = new Map<string, WatchedCollection>()

  constructor(options: WatchedCollectionsOptions) {
    this.#options = options
  }

  /** Returns the current collection, undefined if it or all its indices no longer exist. */
  async open(name: string, signal?: AbortSignal): Promise<WatchedCollection | undefined> {
    const { references, engine } = this.#options
    const reference = await references.get(name)
    const infos = reference === undefined ? [] : await engine.indices(reference.params.index_name, signal)
    if (reference === undefined || infos.length === 0) {
      this.#known.delete(name)
      return undefined
    }
    const known = this.#known.get(name)
    if (known?.isOf(reference, infos)) return known
    const whole = await openReference({ indices: async () => infos }, reference, {})
    if (whole === undefined) return undefined
    const opened = new WatchedCollection(whole, this.#options)
    this.#known.set(name, opened)
    return opened
  }
}
