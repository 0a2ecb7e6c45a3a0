import { ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { problem } from '../../../errors.ts'
import type { WriteResult } from '../../engine.ts'
import type { BulkItem } from './bulk-batch.ts'

/** The parts of a `_bulk` response that are read. */
export interface BulkAnswer {
  readonly items: readonly Readonly<Record<string, ItemAnswer>>[]
}

export interface ItemAnswer {
  readonly status: number
  readonly result?: string
  readonly _version?: number
  readonly error?: ErrorAnswer
}

interface ErrorAnswer {
  readonly type: string
  readonly reason?: string
  readonly caused_by?: ErrorAnswer
}

/** Filter for the parts of the response. */
export const ANSWER_PARTS = ['status', 'result', '_version', 'error'].map((part) => `items.*.${part}`).join(',')

const OVERLOADED = 429

export const isOverload = ({ status }: ItemAnswer): boolean => status === OVERLOADED

/** Converts the outcome of one operation. Throws for errors that concern more than this document. */
export function readItem(item: BulkItem, answer: ItemAnswer, index: string): WriteResult {
  const { id } = item
  const { status, error } = answer
  if (error === undefined) return readSuccess(item, answer)
  const { type } = error
  if (type === 'index_not_found_exception') throw problem('INDEX_NOT_FOUND', { name: index })
  // The generated id is taken by the same document: the request was sent twice.
  if (status === 409 && item.isOwnId) return { ok: true, id, result: 'created', version: 1 }
  if (status === 409) {
    const reason = item.kind === 'create' ? 'document already exists' : 'document changed at the same time'
    return { ok: false, id, status, type: 'version_conflict_engine_exception', reason }
  }
  if (status === 404) return { ok: false, id, status, type: 'document_missing_exception', reason: 'document missing' }
  if (status === 400)
    return { ok: false, id, status, type: 'document_parsing_exception', reason: explain(reasonOf(error)) }
  throw new ClusterRefusal(status, type, error.reason ?? '')
}

function readSuccess({ id }: BulkItem, { result, _version: version }: ItemAnswer): WriteResult {
  const known = version === undefined ? {} : { version }
  switch (result) {
    case 'created':
    case 'updated':
    case 'deleted':
    case 'noop':
      return { ok: true, id, result, ...known }
    default:
      return { ok: false, id, status: 404, type: 'not_found', reason: 'document missing' }
  }
}

const REPEATED_SHAPE = /DocValuesField "(.+)" appears more than once/

/** OpenSearch keeps one geo_shape per field, and says so in terms of its storage. */
function explain(reason: string): string {
  const [, field] = REPEATED_SHAPE.exec(reason) ?? []
  if (field === undefined) return reason
  return `field [${field}] has several shapes, of which this cluster stores one: write them as one GeometryCollection`
}

/** Returns the reasons from the outermost to the innermost cause. */
function reasonOf({ reason = '', caused_by: cause }: ErrorAnswer): string {
  const inner = cause === undefined ? '' : reasonOf(cause)
  return inner === '' || inner === reason ? reason : `${reason}: ${inner}`
}
