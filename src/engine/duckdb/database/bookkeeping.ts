import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'

/** Runs a statement in a transaction and returns its rows. */
export type Run = (sql: string, values?: DuckDBValue[]) => Promise<DuckDBValue[][]>

export const runOn =
  (connection: DuckDBConnection): Run =>
  async (sql, values = []) =>
    (await connection.run(sql, values)).getRows()

/** Schema of internal tables that commit together with documents. No index can have a name in it. */
export const SCHEMA = '_periplus'
