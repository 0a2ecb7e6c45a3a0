import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { Reader } from '../database/reader.ts'
import { type SqlBuilder, withSql } from '../database/sql-builder.ts'
import type { IndexTable } from '../table/index-table.ts'
import { compileSelection } from './selection-sql.ts'

/** Rows of one table that match a condition. */
export interface SelectedPart {
  readonly table: IndexTable
  readonly condition: string
}

/** The rows a predicate selects in one snapshot, for several statements. */
export interface SelectedRows {
  readonly tables: readonly IndexTable[]
  /** Runs a statement over the parts of `tables` (default: all). It must use every part. */
  read(
    compile: (parts: readonly SelectedPart[], sql: SqlBuilder) => string,
    tables?: readonly IndexTable[],
  ): Promise<readonly DuckDBValue[][]>
  /** Like `read`, but returns batches as they are computed. */
  stream(
    compile: (parts: readonly SelectedPart[], sql: SqlBuilder) => string,
    tables: readonly IndexTable[],
  ): AsyncIterable<readonly DuckDBValue[][]>
}

export function selectRows(reader: Reader, tables: readonly IndexTable[], predicate: Predicate): SelectedRows {
  const partsOf = (some: readonly IndexTable[], sql: SqlBuilder): readonly SelectedPart[] =>
    some.map((table) => ({ table, condition: compileSelection(predicate, table, sql) }))
  return {
    tables,
    read: (compile, some = tables) => withSql((sql) => reader.rows(compile(partsOf(some, sql), sql), sql.values)),
    stream: (compile, some) => withSql((sql) => reader.stream(compile(partsOf(some, sql), sql), sql.values)),
  }
}
