import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countRounds, keepBusy } from '../../../turn.fixture.ts'
import { Database } from './database.ts'
import { soughtKeys } from './sought-keys.ts'
import { NUMBER } from './sought-rows.ts'
import { type RowKeys, type RowTest, SqlBuilder } from './sql-builder.ts'
import { doublesOf } from './vector-items.ts'

const ROWS = 300_000

let directory: string
let database: Database

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-reader-'))
  database = await Database.open({ directory, memoryMiB: 128, threads: 2, concurrency: 2 })
  await database.write((connection) =>
    connection.run(`CREATE TABLE t AS SELECT i AS _seq, i % 11 AS v FROM range(${ROWS}) r(i)`),
  )
})

afterAll(async () => {
  await database.close({ checkpoint: true })
  rmSync(directory, { recursive: true })
})

const SELECTION = {}

/** Tests the rows with a value below 8. */
const test = (matches: (v: number) => boolean): RowTest => ({
  selection: SELECTION,
  predicate: matches,
  table: 't',
  candidates: (sql) => `SELECT ${NUMBER}, CAST(v AS DOUBLE) FROM t WHERE v < ${sql.bind(8, 'BIGINT')}`,
  test: (chunk) => {
    const values = doublesOf(chunk.getColumnVector(1))
    return (row) => matches(values[row] ?? 0)
  },
})

/** Two keys for each row with a value below 3. */
const keys = (keyOf: (v: number) => number, refuse = (): void => undefined): RowKeys => ({
  table: 't',
  candidates: (window, sql) =>
    `SELECT ${NUMBER}, CAST(v AS DOUBLE) FROM t WHERE ${window} AND v < ${sql.bind(3, 'BIGINT')}`,
  keys: (chunk) => {
    const values = doublesOf(chunk.getColumnVector(1))
    return (row, take) => {
      const key = BigInt(keyOf(values[row] ?? 0))
      take(key)
      take(key + 100n)
    }
  },
  refuse,
})

const countOf = async (sought: RowTest, where = 'TRUE'): Promise<unknown> => {
  const sql = new SqlBuilder()
  const text = `SELECT count(*) FROM t WHERE ${sql.seek(sought)} AND ${where}`
  return (await database.read(undefined, (reader) => reader.rows(text, sql.values)))[0]?.[0]
}

const countKeys = (sought: RowKeys): Promise<unknown[][]> => {
  const sql = new SqlBuilder()
  const relation = soughtKeys(sql.seekKeys(sought), false)
  const text = `SELECT _sought_key, v, count(*) FROM t JOIN ${relation} ON _sought_seq = _seq GROUP BY ALL ORDER BY 1`
  return database.read(undefined, (reader) => reader.rows(text, sql.values))
}

/** Number of rows with a value. */
const having = (v: number): bigint => BigInt(Math.floor((ROWS - 1 - v) / 11) + 1)

describe('rows that a test in JavaScript accepts', () => {
  it('are told to the statement', async () => {
    const below5 = [0, 1, 2, 3, 4].reduce((sum, v) => sum + having(v), 0n)
    expect(await countOf(test((v) => v < 5))).toBe(below5)
    expect(
      await countOf(
        test(() => false),
        'TRUE',
      ),
    ).toBe(0n)
    expect(
      await countOf(
        test((v) => v === 7),
        'v > 5',
      ),
    ).toBe(having(7))
  })

  it('are found once in a snapshot', async () => {
    let calls = 0
    const sought = test((v) => {
      calls++
      return v === 2
    })
    const sql = new SqlBuilder()
    const text = `SELECT count(*) FROM t WHERE ${sql.seek(sought)}`
    const counts = await database.read(undefined, async (reader) => [
      await reader.rows(text, sql.values),
      await reader.rows(text, sql.values),
    ])
    expect(counts).toEqual([[[having(2)]], [[having(2)]]])
    expect(calls).toBe(Number([0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, v) => sum + having(v), 0n)))
  })

  it('are found in turns', async () => {
    let busy = 0
    const slow = test(() => {
      if (busy++ < 100) keepBusy(1)
      return true
    })
    expect(await countRounds(() => countOf(slow))).toBeGreaterThan(20)
  })

  it('end with the signal', async () => {
    const controller = new AbortController()
    const sql = new SqlBuilder()
    const endless = test(() => {
      keepBusy(1)
      return true
    })
    const text = `SELECT count(*) FROM t WHERE ${sql.seek(endless)}`
    const reading = database.read(controller.signal, (reader) => reader.rows(text, sql.values))
    setTimeout(() => controller.abort(new Error('enough')), 30)
    await expect(reading).rejects.toThrow('enough')
    expect(await countOf(test((v) => v === 3))).toBe(having(3))
  })
})

describe('keys that JavaScript computes', () => {
  it('are joined to the rows, also of the last window, and the same statement serves again', async () => {
    const once = [0, 1, 2].map((v) => [BigInt(v + 7), BigInt(v), having(v)])
    const expected = [...once, ...once.map(([key = 0n, ...others]) => [key + 100n, ...others])]
    for (let time = 0; time < 3; time++) expect(await countKeys(keys((v) => v + 7))).toEqual(expected)
  })

  it('are computed in turns', async () => {
    let busy = 0
    const slow = keys((v) => {
      if (busy++ < 100) keepBusy(1)
      return v
    })
    expect(await countRounds(() => countKeys(slow))).toBeGreaterThan(20)
  })

  it('are refused when they do not fit into memory', async () => {
    const many: RowKeys = {
      ...keys(
        () => 0,
        () => {
          throw new Error('too many keys')
        },
      ),
      keys: () => (_row, take) => {
        for (let i = 0; i < 1000; i++) take(1n)
      },
    }
    await expect(countKeys(many)).rejects.toThrow('too many keys')
    expect(await countKeys(keys((v) => v))).toHaveLength(6)
  })
})
