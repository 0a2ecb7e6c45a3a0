import type { CoordinateSystem } from '../../crs/coordinate-system.ts'
import type { Row } from '../../row.ts'
import type { InputFormat } from './input-format.ts'

/** What a caller may state about a file. */
export interface ReadOptions {
  readonly format?: InputFormat
  /** One character between the columns of a CSV file. */
  readonly delimiter?: string
  /** False if a CSV file has no line with the names of its columns. Found if it is not stated. */
  readonly header?: boolean
  /** Character encoding of a CSV file or of the texts of a shapefile. */
  readonly encoding?: string
  /** Table, sheet or layer of a file that has several. */
  readonly layer?: string
}

/** Rows of one file, and what was found out about it. */
export interface Reading {
  readonly rows: AsyncIterable<readonly Row[]>
  /** Coordinate system the file states; undefined if it states none. */
  readonly crs?: CoordinateSystem
  /** Sentences about what was assumed. */
  readonly notes: readonly string[]
}

/** Rows per batch of readers that decode one record after the other. */
export const BATCH = 1_000
