import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { StoredDocument } from '../../engine.ts'
import { anyOf, inIndices } from '../condition/query-clauses.ts'
import type { BoundedScan } from './bounded-scan.ts'

/** A scan with a test for the documents read. */
export interface Reading extends BoundedScan {
  readonly holds: (document: StoredDocument) => boolean
}

/** Document identifiers by index: they are only unique within an index. */
export class DocumentIds {
  readonly #ids = new Map<string, Set<string>>()

  /** Adds the documents that pass the test of the reading. */
  async add(batches: AsyncIterable<readonly StoredDocument[]>, { holds }: Reading): Promise<void> {
    for await (const batch of batches) {
      for (const document of batch) if (holds(document)) this.#add(document)
    }
  }

  toQuery(indices: readonly string[]): Query {
    const each = [...this.#ids].map(([index, ids]) => {
      const query = { ids: { values: [...ids] } }
      return indices.length === 1 ? query : inIndices([index], query)
    })
    return anyOf(each)
  }

  #add({ index, id }: StoredDocument): void {
    const ids = this.#ids.get(index)
    if (ids === undefined) this.#ids.set(index, new Set([id]))
    else ids.add(id)
  }
}
