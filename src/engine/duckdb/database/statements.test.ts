import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance, type DuckDBMaterializedResult } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Statements } from './statements.ts'

let instance: DuckDBInstance
let connection: DuckDBConnection
let statements: Statements

beforeEach(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  statements = new Statements(connection)
})

afterEach(() => {
  statements.closeSync()
  instance.closeSync()
})

const ask = async (sql: string, ...values: readonly (number | string)[]): Promise<unknown> =>
  (await statements.run(sql, values)).getRows()

describe('statements', () => {
  it('prepares a text once, and binds it anew each time', async () => {
    const prepare = vi.spyOn(connection, 'prepare')
    for (const n of [1, 2, 3]) expect(await ask('SELECT CAST($1 AS INTEGER) + 1', n)).toEqual([[n + 1]])
    expect(prepare).toHaveBeenCalledTimes(1)
  })

  it('runs one text several times at once, each with its own values', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => ask('SELECT CAST($1 AS INTEGER)', n)))
    expect(answers).toEqual([[[1]], [[2]], [[3]], [[4]]])
    expect(await ask('SELECT CAST($1 AS INTEGER)', 5)).toEqual([[5]])
  })

  it('sees a table as it is, whatever has become of it since', async () => {
    const sql = 'SELECT * FROM t WHERE a >= CAST($1 AS INTEGER)'
    await connection.run('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)')
    expect(await ask(sql, 0)).toEqual([[1]])
    await connection.run('ALTER TABLE t ADD COLUMN b VARCHAR')
    expect(await ask(sql, 0)).toEqual([[1, null]])
    await connection.run('DROP TABLE t')
    await expect(ask(sql, 0)).rejects.toThrow(/^Catalog Error/)
    await connection.run("CREATE TABLE t (a INTEGER, c VARCHAR); INSERT INTO t VALUES (7, 'new')")
    expect(await ask(sql, 0)).toEqual([[7, 'new']])
  })

  it('sees values that nothing told of when it was prepared', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'periplus-statements-'))
    const path = join(directory, 'a.duckdb')
    const before = await DuckDBInstance.create(path)
    const writer = await before.connect()
    await writer.run('CREATE TABLE t (a INTEGER, b INTEGER); INSERT INTO t SELECT i, i FROM range(10) r(i)')
    writer.closeSync()
    before.closeSync()
    // Only data read from disk has statistics, which let the planner drop conditions.
    const stored = await DuckDBInstance.create(path)
    const [other, own] = [await stored.connect(), new Statements(await stored.connect())]
    const questions = [
      'SELECT count(*) FROM t WHERE a IS NULL AND b < CAST($1 AS INTEGER)',
      'SELECT count(*) FROM t WHERE (a > 100 OR a IS NULL) AND b < CAST($1 AS INTEGER)',
      'SELECT max(a) FROM t WHERE CAST($1 AS INTEGER) > 0',
    ]
    const answers = async (run: (sql: string) => Promise<DuckDBMaterializedResult>): Promise<unknown[]> =>
      Promise.all(questions.map(async (sql) => (await run(sql)).getRowsJS()))
    const kept = (): Promise<unknown[]> => answers((sql) => own.run(sql, [1_000]))
    expect(await kept()).toEqual([[[0n]], [[0n]], [[9]]])
    // DuckDB does not replan a statement without parameters, so such statements are not kept.
    expect(await answers((sql) => own.run(sql.replace('CAST($1 AS INTEGER)', '1000'), []))).toEqual(await kept())
    await other.run('INSERT INTO t VALUES (NULL, 5), (200, 6)')
    expect(await kept()).toEqual([[[1n]], [[2n]], [[200]]])
    expect(await answers((sql) => own.run(sql.replace('CAST($1 AS INTEGER)', '1000'), []))).toEqual(await kept())
    other.closeSync()
    own.closeSync()
    stored.closeSync()
    await rm(directory, { recursive: true })
  })

  it('goes on after values that cannot be taken', async () => {
    const sql = 'SELECT CAST($1 AS INTEGER)'
    await expect(ask(sql, 'no number')).rejects.toThrow(/Conversion Error/)
    expect(await ask(sql, 3)).toEqual([[3]])
  })

  it('forgets what was not asked for longest, and what is too long to be asked again', async () => {
    const prepare = vi.spyOn(connection, 'prepare')
    const one = (n: number): string => `SELECT ${n} + CAST($1 AS INTEGER)`
    for (let n = 0; n < 100; n++) await ask(one(n), 1)
    prepare.mockClear()
    expect(await ask(one(99), 1)).toEqual([[100]])
    expect(prepare).toHaveBeenCalledTimes(0)
    expect(await ask(one(0), 1)).toEqual([[1]])
    expect(prepare).toHaveBeenCalledTimes(1)
    const long = `SELECT CAST($1 AS INTEGER)${' '.repeat(5_000)}`
    for (const n of [1, 2]) expect(await ask(long, n)).toEqual([[n]])
    expect(prepare).toHaveBeenCalledTimes(3)
  })
})
