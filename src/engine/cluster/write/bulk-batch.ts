import { randomBytes } from 'node:crypto'
import type { WriteOperation } from '../../engine.ts'
import type { Checked } from './checked-operations.ts'

/** One operation of a request, as its lines. */
export interface BulkItem {
  /** Of the operation in the write. */
  readonly position: number
  readonly kind: WriteOperation['kind']
  readonly id: string
  /** The id was made here: whatever the cluster says about it, it was this document that came first. */
  readonly isOwnId: boolean
  readonly lines: string
}

/** Operations that go to the cluster in one request. */
export interface BulkBatch {
  readonly items: readonly BulkItem[]
  readonly ids: ReadonlySet<string>
}

/** Characters, which are bytes in nearly all documents; larger requests gain nothing and fill the cluster's memory. */
const MOST_CHARACTERS = 8 * 1024 * 1024
const MOST_OPERATIONS = 10_000

/** The operations that are carried out, in requests of a good size, made one by one as they are asked for. */
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

/** Of an update that others overtake between its reading and its writing. */
const RETRIES = 5

/** Line ends in JSON are space between its parts: inside a text they are escaped. */
const oneLine = (json: string): string => (/[\n\r]/.test(json) ? json.replace(/[\n\r]+/g, ' ') : json)

/** 120 random bits in 20 URL-safe characters, so that a request that is sent twice makes no document twice. */
function newId(): string {
  return randomBytes(15).toString('base64url')
}
