import type { JsonObject } from '../model/json/document.ts'

/** A document of an input or an invalid one, with the line number (Parquet: row number) where it begins. */
export type Row = DocumentRow | BrokenRow

export interface DocumentRow {
  readonly line: number
  readonly document: JsonObject
  /** Source of the document, if the input contains it as JSON. */
  readonly text?: string
}

interface BrokenRow {
  readonly line: number
  /** Why it is not a document, as a clause: `is not JSON`. */
  readonly reason: string
  readonly text: string
}

export const isBroken = (row: Row): row is BrokenRow => 'reason' in row

/** Bytes. A larger document means a file of another format, or one without line ends. */
export const LONGEST_DOCUMENT = 100 * 1024 * 1024

const LONGEST_TEXT = 10_000

export function brokenRow(line: number, reason: string, text: string): BrokenRow {
  return { line, reason, text: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}...` : text }
}
