import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import { printWire } from '../../../cluster-client/wire-json.ts'
import type { JsonObject } from '../../../model/document.ts'
import type { FoundDocument, StoredDocument } from '../../engine.ts'

/** The parts of a `_search` response that are read. */
export interface SearchAnswer {
  readonly hits: HitList
  readonly aggregations?: WireObject
  readonly pit_id?: string
}

export interface HitList {
  readonly total?: { readonly value: number }
  readonly hits: readonly Hit[]
}

export interface Hit {
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
