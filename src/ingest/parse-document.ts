import { isUtf8 } from 'node:buffer'
import type { Json, JsonObject } from '../model/json/document.ts'
import { isJsonObject } from '../model/json/json-object.ts'
import { brokenRow, LONGEST_DOCUMENT, type Row } from './row.ts'
import type { Piece } from './split-lines.ts'

/** Maximum depth. Deeper documents could exhaust the stack of recursive code. */
const DEEPEST = 100

export interface ParsedJson {
  readonly value: Json
  readonly text: string
}

/** Parses one untrusted JSON value: valid UTF-8 and bounded depth. Returns an error text if it is invalid. */
function parseJsonBytes(bytes: Buffer): ParsedJson | string {
  return isUtf8(bytes) ? parseJsonText(bytes.toString('utf8')) : NOT_UTF8
}

export const NOT_UTF8 = 'is not UTF-8 text'

export function parseJsonText(text: string): ParsedJson | string {
  if (isTooDeep(text)) return `is nested deeper than ${DEEPEST} levels`
  try {
    const value: Json = JSON.parse(text)
    return { value, text }
  } catch (error) {
    return `is not JSON (${error instanceof Error ? error.message : String(error)})`
  }
}

/** Turns pieces into rows; `toDocument` converts a parsed value to a document, or returns an error text. */
export function rowsOfPieces(
  pieces: readonly Piece[],
  toDocument: (value: Json) => JsonObject | string,
): readonly Row[] {
  return pieces.map((piece) => {
    const { line, bytes } = piece
    if (piece.tooLong) {
      return brokenRow(line, `is longer than ${LONGEST_DOCUMENT / 1024 / 1024} MiB`, bytes.toString('utf8'))
    }
    const parsed = parseJsonBytes(bytes)
    if (typeof parsed === 'string') return brokenRow(line, parsed, bytes.toString('utf8'))
    const document = toDocument(parsed.value)
    if (typeof document === 'string') return brokenRow(line, document, parsed.text)
    return document === parsed.value ? { line, document, text: parsed.text } : { line, document }
  })
}

/** Accepts any JSON object as a document. */
export function plainDocument(value: Json): JsonObject | string {
  return isJsonObject(value) ? value : 'is not a JSON object'
}

function isTooDeep(text: string): boolean {
  if (!opensMoreThan(text, DEEPEST)) return false
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 0x5c) i++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > DEEPEST) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Counting brackets is much faster than measuring the depth, and most documents have few. */
function opensMoreThan(text: string, most: number): boolean {
  let opened = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (++opened > most) return true
  }
  return false
}
