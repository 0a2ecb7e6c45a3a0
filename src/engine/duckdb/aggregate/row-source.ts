import type { IndexTable } from '../table/index-table.ts'

/** Rows of one part of a table. Each row occurs once per combination of its keys. */
export interface RowSource {
  readonly table: IndexTable
  readonly rows: string
  readonly where: string
  /** SQL of the key of each requested level. */
  readonly keys: readonly string[]
  /** By level: maps the SQL of a key to that of the real key, if `keys` has the fine one. */
  readonly folds: readonly (((key: string) => string) | undefined)[]
}
