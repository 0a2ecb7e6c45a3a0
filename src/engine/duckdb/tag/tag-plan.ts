import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate, Scalar } from '../../../query/plan/predicate.ts'
import { type Field, isInteger } from '../../../query/schema/field.ts'
import { limitFailure } from '../../tag-failures.ts'
import { type Failure, KEPT_FAILURES } from '../../tag-store.ts'
import type { TagTask } from '../../tag-task.ts'
import { compileSelection } from '../condition/selection-sql.ts'
import type { Reader } from '../database/reader.ts'
import { type SqlBuilder, withSql } from '../database/sql-builder.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import { sqlTypeOf } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'
import { unitTable, workTable } from './tag-tables.ts'

/** Summary of a plan. */
interface PlannedWork {
  readonly units: number
  /** Number of work list entries. */
  readonly entries: number
  /** Number of units over the limit. `failures` describes the first of them. */
  readonly failed: number
  readonly failures: readonly Failure[]
}

/** Temporary tables of the planning connection. */
const VALUES = 'plan_values'
const COUNTS = 'plan_counts'

/**
 * Plans a task inside the transaction of `reader`. The database writes units and work list with SQL, so that memory
 * does not grow with them. A plan without units writes nothing.
 */
export async function writePlan(
  reader: Reader,
  tables: readonly IndexTable[],
  task: TagTask,
  blocks: BlockLimits,
): Promise<PlannedWork> {
  return new Planner(reader, tables, task, blocks).plan()
}

/**
 * Units are processed in order, but in a large table the documents of small units are spread over all rows: one unit
 * after the other, every batch would scan the whole table. So the units of a block are processed together, in row
 * order.
 */
export interface BlockLimits {
  /** Number of documents from which a table counts as large. */
  readonly from: number
  /** Maximum share of the documents per block, unless a single unit is larger. */
  readonly share: number
}

class Planner {
  readonly #reader: Reader
  readonly #tables: readonly IndexTable[]
  readonly #task: TagTask
  /** Entries per block. 0: every unit is a block. */
  readonly #blockEntries: number
  readonly #units: string
  readonly #work: string

  constructor(reader: Reader, tables: readonly IndexTable[], task: TagTask, { from, share }: BlockLimits) {
    const documents = tables.reduce((sum, { definition }) => sum + definition.documents, 0)
    this.#blockEntries = documents < from ? 0 : Math.ceil(documents * share)
    this.#reader = reader
    this.#tables = tables
    this.#task = task
    const key = { offset: task.record.offset, run: task.run }
    this.#units = unitTable(key)
    this.#work = workTable(key)
  }

