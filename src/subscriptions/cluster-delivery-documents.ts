import type { WireObject } from '../engine/cluster/cluster-client.ts'
import type { ClusterIndex, ClusterRecord, RecordVersion } from '../storage/cluster-index.ts'
import { type DeliveryDocument, wire } from './cluster-delivery-document.ts'
import { fromCluster, storeUnavailable } from './store-problem.ts'

/** What a search for deliveries answers. */
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

/** Documents looked at, or changed, by one request. */
export const PAGE = 500
const MOST_RETRIES = 3
/** Payloads may be large: they are read when they are needed. */
export const WITHOUT_PAYLOAD = { excludes: ['payload'] }

/** Reads and changes documents of deliveries; a change is a compare-and-set. */
export class DeliveryDocuments {
  readonly #index: ClusterIndex

  constructor(index: ClusterIndex) {
    this.#index = index
  }

  async page(
    query: WireObject,
    sort: readonly WireObject[],
    after: readonly (number | string)[] | undefined,
    size = PAGE,
  ): Promise<{ records: readonly ClusterRecord<DeliveryDocument>[]; last: readonly (number | string)[] | undefined }> {
    const { hits } = await this.#index.search<Hits>({
      query,
      sort,
      size,
      seq_no_primary_term: true,
      _source: WITHOUT_PAYLOAD,
      ...(after === undefined ? {} : { search_after: after }),
    })
    const records = hits.hits.map(({ _id, _source, _seq_no, _primary_term }) => {
      const version: RecordVersion = { seqNo: _seq_no, primaryTerm: _primary_term }
      return { id: _id, source: _source, version }
    })
    return { records, last: hits.hits.at(-1)?.sort }
  }

  /** Changes members of documents that are still as they were read; answers those it changed. */
  async update(
    changes: readonly { readonly record: ClusterRecord<DeliveryDocument>; readonly change: WireObject }[],
  ): Promise<readonly ClusterRecord<DeliveryDocument>[]> {
    const lines = changes.flatMap(({ record: { id, version }, change }): WireObject[] => [
      { update: { _id: id, if_seq_no: version.seqNo, if_primary_term: version.primaryTerm } },
      { doc: change },
    ])
    const { items } = await this.#index.bulk(lines)
    return changes.flatMap(({ record }, i) => {
      const item = items[i]?.update
      if (item?.error === undefined) return [record]
      if (item.status === 409 || item.status === 404) return []
      throw storeUnavailable(new Error(item.error.type))
    })
  }

  /** One document, read in real time; undefined from `change`: it is left as it is. */
  change(id: string, change: (document: DeliveryDocument) => object | undefined): Promise<void> {
    return fromCluster(async () => {
      for (let retry = 0; retry <= MOST_RETRIES; retry++) {
        const record = await this.#index.get<DeliveryDocument>(id)
        const members = record === undefined ? undefined : change(record.source)
        if (record === undefined || members === undefined) return
        if ((await this.update([{ record, change: wire(members) }])).length > 0) return
      }
      throw storeUnavailable(new Error('the delivery is being changed all the time'))
    })
  }

  /** All that match, page by page; those that someone else changed meanwhile are looked at once more. */
  changeAll(query: WireObject, change: (document: DeliveryDocument) => WireObject): Promise<number> {
    return fromCluster(async () => {
      let count = 0
      for (let retry = 0; retry <= MOST_RETRIES; retry++) {
        await this.#index.refresh()
        let missed = 0
        let after: readonly (number | string)[] | undefined
        do {
          const page = await this.page(query, [{ created_at: 'asc' }, { order: 'asc' }], after)
          const done = await this.update(page.records.map((record) => ({ record, change: change(record.source) })))
          count += done.length
          missed += page.records.length - done.length
          after = page.records.length < PAGE ? undefined : page.last
        } while (after !== undefined)
        if (missed === 0) return count
      }
      throw storeUnavailable(new Error('the deliveries are being changed all the time'))
    })
  }
}
