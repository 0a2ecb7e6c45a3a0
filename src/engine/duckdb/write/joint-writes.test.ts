import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../database/database.ts'
import { JointWrites } from './joint-writes.ts'

interface Numbers {
  readonly operations: readonly number[]
  readonly planned: boolean
}

let directory: string
let database: Database
/** Number of writes in each transaction. */
let transactions: number[]
let canJoin: boolean
let writes: JointWrites<Numbers, number>

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-joint-'))
  database = await Database.open({ directory, memoryMiB: 128, threads: 1, concurrency: 1 })
  await database.write((connection) => connection.run('CREATE TABLE numbers (n INTEGER CHECK (n < 100))'))
  transactions = []
  canJoin = true
  writes = new JointWrites({
    database,
    canJoin: async () => canJoin,
    carryOut: async (transact, _index, waiting) => {
      transactions.push(waiting.length)
      await transact(async (connection) => {
        for (const { operations } of waiting) {
          for (const n of operations.slice(0, 3)) await connection.run(`INSERT INTO numbers VALUES (${n})`)
        }
      })
      return waiting.map(({ operations }) => operations[0] ?? 0)
    },
  })
})

afterEach(async () => {
  await database.close({ checkpoint: false })
  rmSync(directory, { recursive: true })
})

const add = (operations: readonly number[], planned = true): Promise<number> =>
  writes.write('things', { operations, planned })

const stored = (): Promise<readonly unknown[]> =>
  database.read(undefined, async (reader) => (await reader.rows('SELECT n FROM numbers ORDER BY n', [])).flat())

describe('writes that wait', () => {
  it('share a transaction, and are told their own outcome', async () => {
    expect(await Promise.all([add([1]), add([2, 3]), add([4])])).toEqual([1, 2, 4])
    expect(transactions).toEqual([3])
    expect(await stored()).toEqual([1, 2, 3, 4])
  })

  it('have their own when they are not worked out, or cannot join any more', async () => {
    await Promise.all([add([1], false), add([2]), add([3], false), add([4])])
    expect(transactions).toEqual([1, 2, 1])
    canJoin = false
    await Promise.all([add([5]), add([6])])
    expect(transactions).toEqual([1, 2, 1, 1, 1])
    expect(await stored()).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('fail for their own faults only', async () => {
    const outcomes = await Promise.allSettled([add([1]), add([2, 100]), add([3])])
    expect(outcomes.map((o) => o.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(transactions).toEqual([3, 1, 1, 1])
    expect(await stored()).toEqual([1, 3])
  })

  it('are not gathered without end', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => i % 100)
    await Promise.all([add(many), add(many), add([7])])
    expect(transactions).toEqual([1, 2])
  })
})
