import { isUtf8 } from 'node:buffer'
import { problem } from '../errors.ts'
import type { Json, JsonObject } from '../model/document.ts'
import { isJsonObject } from './json-object.ts'
import { NOT_UTF8, type ParsedJson, parseJsonText } from './parse-document.ts'

export const bulkActions = ['index', 'create', 'update', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** One operation of a bulk request, as it was sent. */
export interface BulkItem {
  readonly action: BulkAction
  readonly index: string
  readonly id?: string
  /** What is to be done, or why this one item cannot be. */
  readonly content: BulkContent | BulkFault
}

export type BulkContent =
  | { readonly kind: 'document'; readonly source: JsonObject; readonly text: string }
  | { readonly kind: 'changes'; readonly doc: JsonObject; readonly upsert: boolean }
  | { readonly kind: 'nothing' }

export interface BulkFault {
  readonly kind: 'fault'
  readonly type: string
  readonly reason: string
}

const NEWLINE = 0x0a
const LONGEST_ID = 512
/** Conditions and features of Elasticsearch that must not be dropped silently: the write would do something else. */
const REFUSED = ['if_seq_no', 'if_primary_term', 'version', 'version_type', 'pipeline']

/**
 * Reads the newline-delimited body of `_bulk`. An action line that cannot be understood fails the whole request, since
 * what follows it cannot be told apart; a bad document only fails its own item.
 */
export function parseBulk(body: Buffer, defaultIndex: string | undefined): readonly BulkItem[] {
  const lines = linesOf(body)
  const items: BulkItem[] = []
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    const { text, number } = next.value
    if (text?.trim() === '') continue
    const { action, index, id } = parseAction(text, number, defaultIndex)
    let content: BulkContent | BulkFault = { kind: 'nothing' }
    if (action !== 'delete') {
      const source = lines.next()
      if (source.done === true) throw malformed(number, 'must be followed by the line of its document')
      content = action === 'update' ? parseChanges(source.value.text) : parseSource(source.value.text)
    }
    items.push({ action, index, ...(id === undefined ? {} : { id }), content: checkId(id) ?? content })
  }
  if (items.length === 0) throw problem('INVALID_BODY', { parameter: 'body', reason: 'must not be empty' })
  return items
}

interface BulkLine {
  /** undefined: the line is not UTF-8. */
  readonly text: string | undefined
  readonly number: number
}

/** The body is decoded at once; only when that fails, line by line, to tell which ones are at fault. */
function* linesOf(body: Buffer): Generator<BulkLine, void, undefined> {
  if (!isUtf8(body)) return yield* faultyLinesOf(body)
  const text = body.toString('utf8')
  let start = 0
  for (let number = 1; start < text.length; number++) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    yield { text: text.slice(start, end), number }
    start = end + 1
  }
}

function* faultyLinesOf(body: Buffer): Generator<BulkLine, void, undefined> {
  let start = 0
  for (let number = 1; start < body.length; number++) {
    const newline = body.indexOf(NEWLINE, start)
    const bytes = body.subarray(start, newline < 0 ? body.length : newline)
    yield { text: isUtf8(bytes) ? bytes.toString('utf8') : undefined, number }
    start += bytes.length + 1
  }
}

const parseLine = (text: string | undefined): ParsedJson | string =>
  text === undefined ? NOT_UTF8 : parseJsonText(text)

function parseAction(
  text: string | undefined,
  line: number,
  defaultIndex: string | undefined,
): { readonly action: BulkAction; readonly index: string; readonly id?: string } {
  const parsed = parseLine(text)
  if (typeof parsed === 'string') throw malformed(line, 'must be JSON', text ?? null)
  const [entry, ...others] = isJsonObject(parsed.value) ? Object.entries(parsed.value) : []
  const action = bulkActions.find((known) => known === entry?.[0])
  if (entry === undefined || action === undefined || others.length > 0) {
    throw malformed(line, `must be an object with one of ${bulkActions.join(', ')}`, text ?? null)
  }
  const metadata = entry[1] ?? {}
  if (!isJsonObject(metadata)) throw malformed(line, `must have an object under ${action}`, text ?? null)
  const refused = REFUSED.find((key) => metadata[key] !== undefined)
  if (refused !== undefined) throw malformed(line, `must not have ${refused}, which is not supported`)
  const index = metadata._index ?? defaultIndex
  if (typeof index !== 'string') throw malformed(line, 'must have an _index')
  const id = metadata._id ?? undefined
  if (id === undefined) {
    if (action === 'update' || action === 'delete') throw malformed(line, `must have an _id to ${action}`)
    return { action, index }
  }
  if (typeof id !== 'string' && typeof id !== 'number') throw malformed(line, 'must have a text as _id', id)
  return { action, index, id: String(id) }
}

function checkId(id: string | undefined): BulkFault | undefined {
  if (id === undefined) return undefined
  if (id === '') return fault('illegal_argument_exception', 'if _id is specified it must not be empty')
  if (Buffer.byteLength(id) <= LONGEST_ID) return undefined
  return fault('illegal_argument_exception', `_id is longer than ${LONGEST_ID} bytes`)
}

function parseSource(text: string | undefined): BulkContent | BulkFault {
  const parsed = parseLine(text)
  if (typeof parsed === 'string') return fault('document_parsing_exception', `the document ${parsed}`)
  if (!isJsonObject(parsed.value)) return fault('document_parsing_exception', 'the document is not a JSON object')
  return { kind: 'document', source: parsed.value, text: parsed.text.trim() }
}

function parseChanges(text: string | undefined): BulkContent | BulkFault {
  const parsed = parseLine(text)
  if (typeof parsed === 'string') return fault('document_parsing_exception', `the update ${parsed}`)
  const body: Json = parsed.value
  if (!isJsonObject(body)) return fault('document_parsing_exception', 'the update is not a JSON object')
  const other = Object.keys(body).find((key) => !['doc', 'doc_as_upsert', 'detect_noop', '_source'].includes(key))
  if (other !== undefined) {
    return fault('illegal_argument_exception', `an update may have doc and doc_as_upsert, but not ${other}`)
  }
  if (!isJsonObject(body.doc)) return fault('illegal_argument_exception', 'an update must have an object under doc')
  const upsert = body.doc_as_upsert === true || body.doc_as_upsert === 'true'
  return { kind: 'changes', doc: body.doc, upsert }
}

const fault = (type: string, reason: string): BulkFault => ({ kind: 'fault', type, reason })

function malformed(line: number, reason: string, value?: Json): Error {
  const parameter = `action line ${line}`
  return problem('INVALID_BODY', { parameter, reason, ...(value === undefined ? {} : { value }) })
}
