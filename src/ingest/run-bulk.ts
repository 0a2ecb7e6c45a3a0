import { BodyDocument, BodyDocumentWrite } from '../engine/body-document.ts'
import type { Engine, WriteOperation, WriteOptions, WriteResult } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import { checkIndexName } from '../mapping/index-name.ts'
import { inferMapping } from '../mapping/infer-mapping.ts'
import type { JsonObject } from '../model/json/document.ts'
import type { BulkItem } from './bulk-request.ts'

/** Documents sampled to infer the mapping of a new index. */
const SAMPLE = 1_000

type Refusal = Extract<WriteResult, { ok: false }>

/** The items for one index, in request order, with their positions in the request. */
interface Share {
  readonly positions: number[]
  readonly operations: WriteOperation[]
}

/**
 * Executes the items of a bulk request, one transaction per index, and returns one result per item. Items of an index
 * run in request order. A missing index is created, with a mapping inferred from the documents.
 */
export async function runBulk(
  engine: Engine,
  items: readonly BulkItem[],
  options: WriteOptions = {},
): Promise<readonly WriteResult[]> {
  const results = new Array<WriteResult | undefined>(items.length).fill(undefined)
  for (const [index, { positions, operations }] of shareOut(items, results)) {
    const outcome = (await ensureIndex(engine, index, operations)) ?? (await write(engine, index, operations, options))
    for (const [i, position] of positions.entries()) {
      results[position] = 'ok' in outcome ? { ...outcome, ...idOf(operations[i]) } : outcome[i]
    }
  }
  return results.map((result) => result ?? refuse(400, 'illegal_state_exception', 'was not executed'))
}

/** Groups the operations by index; invalid items get their result at once. */
function shareOut(items: readonly BulkItem[], results: (WriteResult | undefined)[]): ReadonlyMap<string, Share> {
  const shares = new Map<string, Share>()
  for (const [position, item] of items.entries()) {
    let share = shares.get(item.index)
    if (share === undefined) {
      share = { positions: [], operations: [] }
      shares.set(item.index, share)
    }
    const operation = toOperation(item)
    if ('kind' in operation) {
      share.positions.push(position)
      share.operations.push(operation)
    } else results[position] = operation
  }
  return shares
}

function toOperation({ action, id, content }: BulkItem): WriteOperation | Refusal {
  const kind = action === 'create' ? 'create' : 'index'
  if (content instanceof BodyDocument) return new BodyDocumentWrite(kind, id, content)
  switch (content.kind) {
    case 'fault':
      return refuse(400, content.type, content.reason, id)
    case 'document':
      return { kind, ...(id === undefined ? {} : { id }), source: content.source, text: content.text }
    case 'changes':
      return { kind: 'update', id: id ?? '', doc: content.doc, ...(content.upsert ? { upsert: true } : {}) }
    case 'nothing':
      return { kind: 'delete', id: id ?? '' }
  }
}

/** Type of the error of documents in opened files. */
export const READ_ONLY = 'index_read_only_exception'

const idOf = (operation: WriteOperation | undefined) => (operation?.id === undefined ? {} : { id: operation.id })

async function write(
  engine: Engine,
  index: string,
  operations: readonly WriteOperation[],
  options: WriteOptions,
): Promise<readonly WriteResult[] | Refusal> {
  try {
    return await engine.write(index, operations, options)
  } catch (error) {
    // The index was dropped while this request ran.
    if (error instanceof Problem && error.code === 'INDEX_NOT_FOUND') return missingIndex(index)
    if (error instanceof Problem && error.code === 'INDEX_READ_ONLY') return refuse(409, READ_ONLY, error.message)
    throw error
  }
}

/**
 * Creates a missing index if a document is to be written; returns the error of its operations if it cannot be created.
 */
async function ensureIndex(
  engine: Engine,
  index: string,
  operations: readonly WriteOperation[],
): Promise<Refusal | undefined> {
  try {
    checkIndexName(index)
  } catch (error) {
    if (error instanceof Problem) return refuse(400, 'invalid_index_name_exception', error.message)
    throw error
  }
  if ((await engine.indices(index)).length > 0) return undefined
  const sample: JsonObject[] = []
  for (const operation of operations) if (sample.length < SAMPLE) sample.push(...newDocument(operation))
  if (sample.length === 0) return missingIndex(index)
  try {
    await engine.createIndex(index, inferMapping(sample, engine.capabilities.mostFields))
  } catch (error) {
    // Another request created it in the meantime.
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error
  }
  return undefined
}

function newDocument(operation: WriteOperation): readonly JsonObject[] {
  switch (operation.kind) {
    case 'index':
    case 'create':
      return [operation.source]
    case 'update':
      return operation.upsert === true ? [operation.doc] : []
    case 'delete':
      return []
  }
}

const missingIndex = (index: string): Refusal =>
  refuse(404, 'index_not_found_exception', `Index ${index} does not exist`)

const refuse = (status: 400 | 404 | 409, type: string, reason: string, id?: string): Refusal => ({
  ok: false,
  status,
  type,
  reason,
  ...(id === undefined ? {} : { id }),
})
