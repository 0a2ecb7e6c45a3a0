import { type DuckDBConnection, DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import { Type } from 'typebox'
import { parseStored } from '../../../model/json/stored-json.ts'
import type { UnderWay } from '../../tag-store.ts'
import { type Failure, type FailureType, KEPT_FAILURES, type TagPosition, type TagStatus } from '../../tag-store.ts'
import type { TagTask } from '../../tag-task.ts'
import { type Run, SCHEMA } from '../database/bookkeeping.ts'

/** Progress of a plan, in entries of its work list. */
export interface Cursor {
  readonly done: number
  readonly total: number
}

/** A stored plan. Its units and its work list are separate tables, which are dropped with it. */
export interface StoredPlan extends UnderWay {
  readonly id: string
}

const DEFINITIONS = [
  'tag_position (collection VARCHAR, run BIGINT, next_offset BIGINT)',
  'tag_replay (collection VARCHAR, run BIGINT, from_offset BIGINT, accepted_ms BIGINT)',
  `tag_status (id VARCHAR, log_offset BIGINT, collection VARCHAR, run BIGINT, propagated BIGINT, nb_request BIGINT,
    updated BIGINT, failed BIGINT, unit_done BIGINT, unit_total BIGINT, start_ms BIGINT, end_ms BIGINT,
    finished BOOLEAN, done BIGINT, total BIGINT)`,
  'tag_failure (id VARCHAR, n INTEGER, document VARCHAR, message VARCHAR, type VARCHAR)',
  `tag_plan (collection VARCHAR, log_offset BIGINT, run BIGINT, start_ms BIGINT, indices VARCHAR, id_path VARCHAR,
    id VARCHAR)`,
]

/** Creates the tables in a new database. No primary keys: rows are rewritten by deleting and inserting them. */
export async function makeTagTables(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`)
  for (const definition of DEFINITIONS) await connection.run(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.${definition}`)
}

type PlanKey = Pick<UnderWay, 'offset' | 'run'>

/** Work list by entry number `n`: unit, number of the index, row number and id of the document. */
export const workTable = ({ offset, run }: PlanKey): string => `${SCHEMA}.tag_work_${offset}_${run}`

/** Units by number: number of documents, whether it failed, its block, and the end of the block's entries. */
export const unitTable = ({ offset, run }: PlanKey): string => `${SCHEMA}.tag_unit_${offset}_${run}`

export async function readPositions(run: Run, collection?: string): Promise<readonly TagPosition[]> {
  const where = collection === undefined ? '' : ' WHERE collection = $1'
  const values = collection === undefined ? [] : [collection]
  const rows = await run(`SELECT collection, run, next_offset FROM ${SCHEMA}.tag_position${where}`, values)
  const sql = `SELECT collection, run, from_offset, accepted_ms FROM ${SCHEMA}.tag_replay${where} ORDER BY run`
  const replays = await run(sql, values)
  return rows.map(([name, number, next]) => ({
    collection: String(name),
    run: Number(number),
    nextOffset: Number(next),
    replays: replays
      .filter(([of]) => of === name)
      .map(([, of, from, at]) => ({ run: Number(of), fromOffset: Number(from), acceptedMs: Number(at) })),
  }))
}

export async function savePosition(run: Run, position: Omit<TagPosition, 'replays'>): Promise<void> {
  const { collection, run: number, nextOffset } = position
  await run(`DELETE FROM ${SCHEMA}.tag_position WHERE collection = $1`, [collection])
  const values = [collection, BigInt(number), BigInt(nextOffset)]
  await run(`INSERT INTO ${SCHEMA}.tag_position VALUES ($1, $2, $3)`, values)
}

/** Stores a replay. Deletes earlier ones that it covers. */
export async function saveReplay(run: Run, collection: string, replay: TagPosition['replays'][number]): Promise<void> {
  const from = BigInt(replay.fromOffset)
  await run(`DELETE FROM ${SCHEMA}.tag_replay WHERE collection = $1 AND from_offset >= $2`, [collection, from])
  const values = [collection, BigInt(replay.run), from, BigInt(replay.acceptedMs)]
  await run(`INSERT INTO ${SCHEMA}.tag_replay VALUES ($1, $2, $3, $4)`, values)
}

/** Advances the position after a record, unless a replay requested meanwhile covers the record again. */
export async function finishRecord(run: Run, collection: string, { offset, run: number }: PlanKey): Promise<void> {
  const [position] = await readPositions(run, collection)
  if (position?.replays.some((replay) => replay.run > number && replay.fromOffset <= offset)) return
  await savePosition(run, { collection, run: position?.run ?? number, nextOffset: offset + 1 })
}

