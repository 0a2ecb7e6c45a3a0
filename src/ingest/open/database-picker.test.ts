import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pickWithDatabase } from './database-picker.ts'
import { pickFromFile } from './row-picker.ts'

let folder = ''
let file = ''
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'periplus-pick-'))
  file = path.join(folder, "it's.parquet")
  await write(
    file,
    `SELECT i, i::TINYINT % 100 AS small, -i * 9007199254740993 AS large, i / 7 AS ratio, (i / 7)::FLOAT AS half,
      CASE WHEN i % 3 > 0 THEN 'é' || i END AS text, i % 2 = 0 AS even, DATE '1965-01-01' + i::INTEGER AS day,
      TIMESTAMP '1969-12-31 23:59:58.123456' + INTERVAL (i) SECOND AS time, TIMESTAMPTZ '2020-01-01' AS zoned,
      [i, NULL, 3] AS list, {'a b': i, 'c': NULL::VARCHAR} AS struct,
      CASE WHEN i % 5 > 0 THEN ('POINT(' || i || ' 1.5)')::GEOMETRY END AS geometry FROM range(0, 100) r(i)`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function write(to: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (${sql}) TO '${to.replaceAll("'", "''")}' (ROW_GROUP_SIZE 2048)`)
  connection.closeSync()
  instance.closeSync()
}

it('reads rows like the reader that loads files', async () => {
  const picker = await pickWithDatabase(file)
  const slow = await pickFromFile(file)
  for (const positions of [[0], [3, 50, 99], [10, 11, 12]]) {
    expect(await picker?.pick(positions)).toEqual(await slow.pick(positions))
  }
  const found = await picker?.pick([7])
  expect(found?.get(7)).toMatchObject({ i: 7, geometry: { type: 'Point', coordinates: [7, 1.5] }, list: [7, null, 3] })
})

it('leaves columns of other types to the other reader', async () => {
  const other = path.join(folder, 'other.parquet')
  await write(other, "SELECT 1 AS id, 2.50::DECIMAL(9, 2) AS price, TIME '10:00' AS clock")
  expect(await pickWithDatabase(other)).toBeUndefined()
})
