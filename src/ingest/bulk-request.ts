import { isUtf8 } from 'node:buffer'
import { BodyDocument } from '../engine/body-document.ts'
import { problem } from '../errors.ts'
import type { Json, JsonObject } from '../model/json/document.ts'
import { isJsonObject } from '../model/json/json-object.ts'
import { ActionReader, type BulkAction, malformed } from './bulk-action.ts'
import { BulkLines } from './bulk-lines.ts'
import { isJsonObjectAt } from './json-check.ts'
import { NOT_UTF8, type ParsedJson, parseJsonText } from './parse-document.ts'

/** One operation of a bulk request, as it was sent. */
export interface BulkItem {
  readonly action: BulkAction
  readonly index: string
  readonly id?: string
  /** The operation, or the reason why this item is invalid. */
  readonly content: BulkContent | BulkFault
}

type BulkContent =
  | { readonly kind: 'document'; readonly source: JsonObject; readonly text: string }
  | { readonly kind: 'changes'; readonly doc: JsonObject; readonly upsert: boolean }
  | { readonly kind: 'nothing' }

interface BulkFault {
  readonly kind: 'fault'
  readonly type: string
  readonly reason: string
}

const LONGEST_ID = 512

/**
 * Parses the newline-delimited body of `_bulk`. An invalid action line fails the whole request, because the boundaries
 * of the following items are unknown; an invalid document fails only its own item.
 */
export function parseBulk(body: Buffer, defaultIndex: string | undefined): readonly BulkItem[] {
  // UTF-8 is validated once for the whole body; if that fails, per line, to find the invalid lines.
  const lines = new BulkLines(body, isUtf8(body))
  const actions = new ActionReader(lines, defaultIndex)
  const items: BulkItem[] = []
  while (lines.next()) {
    if (lines.isBlank()) continue
    const { action, index, id } = actions.read()
    let content: BulkContent | BulkFault = NOTHING
    if (action !== 'delete') {
      const { number } = lines
      if (!lines.next()) throw malformed(number, 'must be followed by a line with the document')
      content = action === 'update' ? parseChanges(lines.text) : readSource(lines)
    }
    const checked = checkId(id) ?? content
    items.push(id === undefined ? { action, index, content: checked } : { action, index, id, content: checked })
  }
  if (items.length === 0) throw problem('INVALID_BODY', { parameter: 'body', reason: 'must not be empty' })
  return items
}

const NOTHING = { kind: 'nothing' } as const

function readSource(lines: BulkLines): BulkContent | BulkFault {
  const { body, start, end } = lines
  if (lines.allUtf8 && isJsonObjectAt(body, start, end)) return new BodyDocument(body, start, end)
  return parseSource(lines.text)
}

const parseLine = (text: string | undefined): ParsedJson | string =>
  text === undefined ? NOT_UTF8 : parseJsonText(text)

function checkId(id: string | undefined): BulkFault | undefined {
  if (id === undefined) return undefined
  if (id === '') return fault('illegal_argument_exception', 'if _id is specified it must not be empty')
  if (id.length * 3 <= LONGEST_ID || Buffer.byteLength(id) <= LONGEST_ID) return undefined
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
  const { doc_as_upsert: stated = false } = body
  const upsert = stated === true || stated === 'true'
  if (!upsert && stated !== false && stated !== 'false') {
    return fault('illegal_argument_exception', 'doc_as_upsert of an update must be true or false')
  }
  return { kind: 'changes', doc: body.doc, upsert }
}

const fault = (type: string, reason: string): BulkFault => ({ kind: 'fault', type, reason })
