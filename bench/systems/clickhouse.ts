import { fileURLToPath } from 'node:url'
import { ensureClickhouse } from './clickhouse-package.ts'
import { type ColumnType, definitions } from './flat-table.ts'
import { startLineProcess } from './process-lines.ts'
import { clickhouseDialect } from './sql.ts'
import { type SqlEngine, startSqlSystem } from './sql-system.ts'
import type { System } from './system.ts'

const PROGRAM = fileURLToPath(new URL('./clickhouse_process.py', import.meta.url))

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'String',
  category: 'LowCardinality(String)',
  milliseconds: 'Int64',
  integer: 'Int32',
  double: 'Float64',
  tile: 'UInt32',
}

/** Indices to skip blocks of rows: for one document by id, which would need a full scan, and for boxes. */
const SKIPPING =
  'INDEX by_id id TYPE bloom_filter GRANULARITY 1, INDEX by_lon lon TYPE minmax, INDEX by_lat lat TYPE minmax'

/** ClickHouse in a Python process, asked through its library. Throws MissingTool if it cannot be installed. */
export async function startedClickhouse(say?: (line: string) => void): Promise<System> {
  const { python, modules } = await ensureClickhouse(say)
  const engine: SqlEngine = {
    dialect: clickhouseDialect,
    version: 'SELECT version()',
    start: async (directory) => startLineProcess(python, [PROGRAM, directory], { PYTHONPATH: modules }),
    bytes: 'SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase()',
    // Conditions on ranges of mx and my select ranges of the key.
    create: (table) =>
      `CREATE TABLE ${table.name} (${definitions(table, TYPES)}, ${SKIPPING})
        ENGINE = MergeTree ORDER BY mortonEncode(mx, my)`,
    append: (table, file) =>
      `INSERT INTO ${table.name} SELECT * FROM file('${file}', CSV, '${definitions(table, TYPES)}')`,
    settle: ({ name }) => [`OPTIMIZE TABLE ${name} FINAL`],
  }
  return startSqlSystem(engine)
}
