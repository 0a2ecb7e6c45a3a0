import type { WriteResult } from '../engine/engine.ts'
import type { BulkItem } from './bulk-request.ts'

/** Response to a bulk request in the form Elasticsearch clients expect. */
interface BulkResponse {
  readonly took: number
  readonly errors: boolean
  readonly items: readonly Readonly<Record<string, BulkItemResult>>[]
}

interface BulkItemResult {
  readonly _index: string
  readonly _id: string | null
  readonly status: number
  readonly _version?: number
  readonly result?: string
  readonly _shards?: { readonly total: number; readonly successful: number; readonly failed: number }
  readonly _seq_no?: number
  readonly _primary_term?: number
  readonly error?: { readonly type: string; readonly reason: string }
}

const STATUS = { created: 201, updated: 200, deleted: 200, noop: 200 } as const

export function bulkResponse(items: readonly BulkItem[], results: readonly WriteResult[], took: number): BulkResponse {
  const answers = items.map((item, at): [string, BulkItemResult] => {
    return [item.action, answerTo(item, results[at])]
  })
  return {
    took,
    errors: answers.some(([, answer]) => answer.error !== undefined),
    items: answers.map(([action, answer]) => ({ [action]: answer })),
  }
}

/** Returns the response as JSON text. Items of stored documents differ only in their id; the rest is printed once. */
export function printBulkResponse(items: readonly BulkItem[], results: readonly WriteResult[], took: number): string {
  let template: Template | undefined
  let errors = false
  let printed = ''
  for (let at = 0; at < items.length; at++) {
    const item = items[at]
    const result = results[at]
    if (item === undefined) continue
    if (printed !== '') printed += ','
    if (result?.ok === true && result.version === undefined) {
      if (!template || !isOf(template, item, result)) template = templateOf(item, result)
      printed += template.before + JSON.stringify(result.id) + template.after
    } else {
      const answer = answerTo(item, result)
      if (answer.error !== undefined) errors = true
      printed += JSON.stringify({ [item.action]: answer })
    }
  }
  return `{"took":${took},"errors":${errors},"items":[${printed}]}`
}

type Stored = Extract<WriteResult, { ok: true }>

/** The text before and after the id of an item. Consecutive items usually share it. */
interface Template {
  readonly action: string
  readonly index: string
  readonly result: string
  readonly before: string
  readonly after: string
}

const isOf = (template: Template, item: BulkItem, { result }: Stored): boolean =>
  template.result === result && template.action === item.action && template.index === item.index

function templateOf(item: BulkItem, stored: Stored): Template {
  const { action, index } = item
  const { _index, _id, ...rest } = itemResult(item, stored)
  const before = `{"${action}":{"_index":${JSON.stringify(_index)},"_id":`
  return { action, index, result: stored.result, before, after: `,${JSON.stringify(rest).slice(1)}}` }
}

const answerTo = (item: BulkItem, result: WriteResult | undefined): BulkItemResult =>
  result === undefined ? { _index: item.index, _id: null, status: 500 } : itemResult(item, result)

export function itemResult(item: Pick<BulkItem, 'action' | 'index' | 'id'>, result: WriteResult): BulkItemResult {
  if (result.ok) {
    return written(item.index, result.id, result.result, STATUS[result.result], result.version ?? 1)
  }
  // Deleting a document that does not exist is not an error.
  if (item.action === 'delete' && result.status === 404 && result.type !== 'index_not_found_exception') {
    return written(item.index, item.id ?? '', 'not_found', 404, 1)
  }
  const { status, type, reason } = result
  return { _index: item.index, _id: result.id ?? item.id ?? null, status, error: { type, reason } }
}

function written(index: string, id: string, result: string, status: number, version: number): BulkItemResult {
  return {
    _index: index,
    _id: id,
    _version: version,
    result,
    _shards: { total: 1, successful: 1, failed: 0 },
    _seq_no: version - 1,
    _primary_term: 1,
    status,
  }
}
