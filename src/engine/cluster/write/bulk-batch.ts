import { randomBytes } from 'node:crypto'
import type { WriteOperation } from '../../engine.ts'
import type { Checked } from './checked-operations.ts'

/** One operation of a bulk request. */
export interface BulkItem {
  /** Index of the operation in the write. */
  readonly position: number
  readonly kind: WriteOperation['kind']
  readonly id: string
  /** True if the id was generated here: on a conflict, the existing document is this one. */
  readonly isOwnId: boolean
  readonly lines: string
}

/** Operations sent to the cluster in one request. */
export interface BulkBatch {
  readonly items: readonly BulkItem[]
  readonly ids: ReadonlySet<string>
}

/** Characters; equal to bytes in nearly all documents. Larger requests are not faster and use memory of the cluster. */
const MOST_CHARACTERS = 8 * 1024 * 1024
const MOST_OPERATIONS = 10_000

/** Yields the accepted operations in requests of limited size, created lazily. */
export function* makeBatches(
  operations: readonly WriteOperation[],
  checked: readonly Checked[],
): Generator<BulkBatch, void, undefined> {
  let items: BulkItem[] = []
  let size = 0
  for (const [position, operation] of operations.entries()) {
    const outcome = checked[position]
    if (outcome === undefined || 'refusal' in outcome) continue
    const item = toItem(position, operation, outcome.text?.())
    if (items.length > 0 && (items.length >= MOST_OPERATIONS || size + item.lines.length > MOST_CHARACTERS)) {
      yield toBatch(items)
      items = []
      size = 0
    }
    items.push(item)
    size += item.lines.length
  }
  if (items.length > 0) yield toBatch(items)
}

const toBatch = (items: readonly BulkItem[]): BulkBatch => ({ items, ids: new Set(items.map(({ id }) => id)) })

function toItem(position: number, operation: WriteOperation, text: string | undefined): BulkItem {
  const { kind } = operation
  const id = operation.id ?? newId()
  const isOwnId = operation.id === undefined
  const lines = linesOf(operation, isOwnId ? 'create' : kind, id, text)
  return { position, kind, id, isOwnId, lines }
}

function linesOf(operation: WriteOperation, action: string, id: string, text: string | undefined): string {
  const quoted = JSON.stringify(id)
  if (operation.kind === 'delete' || text === undefined) return `{"delete":{"_id":${quoted}}}\n`
  const document = oneLine(text)
  if (operation.kind !== 'update') return `{"${action}":{"_id":${quoted}}}\n${document}\n`
  const upsert = operation.upsert === true ? ',"doc_as_upsert":true' : ''
  return `{"update":{"_id":${quoted},"retry_on_conflict":${RETRIES}}}\n{"doc":${document}${upsert}}\n`
}

/** Retries of an update that conflicts with a concurrent write. */
const RETRIES = 5

/** Replaces line breaks. In JSON they only occur between tokens; inside strings they are escaped. */
const oneLine = (json: string): string => (/[\n\r]/.test(json) ? json.replace(/[\n\r]+/g, ' ') : json)

/**
 * Returns 120 random bits as 20 URL-safe characters. With an id, a request sent twice does not create a document twice.
 */
function newId(): string {
  return randomBytes(15).toString('base64url')
}
