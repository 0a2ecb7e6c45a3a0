import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { FoundDocument, StoredDocument } from '../../engine.ts'

/** The parts of a `_search` response that are read. `A`: type of its aggregations, asserted by the caller. */
export interface SearchAnswer<A = WireObject> {
  readonly hits: HitList
  readonly aggregations?: A
  readonly pit_id?: string
}

export type HitList = {
  readonly total?: { readonly value: number }
  readonly hits: readonly Hit[]
}

export type Hit = {
  readonly _index: string
  readonly _id: string
  readonly _source?: WireObject
  readonly sort?: readonly WireJson[]
}

export function toStored(hit: Hit): StoredDocument {
  return { ...toFound(hit), id: hit._id }
}

export function toFound(hit: Hit): FoundDocument {
  const source = hit._source ?? {}
  if (!holdsBigint(source)) return { index: hit._index, source: source as JsonObject }
  const text = printWire(source)
  return { index: hit._index, source: JSON.parse(text), text }
}

function holdsBigint(value: WireJson): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  return Object.values(value).some(holdsBigint)
}