  async plan(): Promise<PlannedWork> {
    const { propagation } = this.#task
    if (!propagation) return this.#planOne()
    const units = await this.#findValues(propagation.field, propagation.selection)
    if (units === 0) return { units, entries: 0, failed: 0, failures: [] }
    await this.#planUnits(propagation.field)
    return { units, ...(await this.#entries()), ...(await this.#failures(propagation.field)) }
  }

  /** Without propagation there is one unit with all documents. */
  async #planOne(): Promise<PlannedWork> {
    const { target, maxHits } = this.#task
    const rows = (sql: SqlBuilder): string =>
      this.#parts(target, sql, (table, number, condition) => [
        `SELECT CAST(0 AS BIGINT) AS block, CAST(0 AS BIGINT) AS unit, CAST(${number} AS INTEGER) AS t, _seq, _id FROM ${table.table} WHERE ${condition}`,
      ])
    const documents = await this.#scalar((sql) => `SELECT count(*) FROM (${rows(sql)})`)
    const isOver = documents > maxHits
    const entries = isOver ? 0 : documents
    await this.#createTables()
    await this.#reader.rows(`INSERT INTO ${this.#units} VALUES (0, ${documents}, ${isOver}, 0, ${entries})`)
    if (entries > 0) await this.#fillWork(rows)
    const failures = isOver ? [limitFailure(this.#task, documents)] : []
    return { units: 1, entries, failed: failures.length, failures }
  }

  /** Numbers the distinct values in sort order. Returns how many there are. */
  async #findValues(field: Field, selection: Predicate): Promise<number> {
    const sqlType = sqlTypeOf[field.type] ?? 'VARCHAR'
    await this.#reader.rows(`CREATE TEMP TABLE ${VALUES} (unit BIGINT, v ${sqlType})`)
    await this.#run((sql) => {
      const values = this.#parts(selection, sql, (table, _number, condition) =>
        valueRows(field, table, condition, [], 'all'),
      )
      return `INSERT INTO ${VALUES} SELECT row_number() OVER () - 1, v FROM (SELECT DISTINCT v FROM (${values}) ORDER BY v)`
    })
    return this.#scalar(() => `SELECT count(*) FROM ${VALUES}`)
  }

  async #planUnits(field: Field): Promise<void> {
    const { target, maxHits } = this.#task
    const pairs = (columns: readonly string[], sql: SqlBuilder): string =>
      this.#parts(target, sql, (table, number, condition) =>
        valueRows(field, table, condition, [`CAST(${number} AS INTEGER) AS t`, ...columns], 'distinct'),
      )
    await this.#createTables()
    await this.#reader.rows(`CREATE TEMP TABLE ${COUNTS} (unit BIGINT, documents BIGINT)`)
    await this.#run(
      (sql) =>
        `INSERT INTO ${COUNTS} SELECT unit, count(*) FROM (${pairs([], sql)}) JOIN ${VALUES} USING (v) GROUP BY unit`,
    )
    const counted = `SELECT unit, coalesce(documents, 0) AS documents FROM ${VALUES} LEFT JOIN ${COUNTS} USING (unit)`
    const judged = `SELECT unit, documents, documents > ${maxHits} AS failed FROM (${counted})`
    const entries = 'CASE WHEN failed THEN 0 ELSE documents END'
    const running = `SELECT *, ${entries} AS entries, sum(${entries}) OVER (ORDER BY unit ROWS UNBOUNDED PRECEDING) AS unit_end FROM (${judged})`
    const block = this.#blockEntries === 0 ? 'unit' : `CAST(unit_end - entries AS BIGINT) // ${this.#blockEntries}`
    const inBlocks = `SELECT *, ${block} AS block FROM (${running})`
    await this.#reader.rows(
      `INSERT INTO ${this.#units} SELECT unit, documents, failed, block, max(unit_end) OVER (PARTITION BY block) FROM (${inBlocks})`,
    )
    const wanted = `SELECT unit, block, v FROM ${VALUES} JOIN (SELECT unit, block FROM ${this.#units} WHERE NOT failed) USING (unit)`
    await this.#fillWork(
      (sql) => `SELECT block, unit, t, _seq, _id FROM (${pairs(['_seq', '_id'], sql)}) JOIN (${wanted}) USING (v)`,
    )
  }

  async #createTables(): Promise<void> {
    await this.#reader.rows(
      `CREATE TABLE ${this.#units} (unit BIGINT, documents BIGINT, failed BOOLEAN, block BIGINT, entries_end BIGINT)`,
    )
    await this.#reader.rows(`CREATE TABLE ${this.#work} (n BIGINT, unit BIGINT, t INTEGER, _seq BIGINT, _id VARCHAR)`)
  }

  /** Sorts entries by block and, within a block, by row, so that adjacent rows are changed together. */
  async #fillWork(rows: (sql: SqlBuilder) => string): Promise<void> {
    await this.#run((sql) => {
      const ordered = `SELECT unit, t, _seq, _id FROM (${rows(sql)}) ORDER BY block, t, _seq, unit`
      return `INSERT INTO ${this.#work} SELECT row_number() OVER () - 1, * FROM (${ordered})`
    })
  }

  async #entries(): Promise<Pick<PlannedWork, 'entries'>> {
    return { entries: await this.#scalar(() => `SELECT coalesce(max(entries_end), 0) FROM ${this.#units}`) }
  }

  async #failures(field: Field): Promise<Pick<PlannedWork, 'failed' | 'failures'>> {
    const failed = await this.#scalar(() => `SELECT count(*) FROM ${this.#units} WHERE failed`)
    if (failed === 0) return { failed, failures: [] }
    const first = `SELECT unit, documents FROM ${this.#units} WHERE failed ORDER BY unit LIMIT ${KEPT_FAILURES}`
    const rows = await this.#reader.rows(
      `SELECT v, documents FROM (${first}) JOIN ${VALUES} USING (unit) ORDER BY unit`,
    )
    const failures = rows.map(([value, documents]) =>
      limitFailure(this.#task, Number(documents), { field, value: toScalar(value, field) }),
    )
    return { failed, failures }
  }

  /** Joins the statements for each table with UNION ALL. */
  #parts(
    predicate: Predicate,
    sql: SqlBuilder,
    compile: (table: IndexTable, number: number, condition: string) => readonly string[],
  ): string {
    return this.#tables
      .flatMap((table, number) => compile(table, number, compileSelection(predicate, table, sql)))
      .join(' UNION ALL ')
  }

  #run(compile: (sql: SqlBuilder) => string): Promise<DuckDBValue[][]> {
    return withSql((sql) => this.#reader.rows(compile(sql), sql.values))
  }

  async #scalar(compile: (sql: SqlBuilder) => string): Promise<number> {
    const [row] = await this.#run(compile)
    return Number(row?.[0] ?? 0)
  }
}

/** Selects the given columns and `v`, one row for each value, or each distinct value, of each document. */
function valueRows(
  field: Field,
  table: IndexTable,
  condition: string,
  columns: readonly string[],
  which: 'all' | 'distinct',
): readonly string[] {
  const layout = table.field(field)
  const select = (value: string, where: string): string =>
    `SELECT ${[...columns, `${value} AS v`].join(', ')} FROM ${table.table} WHERE ${condition} AND ${where}`
  // Bound values must be used, even if the index lacks the field.
  if (!layout) return [select(`CAST(NULL AS ${sqlTypeOf[field.type] ?? 'VARCHAR'})`, 'FALSE')]
  const { column } = layout
  if (!layout.several) return [select(column, `${column} IS NOT NULL`)]
  const list = which === 'distinct' ? `list_distinct(${listOf(layout)})` : listOf(layout)
  return [
    select(column, `${column} IS NOT NULL AND NOT (${hasSeveral(layout)})`),
    select(`unnest(${list})`, hasSeveral(layout)),
  ]
}

function toScalar(value: DuckDBValue | undefined, { type }: Field): Scalar {
  if (isInteger(type)) return BigInt(value as number | bigint)
  if (typeof value === 'boolean' || typeof value === 'string') return value
  return Number(value)
}
