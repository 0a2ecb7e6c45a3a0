import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import type { StoredDocument } from '../../engine.ts'
import { anyOf, inIndices } from '../condition/query-clauses.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { readMatching } from './bounded-scan.ts'

/** What documents must be read for, and how it is told from them. */
export interface Reading {
  readonly primitive: string
  readonly paths: readonly string[]
  readonly holds: (document: StoredDocument) => boolean
}

/** The identifiers of documents, by index: they are unique in an index only. */
export class DocumentIds {
  readonly #ids = new Map<string, Set<string>>()

  /** Adds the documents of a selection that a reading holds for. */
  async read(context: ClusterContext, selection: Selection, reading: Reading, signal?: AbortSignal): Promise<void> {
    const { primitive, paths, holds } = reading
    for await (const batch of readMatching(context, selection, primitive, paths, signal)) {
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
