import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { ClusterIndex, ClusterRecord, RecordVersion } from '../../../storage/cluster-index.ts'
import { fromCluster, storeUnavailable } from '../shared/store-problem.ts'
import type { DeliveryDocument } from './cluster-delivery-document.ts'

/** Response of a search for deliveries. */
export interface Hits {
  readonly hits: {
    readonly total?: { readonly value: number }
    readonly hits: readonly {
      readonly _id: string
      readonly _source: DeliveryDocument
      readonly _seq_no: number
      readonly _primary_term: number
      readonly sort?: readonly (number | string)[]
    }[]
  }
}

/** Documents read or updated per request. */
export const PAGE = 500
const MOST_RETRIES = 3
/** Payloads may be large, so they are read only when needed. */
export const WITHOUT_PAYLOAD = { excludes: ['payload'] }

interface PageOptions {
  readonly sort: readonly WireObject[]
  /** `sort` of the last hit of the previous page. */
  readonly after: readonly (number | string)[] | undefined
  /** Source filter. Default: without payload. */
  readonly members?: WireObject
}

export interface DocumentChange {
  readonly id: string
  /** The update fails unless the document still has this version. */
  readonly version: RecordVersion
  readonly change: WireObject
  /** True to return the updated document. */
  readonly isRead?: boolean
}

interface Changed {
  readonly version: RecordVersion
  readonly source: DeliveryDocument | undefined
}

/** Reads and updates delivery documents. Updates are compare-and-set. */
export class DeliveryDocuments {
  readonly #index: ClusterIndex

  constructor(index: ClusterIndex) {
    this.#index = index
  }

  async page(
    query: WireObject,
    { sort, after, members = WITHOUT_PAYLOAD }: PageOptions,
  ): Promise<{ records: readonly ClusterRecord<DeliveryDocument>[]; last: readonly (number | string)[] | undefined }> {
    const { hits } = await this.#index.search<Hits>({
      query,
      sort,
      size: PAGE,
      seq_no_primary_term: true,
      _source: members,
      ...(after === undefined ? {} : { search_after: after }),
    })
    const records = hits.hits.map(({ _id, _source, _seq_no, _primary_term }) => {
      const version: RecordVersion = { seqNo: _seq_no, primaryTerm: _primary_term }
      return { id: _id, source: _source, version }
    })
    return { records, last: hits.hits.at(-1)?.sort }
  }

  /** Updates documents that still have the given version. Returns undefined for those that do not. */
  async update(changes: readonly DocumentChange[]): Promise<readonly (Changed | undefined)[]> {
    const lines = changes.flatMap(({ id, version, change, isRead }): WireObject[] => [
      { update: { _id: id, if_seq_no: version.seqNo, if_primary_term: version.primaryTerm } },
      { doc: change, ...(isRead === true ? { _source: true } : {}) },
    ])
    const { items } = await this.#index.bulk(lines)
    return changes.map((_change, i) => {
      const item = items[i]?.update
      if (item === undefined) throw storeUnavailable(new Error('the response has no result for an operation'))
      if (item.status === 409 || item.status === 404) return undefined
      if (item.error !== undefined) throw storeUnavailable(new Error(item.error.type))
      const version = { seqNo: item._seq_no ?? 0, primaryTerm: item._primary_term ?? 0 }
      // The index contains only documents written by this store.
      return { version, source: item.get?._source as DeliveryDocument | undefined }
    })
  }

  /**
   * Updates one document, read in real time. `change` returns undefined to leave it unchanged. Returns the written
   * document.
   */
  change(
    id: string,
    change: (document: DeliveryDocument) => Partial<DeliveryDocument> | undefined,
  ): Promise<ClusterRecord<DeliveryDocument> | undefined> {
    return fromCluster(async () => {
      for (let retry = 0; retry <= MOST_RETRIES; retry++) {
        const record = await this.#index.get<DeliveryDocument>(id)
        const members = record === undefined ? undefined : change(record.source)
        if (record === undefined || members === undefined) return undefined
        const { source, version } = record
        const [changed] = await this.update([{ id, version, change: members }])
        if (changed !== undefined) return { id, source: { ...source, ...members }, version: changed.version }
      }
      throw storeUnavailable(new Error('too many concurrent changes of the delivery'))
    })
  }

  /** Updates all matching documents page by page. Retries those that were updated concurrently. */
  changeAll(query: WireObject, change: (document: DeliveryDocument) => WireObject): Promise<number> {
    return fromCluster(async () => {
      let count = 0
      for (let retry = 0; retry <= MOST_RETRIES; retry++) {
        await this.#index.refresh()
        let missed = 0
        let after: readonly (number | string)[] | undefined
        do {
          const page = await this.page(query, { sort: [{ created_at: 'asc' }, { order: 'asc' }], after })
          const changes = page.records.map(({ id, version, source }) => ({ id, version, change: change(source) }))
          const done = (await this.update(changes)).filter((changed) => changed !== undefined).length
          count += done
          missed += page.records.length - done
          after = page.records.length < PAGE ? undefined : page.last
        } while (after !== undefined)
        if (missed === 0) return count
      }
      throw storeUnavailable(new Error('too many concurrent changes of the deliveries'))
    })
  }
}
