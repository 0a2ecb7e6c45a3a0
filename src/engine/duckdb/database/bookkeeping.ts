import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'

/** Runs a statement of some transaction and answers its rows. */
export type Run = (sql: string, values?: DuckDBValue[]) => Promise<DuckDBValue[][]>

export const runOn =
  (connection: DuckDBConnection): Run =>
  async (sql, values = []) =>
    (await connection.run(sql, values)).getRows()

/** Bookkeeping that commits with documents; no index has a name in it. */
export const SCHEMA = '_periplus'
