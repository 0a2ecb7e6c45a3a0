import type { DuckDBValue } from '@duckdb/node-api'
import type { Predicate, Scalar } from '../../../query/plan/predicate.ts'
import { type Field, isInteger } from '../../../query/schema/field.ts'
import { limitFailure } from '../../tag-failures.ts'
import { type Failure, KEPT_FAILURES } from '../../tag-store.ts'
import type { TagTask } from '../../tag-task.ts'
import { type LocatedRows, locateRows } from '../condition/located-rows.ts'
import { compileSelections } from '../condition/selection-sql.ts'
import { lookUpIn } from '../condition/snapshot.ts'
import type { Reader } from '../database/reader.ts'
import { type SqlBuilder, withSql } from '../database/sql-builder.ts'
import type { IndexTable } from '../index/index-table.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import { sqlTypeOf } from '../index/table-layout.ts'
import { unitTable, workTable } from './tag-tables.ts'

/** What a plan came to. */
export interface PlannedWork {
  readonly units: number
  /** Entries of the work list. */
  readonly entries: number
  /** Units that are over the limit; the failures are those of the first. */
  readonly failed: number
  readonly failures: readonly Failure[]
}

/** Temporary tables of the connection that plans. */
const VALUES = 'plan_values'
const COUNTS = 'plan_counts'

/**
 * PLAN inside the transaction of `reader`: units and work list are written by the database itself, so that memory does
 * not grow with either. A plan without units writes nothing.
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
 * Units come in their order, but the documents of small ones lie all over a large table: taken one unit after the other,
 * each batch would look through all of it. There the units of a block are done together, as their rows lie.
 */
export interface BlockLimits {
  /** Documents from which on a table is large. */
  readonly from: number
  /** Blocks hold this share of its documents, or one unit. */
  readonly share: number
}

class Planner {
  readonly #reader: Reader
  readonly #tables: readonly IndexTable[]
  readonly #task: TagTask
  /** Entries of a block; 0: every unit is one. */
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
    const { target, propagation } = this.#task
    const located = await this.#locate(target)
    if (!propagation) return this.#planOne(located)
    const units = await this.#findValues(propagation.field, propagation.selection)
    if (units === 0) return { units, entries: 0, failed: 0, failures: [] }
    await this.#planUnits(propagation.field, located)
    return { units, ...(await this.#entries()), ...(await this.#failures(propagation.field)) }
  }

  /** Without propagation there is one unit, of all documents. */
  async #planOne(located: LocatedRows): Promise<PlannedWork> {
    const { target, maxHits } = this.#task
    const rows = (sql: SqlBuilder): string =>
      this.#parts(target, located, sql, (table, number, condition) => [
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

  /** Numbers the distinct values in their order; answers how many. */
  async #findValues(field: Field, selection: Predicate): Promise<number> {
    const located = await this.#locate(selection)
    const sqlType = sqlTypeOf[field.type] ?? 'VARCHAR'
    await this.#reader.rows(`CREATE TEMP TABLE ${VALUES} (unit BIGINT, v ${sqlType})`)
    await this.#run((sql) => {
      const values = this.#parts(selection, located, sql, (table, _number, condition) =>
        valueRows(field, table, condition, [], 'all'),
      )
      return `INSERT INTO ${VALUES} SELECT row_number() OVER () - 1, v FROM (SELECT DISTINCT v FROM (${values}) ORDER BY v)`
    })
    return this.#scalar(() => `SELECT count(*) FROM ${VALUES}`)
  }

  async #planUnits(field: Field, located: LocatedRows): Promise<void> {
    const { target, maxHits } = this.#task
    const pairs = (columns: readonly string[], sql: SqlBuilder): string =>
      this.#parts(target, located, sql, (table, number, condition) =>
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

  /** Entries in the order of blocks, those of a block as their rows lie: neighbours are changed together. */
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

  #locate(predicate: Predicate): Promise<LocatedRows> {
    return locateRows(predicate, this.#tables, lookUpIn(this.#reader))
  }

  /** The statements for each part of each table, united. */
  #parts(
    predicate: Predicate,
    located: LocatedRows,
    sql: SqlBuilder,
    compile: (table: IndexTable, number: number, condition: string) => readonly string[],
  ): string {
    return this.#tables
      .flatMap((table, number) =>
        compileSelections(predicate, table, located, sql).flatMap((condition) => compile(table, number, condition)),
      )
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

/** Rows of the given columns and `v`, one for each value, or each distinct value, of each document. */
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
  // A part that binds values has to use them, also where the index lacks the field.
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
