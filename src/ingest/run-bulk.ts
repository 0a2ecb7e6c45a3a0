import type { Engine, WriteOperation, WriteResult } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import type { JsonObject } from '../model/document.ts'
import type { BulkItem } from './bulk-request.ts'
import { checkIndexName } from './index-name.ts'
import { inferMapping } from './infer-mapping.ts'

/** Documents looked at for the mapping of an index that does not exist yet. */
const SAMPLE = 1_000

type Refusal = Extract<WriteResult, { ok: false }>

interface Step {
  readonly position: number
  readonly operation: WriteOperation
}

/**
 * Carries out the items of a bulk request: per index in the order sent and in one transaction, one result per item. An
 * index that does not exist is made, with the mapping its documents suggest.
 */
export async function runBulk(engine: Engine, items: readonly BulkItem[]): Promise<readonly WriteResult[]> {
  const results = new Map<number, WriteResult>()
  const byIndex = Map.groupBy(items.entries(), ([, item]) => item.index)
  for (const [index, entries] of byIndex) {
    const steps: Step[] = []
    for (const [position, item] of entries) {
      const operation = toOperation(item)
      if ('kind' in operation) steps.push({ position, operation })
      else results.set(position, operation)
    }
    await runOnIndex(engine, index, steps, results)
  }
  return items.map(
    (_, position) => results.get(position) ?? refuse(400, 'illegal_state_exception', 'was not carried out'),
  )
}

function toOperation({ action, id, content }: BulkItem): WriteOperation | Refusal {
  const named = id === undefined ? {} : { id }
  switch (content.kind) {
    case 'fault':
      return refuse(400, content.type, content.reason, id)
    case 'document':
      return { kind: action === 'create' ? 'create' : 'index', ...named, source: content.source, text: content.text }
    case 'changes':
      return { kind: 'update', id: id ?? '', doc: content.doc, ...(content.upsert ? { upsert: true } : {}) }
    case 'nothing':
      return { kind: 'delete', id: id ?? '' }
  }
}

async function runOnIndex(
  engine: Engine,
  index: string,
  steps: readonly Step[],
  results: Map<number, WriteResult>,
): Promise<void> {
  const outcome = (await ensureIndex(engine, index, steps)) ?? (await write(engine, index, steps))
  for (const [i, { position, operation }] of steps.entries()) {
    const result = 'ok' in outcome ? { ...outcome, ...idOf(operation) } : outcome[i]
    if (result !== undefined) results.set(position, result)
  }
}

const idOf = (operation: WriteOperation) => (operation.id === undefined ? {} : { id: operation.id })

async function write(engine: Engine, index: string, batch: readonly Step[]): Promise<readonly WriteResult[] | Refusal> {
  try {
    return await engine.write(
      index,
      batch.map((step) => step.operation),
    )
  } catch (error) {
    // the index was dropped while this request ran
    if (error instanceof Problem && error.code === 'INDEX_NOT_FOUND') return missingIndex(index)
    throw error
  }
}

/** Makes the index when a document wants to go into it; says why the steps cannot be carried out when they cannot. */
async function ensureIndex(engine: Engine, index: string, steps: readonly Step[]): Promise<Refusal | undefined> {
  try {
    checkIndexName(index)
  } catch (error) {
    if (error instanceof Problem) return refuse(400, 'invalid_index_name_exception', error.message)
    throw error
  }
  if ((await engine.indices(index)).length > 0) return undefined
  const sample = steps.flatMap(({ operation }) => newDocument(operation)).slice(0, SAMPLE)
  if (sample.length === 0) return missingIndex(index)
  try {
    await engine.createIndex(index, inferMapping(sample))
  } catch (error) {
    // another request made it in the meantime
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

const refuse = (status: 400 | 404, type: string, reason: string, id?: string): Refusal => ({
  ok: false,
  status,
  type,
  reason,
  ...(id === undefined ? {} : { id }),
})
