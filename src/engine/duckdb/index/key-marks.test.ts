import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seed } from '../../../../test/support/seed.ts'
import { joinNear } from '../condition/key-cover.ts'
import type { KeyMarks } from './index-definition.ts'
import { mostRowsBetween, readKeyMarks } from './key-marks.ts'
import type { TableLayout } from './table-layout.ts'

const KEYS = 1n << 58n

/** Marks that arranging would store for rows with these keys. */
async function marksOf(keys: readonly bigint[]): Promise<KeyMarks | undefined> {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run('CREATE TABLE t (_seq BIGINT, p_key UBIGINT)')
  const rows = keys.map((key, i) => `(${i}, ${key})`)
  if (rows.length > 0) await connection.run(`INSERT INTO t VALUES ${rows.join(', ')}, (${rows.length}, NULL)`)
  const layout: TableLayout = {
    fields: [{ path: 'p', type: 'GEO_POINT', column: 'p', several: false }],
    columns: [],
  }
  try {
    return await readKeyMarks(connection, { table: 't', layout, documents: keys.length + 1 })
  } finally {
    connection.closeSync()
  }
}

describe('marks of keys', () => {
  it('never tell of fewer rows than there are', async () => {
    const key = fc.oneof(fc.bigInt({ min: 0n, max: KEYS - 1n }), fc.bigInt({ min: KEYS / 2n, max: KEYS / 2n + 99n }))
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 700 }), key, key, async (keys, a, b) => {
        const marks = await marksOf(keys.toSorted((x, y) => (x < y ? -1 : 1)))
        const [first, last] = a < b ? [a, b] : [b, a]
        const between = keys.filter((k) => k >= first && k <= last).length
        expect(marks && mostRowsBetween(marks, first, last)).toBeGreaterThanOrEqual(between)
      }),
      { seed, numRuns: 40 },
    )
  })

  it('are few, and tell of hardly more rows than there are', async () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => (KEYS / 10_000n) * BigInt(i))
    const marks = await marksOf(keys)
    expect(marks?.tiles.length).toBeLessThanOrEqual(256)
    expect(marks && mostRowsBetween(marks, keys[2_000] ?? 0n, keys[4_000] ?? 0n)).toBeLessThan(2_100)
  })
})

describe('ranges of keys', () => {
  const tile = (n: bigint) => ({ first: n << 26n, last: ((n + 1n) << 26n) - 1n })
  const ranges = [tile(10n), tile(20n), tile(40n)]
  const keyMarks = { every: 40_000, tiles: [5, 15, 25, 30, 35, 45] }

  it('are joined where few rows lie between them', () => {
    expect(joinNear(ranges, { arrangedSeq: 240_000, keyMarks })).toEqual([
      { first: tile(10n).first, last: tile(20n).last },
      tile(40n),
    ])
  })

  it('stay apart where nothing is known, and are one where rows lie anywhere', () => {
    expect(joinNear(ranges, { arrangedSeq: 240_000 })).toEqual(ranges)
    expect(joinNear(ranges, { arrangedSeq: 0 })).toEqual([{ first: tile(10n).first, last: tile(40n).last }])
  })
})
