import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../../model/json/document.ts'
import { mergeDocument } from '../../../model/json/json-object.ts'
import type { WriteOperation, WriteResult } from '../../engine.ts'
import { UnreadableValue } from '../columns/document-columns.ts'
import type { RowBatch, SourceDocument } from '../columns/row-batch.ts'

/** Changes of a write: rows to add, documents to remove from the table, and the result of each operation. */
export interface WritePlan {
  readonly results: readonly WriteResult[]
  /** Ids of stored documents that are replaced or deleted. */
  readonly removed: ReadonlySet<string>
  /** Rows of the batch that are added, by id. Computed on demand, because most writes do not need it. */
  readonly added: () => ReadonlyMap<string, number>
  /** Ids generated for documents without one. */
  readonly made: readonly string[]
}

/** Plans a write that only adds documents. Their ids must be new and distinct. */
export function planAdditions(operations: readonly AddOperation[], batch: RowBatch): WritePlan {
  const made: string[] = []
  const rows: number[] = []
  const results = operations.map((operation): WriteResult => {
    const id = operation.id ?? newId()
    try {
      rows.push(batch.add(id, operation))
    } catch (error) {
      return refuseUnreadable(operation, error)
    }
    if (operation.id === undefined) made.push(id)
    return { ok: true, id, result: 'created' }
  })
  const added = (): ReadonlyMap<string, number> => {
    const ids = results.flatMap((result) => (result.ok ? [result.id] : []))
    return new Map(ids.map((id, i) => [id, rows[i] ?? 0]))
  }
  return { results, removed: new Set(), added, made }
}

type AddOperation = Extract<WriteOperation, { kind: 'index' | 'create' }>

/** True if the operations do not read the documents stored under their ids. */
export const onlyAdd = (operations: readonly WriteOperation[]): operations is readonly AddOperation[] =>
  operations.every(({ kind }) => kind === 'index' || kind === 'create')

/** State of one id while the operations are applied in order. */
interface Current {
  /** Its source is needed by updates only. */
  readonly document?: SourceDocument
  /** Row of this write, if it is not the stored document. */
  readonly row?: number
}

/**
 * Applies the operations in order to what is stored, without touching the table. `stored`: the existing documents with
 * the ids of the operations. Sources are needed for updates only.
 */
export function planWrite(
  operations: readonly WriteOperation[],
  stored: ReadonlyMap<string, JsonObject | undefined>,
  batch: RowBatch,
): WritePlan {
  const current = new Map<string, Current | undefined>()
  for (const [id, source] of stored) current.set(id, source ? { document: { source } } : {})
  const removed = new Set<string>()
  const takeOut = (id: string, before: Current): void => {
    if (before.row === undefined) removed.add(id)
    else batch.remove(before.row)
  }
  const put = (id: string, document: SourceDocument): 'created' | 'updated' => {
    // Add the new row first: if the document is rejected, the old one stays.
    const row = batch.add(id, document)
    const before = current.get(id)
    if (before) takeOut(id, before)
    current.set(id, { document, row })
    return before ? 'updated' : 'created'
  }
  const made: string[] = []
  const makeId = (): string => {
    const id = newId()
    made.push(id)
    return id
  }
  const play = (operation: WriteOperation): WriteResult => {
    switch (operation.kind) {
      case 'index': {
        const id = operation.id ?? makeId()
        return { ok: true, id, result: put(id, operation) }
      }
      case 'create': {
        const id = operation.id ?? makeId()
        if (current.get(id)) return refuse(id, 409, 'version_conflict_engine_exception', 'document already exists')
        return { ok: true, id, result: put(id, operation) }
      }
      case 'update': {
        const before = current.get(operation.id)
        if (!before && !operation.upsert)
          return refuse(operation.id, 404, 'document_missing_exception', 'document missing')
        const stored = before?.document?.source
        const merged = before ? mergeDocument(stored ?? {}, operation.doc) : operation.doc
        const text = JSON.stringify(merged)
        if (before && text === JSON.stringify(stored)) return { ok: true, id: operation.id, result: 'noop' }
        return { ok: true, id: operation.id, result: put(operation.id, { source: merged, text }) }
      }
      case 'delete': {
        const before = current.get(operation.id)
        if (!before) return refuse(operation.id, 404, 'not_found', 'document missing')
        takeOut(operation.id, before)
        current.set(operation.id, undefined)
        return { ok: true, id: operation.id, result: 'deleted' }
      }
    }
  }
  const results = operations.map((operation): WriteResult => {
    try {
      return play(operation)
    } catch (error) {
      return refuseUnreadable(operation, error)
    }
  })
  const added = (): ReadonlyMap<string, number> => {
    const rows = new Map<string, number>()
    for (const [id, state] of current) if (state?.row !== undefined) rows.set(id, state.row)
    return rows
  }
  return { results, removed, added, made }
}

/** One bad document does not fail the others. */
function refuseUnreadable(operation: WriteOperation, error: unknown): WriteResult {
  if (!(error instanceof UnreadableValue)) throw error
  return refuse(operation.id, 400, 'document_parsing_exception', error.message)
}

function refuse(id: string | undefined, status: 400 | 404 | 409, type: string, reason: string): WriteResult {
  return id === undefined ? { ok: false, status, type, reason } : { ok: false, id, status, type, reason }
}

/** 120 random bits in 20 URL-safe characters, as in Elasticsearch. */
function newId(): string {
  return randomBytes(15).toString('base64url')
}
