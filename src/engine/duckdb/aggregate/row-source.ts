import type { IndexTable } from '../index/index-table.ts'
import type { TermCoding } from './term-key.ts'

/** Rows whose keys have comparable SQL values: all rows, or the arranged or the later rows of one table. */
export interface Domain {
  /** Place in the codes of a node. */
  readonly number: number
  readonly tables: readonly IndexTable[]
  readonly coding: TermCoding
  /** `arranged`: rows in key order, with ranks; `tail`: those that came later. */
  readonly rows: 'all' | 'arranged' | 'tail'
}

/** Rows of one part of a table, each as often as it has combinations of keys. */
export interface RowSource {
  readonly table: IndexTable
  readonly rows: string
  readonly where: string
  /** SQL of the key of each level asked for. */
  readonly keys: readonly string[]
  /** Each row stands for `n` documents, of which nothing else is known. */
  readonly counted?: true
}
