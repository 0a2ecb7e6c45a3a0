import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { ClusterIndex, type RecordVersion } from '../../../storage/cluster-index.ts'
import type { TagStatus } from '../../tag-store.ts'
import { statusOf, type TagStates } from './tag-state.ts'

/** Status of a request, by its id. */
type StatusDocument = {
  readonly id: string
  readonly collection: string
  /** True if the current status is in the state of the collection. */
  readonly open: boolean
  /** Status of the last finished execution. */
  readonly status?: TagStatus
}

/**
 * The statuses of all planned requests. The status of a request in progress is read from the state of its collection.
 */
export class TagStatuses {
  readonly #index: ClusterIndex
  readonly #states: TagStates

  constructor(client: ClusterClient, prefix: string, states: TagStates) {
    this.#index = new ClusterIndex({ client, name: `${prefix}tag-status`, properties: {} })
    this.#states = states
  }

  async read(id: string): Promise<TagStatus | undefined> {
    const known = (await this.#index.get<StatusDocument>(id))?.source
    if (known === undefined || !known.open) return known?.status
    const { underWay } = (await this.#states.read(known.collection)).state
    if (underWay?.id === id) return statusOf(known.collection, underWay)
    // It was finished meanwhile, or its plan was never committed.
    return (await this.#index.get<StatusDocument>(id))?.source.status
  }

  /** From now on the status is read from the state of the collection. */
  async open(id: string, collection: string): Promise<void> {
    for (;;) {
      const known = await this.#index.get<StatusDocument>(id)
      if (known?.source.open) return
      const document = { ...known?.source, id, collection, open: true }
      if (await this.#put(document, known?.version)) return
    }
  }

  /** Stores a finished status, unless one of the same or a later run exists. Returns the stored one. */
  async finish(status: TagStatus): Promise<TagStatus> {
    for (;;) {
      const known = await this.#index.get<StatusDocument>(status.id)
      const kept = known?.source.status
      if (kept !== undefined && kept.run >= status.run) return kept
      const document = { id: status.id, collection: status.collection, open: false, status }
      if (await this.#put(document, known?.version)) return status
    }
  }

  async #put(document: StatusDocument, over: RecordVersion | undefined): Promise<boolean> {
    return (await this.#index.put(document.id, document, { over: over ?? 'absent' })) !== undefined
  }
}
