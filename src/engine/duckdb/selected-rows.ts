import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate } from '../../query/predicate.ts'
import type { Database, Reader } from './database.ts'
import type { IndexTable } from './index-table.ts'
import { locateRows } from './located-rows.ts'
import { compileSelections } from './selection-sql.ts'
import { lookUpIn, withSql } from './snapshot.ts'
import type { SqlBuilder } from './sql-builder.ts'

/** Rows of one table, by a condition; no row is in two parts. */
export interface SelectedPart {
  readonly table: IndexTable
  readonly condition: string
}

/** The rows a predicate selects in one snapshot, for statements that gather them in several ways. */
export interface SelectedRows {
  readonly tables: readonly IndexTable[]
  read(compile: (parts: readonly SelectedPart[], sql: SqlBuilder) => string): Promise<readonly DuckDBValue[][]>
}

export async function selectRows(
  database: Database,
  reader: Reader,
  tables: readonly IndexTable[],
  predicate: Predicate,
): Promise<SelectedRows> {
  const located = await locateRows(predicate, tables, lookUpIn(database, reader))
  return {
    tables,
    read: (compile) =>
      withSql(database, (sql) => {
        const parts = tables.flatMap((table) =>
          compileSelections(predicate, table, located, sql).map((condition) => ({ table, condition })),
        )
        return reader.rows(compile(parts, sql), sql.values)
      }),
  }
}
