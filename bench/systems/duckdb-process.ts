import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'

// Answers {id, sql, writes} with {id, rows, ms} or {id, error}. Arguments: data directory, number of threads.
// `ms` ends when all rows are in this process; printing them is not part of it.

const [directory = '.', threads = '1'] = process.argv.slice(2)
await mkdir(directory, { recursive: true })
const instance = await DuckDBInstance.create(join(directory, 'bench.duckdb'), { threads })
const reader = laneOf(await instance.connect())
const writer = laneOf(await instance.connect())

for await (const line of createInterface({ input: process.stdin })) {
  const { id, sql, writes }: Asked = JSON.parse(line)
  const lane = writes === true ? writer : reader
  // Not awaited: reads go on during a write.
  void lane(sql).then(
    ({ rows, ms }) => print({ id, rows, ms }),
    (error: unknown) => print({ id, error: String(error) }),
  )
}
// The input was closed: what was asked before is still answered.
await Promise.allSettled([reader('SELECT 1'), writer('SELECT 1')])
instance.closeSync()

interface Asked {
  readonly id: number
  readonly sql: string
  readonly writes?: boolean
}

interface Result {
  readonly rows: readonly (readonly DuckDBValue[])[]
  readonly ms: number
}

/** Runs statements of one connection one after another; a second one would occupy a thread to wait. */
function laneOf(connection: DuckDBConnection): (sql: string) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (sql) => {
    const run = last.then(async () => {
      const started = performance.now()
      const result = await connection.runAndReadAll(sql)
      const ms = performance.now() - started
      return { rows: result.getRows(), ms }
    })
    last = run.catch(() => undefined)
    return run
  }
}

/** Sums of integers are bigints; the numbers of the benchmark are safe integers. */
function print(reply: object): void {
  const text = JSON.stringify(reply, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  process.stdout.write(`${text}\n`)
}
