import type { IndexTable } from '../index/index-table.ts'
import type { TermCoding } from './term-key.ts'

/** Rows whose keys have comparable SQL values: all rows, or the arranged or tail rows of one table. */
export interface Domain {
  /** Index into the codes of a node. */
  readonly number: number
  readonly tables: readonly IndexTable[]
  readonly coding: TermCoding
  /** `arranged`: rows in key order, with ranks. `tail`: rows appended since. */
  readonly rows: 'all' | 'arranged' | 'tail'
}

/** Rows of one part of a table. Each row occurs once per combination of its keys. */
export interface RowSource {
  readonly table: IndexTable
  readonly rows: string
  readonly where: string
  /** SQL of the key of each requested level. */
  readonly keys: readonly string[]
  /** Each row stands for `n` documents. No other values are available. */
  readonly counted?: true
}
