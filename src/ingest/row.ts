import type { JsonObject } from '../model/document.ts'

/** A document of an input, or what stood in its place, with the line (of a Parquet file: the row) where it begins. */
export type Row = DocumentRow | BrokenRow

export interface DocumentRow {
  readonly line: number
  readonly document: JsonObject
  /** The document as it stands in the input, when it does so as JSON. */
  readonly text?: string
}

export interface BrokenRow {
  readonly line: number
  /** Why it is no document, as a clause: `is not JSON`. */
  readonly reason: string
  readonly text: string
}

export const isBroken = (row: Row): row is BrokenRow => 'reason' in row

/** One document larger than this is a file of another kind, or one that lacks its line ends. */
export const LONGEST_DOCUMENT = 100 * 1024 * 1024

const LONGEST_TEXT = 10_000

export function brokenRow(line: number, reason: string, text: string): BrokenRow {
  return { line, reason, text: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}...` : text }
}
