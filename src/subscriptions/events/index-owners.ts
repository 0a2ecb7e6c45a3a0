import type { ReferenceStore } from '../../collections/reference-store.ts'
import type { Engine } from '../../engine/engine.ts'
import { indexMatcher } from '../../engine/index-matcher.ts'
import type { CollectionReference } from '../../model/collection.ts'

export interface IndexOwnersOptions {
  readonly references: Pick<ReferenceStore, 'list'> & { onWrite?(listener: () => void): () => void }
  readonly engine: Pick<Engine, 'indices'>
  /** How long what is known counts. Other servers may change references without telling. */
  readonly keepMs: number
  readonly now: () => number
  readonly onFault: (error: unknown) => void
}

/** A collection, and whether an index is one of its own. */
interface Owner {
  readonly reference: CollectionReference
  readonly covers: (index: string) => boolean
}

/** Which collections an index belongs to, told at once from what is known, which is renewed in the background. */
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

  /** Undefined: it is not known at this moment, and any collection may be. */
  of(index: string): readonly CollectionReference[] | undefined {
    const known = this.#known
    if (known === undefined || this.#options.now() - known.atMs > this.#options.keepMs) {
      this.#renew()
      return undefined
    }
    return known.owners.filter(({ covers }) => covers(index)).map(({ reference }) => reference)
  }

  /** The same, read now. */
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
        // The name may be an alias of indices.
        const names = new Set((await engine.indices(index_name)).map(({ name }) => name))
        return { reference, covers: (index: string) => names.has(index) || isMeant(index) }
      }),
    )
  }
}
