import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRows } from '../questions/answers.ts'
import type { DatasetName, SqlDialect } from '../questions/question.ts'
import { type Changes, changesOf } from './bulk-changes.ts'
import { directoryBytes } from './directory-size.ts'
import { csvOf, documentOf, type FlatDocument, type FlatTable, flatTableOf } from './flat-table.ts'
import type { LineProcess } from './process-lines.ts'
import { statementOf } from './sql.ts'
import type { System } from './system.ts'

export type SqlRow = readonly (string | number | null)[]

/** A database in a child process that answers `{sql, writes}` with `{rows, ms}`. */
export interface SqlEngine {
  readonly dialect: SqlDialect
  /** Statement that returns its version. */
  readonly version: string
  /** Statement that returns the bytes on disk, if the directory also has files that are no longer in use. */
  readonly bytes?: string
  /** Opens the database in a directory, which is created if missing. */
  readonly start: (directory: string) => Promise<LineProcess>
  readonly create: (table: FlatTable) => string
  /** Appends the lines of a CSV file. */
  readonly append: (table: FlatTable, file: string) => string
  readonly settle: (table: FlatTable) => readonly string[]
}

interface Answered {
  readonly rows: readonly SqlRow[]
  /** Measured in the process. */
  readonly ms: number
  readonly bytes: number
}

/** Starts a database with a flat table per dataset. */
export async function startSqlSystem(engine: SqlEngine): Promise<System> {
  const directory = await mkdtemp(join(tmpdir(), `periplus-${engine.dialect.name.toLowerCase()}-`))
  const data = join(directory, 'data')
  let running = await engine.start(data)
  let batches = 0
  /** Tables whose first load is over, so that documents may be replaced. */
  const loaded = new Set<FlatTable>()

  const ask = async (sql: string, writes: boolean): Promise<Answered> => {
    const { reply, bytes } = await running.request({ sql, writes }).catch((error: unknown) => {
      throw new Error(`${engine.dialect.name}: ${String(error).slice(0, 2000)}\n${sql.slice(0, 500)}`)
    })
    return { rows: reply.rows as readonly SqlRow[], ms: Number(reply.ms), bytes }
  }
  const runAll = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await ask(statement, true)
  }
  const append = async (table: FlatTable, documents: ReadonlyMap<string, FlatDocument>): Promise<void> => {
    if (documents.size === 0) return
    const file = join(directory, `batch-${++batches}.csv`)
    await writeFile(file, csvOf(table, documents.values()))
    await ask(engine.append(table, file), true)
    await rm(file)
  }
  /** Deletes the documents that are replaced, and returns those to append. */
  const replace = async (table: FlatTable, changes: Changes): Promise<ReadonlyMap<string, FlatDocument>> => {
    const { documents, updates, deletes } = changes
    const ids = [...updates.keys(), ...deletes, ...(loaded.has(table) ? documents.keys() : [])]
    if (ids.length === 0) return documents
    const columns = table.columns.map(({ name }) => name).join(', ')
    const found = (await ask(`SELECT ${columns} FROM ${table.name} WHERE id IN ${list(ids)}`, true)).rows
    if (found.length === 0) return documents
    await ask(`DELETE FROM ${table.name} WHERE id IN ${list(found.map(([id]) => String(id)))}`, true)
    const updated = found.flatMap((row): (readonly [string, FlatDocument])[] => {
      const id = String(row[0])
      const update = updates.get(id)
      return update === undefined ? [] : [[id, { ...documentOf(table, row), ...update }]]
    })
    return new Map([...documents, ...updated])
  }

  const [version] = (await ask(engine.version, false)).rows
  return {
    name: engine.dialect.name,
    version: String(version?.[0]),
    pid: () => running.pid,
    holds: (dataset) => flatTableOf(dataset) !== undefined,
    prepare: async (dataset) => {
      const table = tableOf(dataset)
      loaded.delete(table)
      await runAll([`DROP TABLE IF EXISTS ${table.name}`, engine.create(table)])
    },
    write: async (dataset, lines) => {
      const table = tableOf(dataset)
      await append(table, await replace(table, changesOf(lines)))
    },
    // Rows can be found as soon as they are written.
    refresh: async () => undefined,
    settle: async (dataset) => {
      const table = tableOf(dataset)
      await runAll(engine.settle(table))
      loaded.add(table)
    },
    ask: async (question, draw) => {
      const sql = statementOf(question, draw, engine.dialect)
      if (sql === undefined) return undefined
      const { rows, ms, bytes } = await ask(sql, false)
      return { ms, bytes, answer: readRows(question, rows) }
    },
    restart: async () => {
      await running.stop()
      running = await engine.start(data)
    },
    diskBytes: async () => {
      if (engine.bytes === undefined) return directoryBytes(data)
      return Number((await ask(engine.bytes, false)).rows[0]?.[0])
    },
    stop: async () => {
      await running.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function tableOf(dataset: DatasetName): FlatTable {
  const table = flatTableOf(dataset)
  if (table === undefined) throw new Error(`${dataset} do not fit a flat table`)
  return table
}

/** Ids of the benchmark contain no quotes; others are refused rather than escaped for two dialects. */
function list(ids: readonly string[]): string {
  const unsafe = ids.find((id) => /['\\]/.test(id))
  if (unsafe !== undefined) throw new Error(`id with a quote: ${unsafe}`)
  return `(${ids.map((id) => `'${id}'`).join(', ')})`
}