export async function readStatus(run: Run, id: string): Promise<(TagStatus & Cursor) | undefined> {
  const [row] = await run(`SELECT * FROM ${SCHEMA}.tag_status WHERE id = $1`, [id])
  if (!row) return undefined
  const number = (place: number): number => Number(row[place])
  const failures = number(7) > 0 ? await readFailures(run, id) : []
  return {
    id,
    offset: number(1),
    collection: String(row[2]),
    run: number(3),
    propagated: number(4),
    nbRequest: number(5),
    updated: number(6),
    failed: number(7),
    failures,
    unitDone: number(8),
    unitTotal: number(9),
    startMs: number(10),
    endMs: number(11),
    finished: row[12] === true,
    done: number(13),
    total: number(14),
  }
}

async function readFailures(run: Run, id: string): Promise<readonly Failure[]> {
  const sql = `SELECT document, message, type FROM ${SCHEMA}.tag_failure WHERE id = $1 ORDER BY n`
  return (await run(sql, [id])).map(([document, message, type]) => ({
    id: String(document),
    message: String(message),
    type: String(type) as FailureType,
  }))
}

/** Replaces the stored status. `before`: number of its failures already stored. Undefined: replaces all failures. */
export async function saveStatus(run: Run, status: TagStatus & Cursor, before?: number): Promise<void> {
  const { id } = status
  await run(`DELETE FROM ${SCHEMA}.tag_status WHERE id = $1`, [id])
  const numbers = [
    status.propagated,
    status.nbRequest,
    status.updated,
    status.failed,
    status.unitDone,
    status.unitTotal,
    status.startMs,
    status.endMs,
  ].map(BigInt)
  const head = [id, BigInt(status.offset), status.collection, BigInt(status.run)]
  const values = [...head, ...numbers, status.finished, BigInt(status.done), BigInt(status.total)]
  const places = values.map((_, i) => `$${i + 1}`).join(', ')
  await run(`INSERT INTO ${SCHEMA}.tag_status VALUES (${places})`, values)
  if (before === undefined) await run(`DELETE FROM ${SCHEMA}.tag_failure WHERE id = $1`, [id])
  await addFailures(run, id, before ?? 0, status.failures.slice(before ?? 0, KEPT_FAILURES))
}

async function addFailures(run: Run, id: string, from: number, failures: readonly Failure[]): Promise<void> {
  if (failures.length === 0) return
  const list = (values: readonly DuckDBValue[]): DuckDBListValue => new DuckDBListValue(values)
  const numbers = list(failures.map((_, i) => from + i))
  const texts = [failures.map((f) => f.id), failures.map((f) => f.message), failures.map((f) => f.type)].map(list)
  const columns = ['unnest(CAST($2 AS INTEGER[]))', ...[3, 4, 5].map((i) => `unnest(CAST($${i} AS VARCHAR[]))`)]
  await run(`INSERT INTO ${SCHEMA}.tag_failure SELECT $1, ${columns.join(', ')}`, [id, numbers, ...texts])
}

const Names = Type.Array(Type.String())

export async function readPlans(run: Run, collection?: string): Promise<readonly StoredPlan[]> {
  const where = collection === undefined ? '' : ' WHERE collection = $1'
  const sql = `SELECT collection, log_offset, run, start_ms, indices, id_path, id FROM ${SCHEMA}.tag_plan${where}`
  const rows = await run(sql, collection === undefined ? [] : [collection])
  return rows.map(([name, offset, number, startMs, indices, idPath, id]) => ({
    collection: String(name),
    offset: Number(offset),
    run: Number(number),
    startMs: Number(startMs),
    indices: parseStored(Names, String(indices), `plan of request ${id}`),
    idPath: String(idPath),
    id: String(id),
  }))
}

export const planOf = ({ record, run, startMs, indices, idPath }: TagTask): StoredPlan => ({
  collection: record.collection,
  offset: record.offset,
  run,
  startMs,
  indices,
  idPath,
  id: record.id,
})

export async function savePlan(run: Run, plan: StoredPlan): Promise<void> {
  const numbers = [BigInt(plan.offset), BigInt(plan.run), BigInt(plan.startMs)]
  const values = [plan.collection, ...numbers, JSON.stringify(plan.indices), plan.idPath, plan.id]
  await run(`INSERT INTO ${SCHEMA}.tag_plan VALUES ($1, $2, $3, $4, $5, $6, $7)`, values)
}

export async function removePlan(run: Run, plan: Pick<StoredPlan, 'collection' | 'offset' | 'run'>): Promise<void> {
  await run(`DELETE FROM ${SCHEMA}.tag_plan WHERE collection = $1`, [plan.collection])
  await run(`DROP TABLE IF EXISTS ${workTable(plan)}`)
  await run(`DROP TABLE IF EXISTS ${unitTable(plan)}`)
}
