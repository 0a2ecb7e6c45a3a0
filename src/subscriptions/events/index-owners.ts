import type { ReferenceStore } from '../../collections/store/reference-store.ts'
import type { Engine } from '../../engine/engine.ts'
import { indexMatcher } from '../../engine/index-pattern.ts'
import type { CollectionReference } from '../../model/collection.ts'

interface IndexOwnersOptions {
  readonly references: Pick<ReferenceStore, 'list'> & { onWrite?(listener: () => void): () => void }
  readonly engine: Pick<Engine, 'indices'>
  /** Milliseconds the cache is valid. Other servers may change references without notice. */
  readonly keepMs: number
  readonly now: () => number
  readonly onFault: (error: unknown) => void
}

/** A collection with a test for its indices. */
interface Owner {
  readonly reference: CollectionReference
  readonly covers: (index: string) => boolean
}

/** Maps an index to its collections. Answers synchronously from a cache that is renewed in the background. */
export class IndexOwners {
  readonly #options: IndexOwnersOptions
  readonly #forget: () => void
  #known: { readonly owners: readonly Owner[]; readonly atMs: number } | undefined
  #reading: Promise<void> | undefined
  #writes = 0

  constructor(options: IndexOwnersOptions) {
    this.#options = options
    const stop = options.references.onWrite?.(() => {
      this.#writes++
      this.#known = undefined
    })
    this.#forget = stop ?? (() => undefined)
  }

  /** Returns undefined if the cache is stale: any collection may be an owner. */
  of(index: string): readonly CollectionReference[] | undefined {
    const known = this.#known
    if (known === undefined || this.#options.now() - known.atMs > this.#options.keepMs) {
      this.#renew()
      return undefined
    }
    return known.owners.filter(({ covers }) => covers(index)).map(({ reference }) => reference)
  }

  /** Same, without the cache. */
  async read(index: string): Promise<readonly CollectionReference[]> {
    const owners = await this.#readOwners()
    return owners.filter(({ covers }) => covers(index)).map(({ reference }) => reference)
  }

  close(): void {
    this.#forget()
  }

  #renew(): void {
    this.#reading ??= this.#readKnown()
      .catch(this.#options.onFault)
      .finally(() => {
        this.#reading = undefined
      })
  }

  async #readKnown(): Promise<void> {
    const writes = this.#writes
    const atMs = this.#options.now()
    const owners = await this.#readOwners()
    if (writes === this.#writes) this.#known = { owners, atMs }
  }

  async #readOwners(): Promise<readonly Owner[]> {
    const { references, engine } = this.#options
    const all = await references.list()
    return Promise.all(
      all.map(async (reference) => {
        const { index_name } = reference.params
        const isMeant = indexMatcher(index_name)
        // The name may be an alias.
        const names = new Set((await engine.indices(index_name)).map(({ name }) => name))
        return { reference, covers: (index: string) => names.has(index) || isMeant(index) }
      }),
    )
  }
}
