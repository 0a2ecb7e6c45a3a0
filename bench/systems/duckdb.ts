import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type ColumnType, definitions, type FlatTable } from './flat-table.ts'
import { type LineProcess, startLineProcess } from './process-lines.ts'
import { duckdbDialect } from './sql.ts'
import { type SqlEngine, startSqlSystem } from './sql-system.ts'
import type { System } from './system.ts'

const PROGRAM = fileURLToPath(new URL('./duckdb-process.ts', import.meta.url))

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'VARCHAR',
  category: 'VARCHAR',
  milliseconds: 'BIGINT',
  integer: 'INTEGER',
  double: 'DOUBLE',
  tile: 'UINTEGER',
}

/** Shifts and masks that move the bits of a 29-bit number to the even bits of 58. */
const SPREAD = [
  [16, 0x0000ffff0000ffffn],
  [8, 0x00ff00ff00ff00ffn],
  [4, 0x0f0f0f0f0f0f0f0fn],
  [2, 0x3333333333333333n],
  [1, 0x5555555555555555n],
] as const

/** Rows in the order of the Morton key; one subquery per step, because DuckDB has no function for it. */
const sortedRows = ({ name }: FlatTable): string => {
  const keyed = SPREAD.reduce(
    (rows, [shift, mask]) =>
      `SELECT * REPLACE ((kx | (kx << ${shift})) & ${mask} AS kx, (ky | (ky << ${shift})) & ${mask} AS ky) FROM (${rows})`,
    `SELECT *, mx::BIGINT AS kx, my::BIGINT AS ky FROM ${name}`,
  )
  return `SELECT * EXCLUDE (kx, ky) FROM (${keyed}) ORDER BY kx | (ky << 1)`
}

const engine: SqlEngine = {
  dialect: duckdbDialect,
  version: 'SELECT version()',
  start: async (directory) => startDuckdbProcess(directory),
  create: (table) => `CREATE TABLE ${table.name} (${definitions(table, TYPES)})`,
  append: ({ name }, file) =>
    `COPY ${name} FROM '${file}' (FORMAT csv, HEADER false, AUTO_DETECT false, DELIMITER ',', QUOTE '"', ESCAPE '"')`,
  settle: (table) => [
    // One request, so that no write comes in between.
    [
      'BEGIN',
      `CREATE TABLE sorted AS ${sortedRows(table)}`,
      `DROP TABLE ${table.name}`,
      `ALTER TABLE sorted RENAME TO ${table.name}`,
      'COMMIT',
    ].join('; '),
    'CHECKPOINT',
  ],
}

/** DuckDB as it is, in the version that Periplus uses. */
export const startedDuckdb = (): Promise<System> => startSqlSystem(engine)

function startDuckdbProcess(directory: string): LineProcess {
  const threads = String(availableParallelism())
  return startLineProcess(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, directory, threads])
}
