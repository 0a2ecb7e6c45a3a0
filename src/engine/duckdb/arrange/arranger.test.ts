import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping } from '../../../model/mapping.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import type { Engine, WriteOperation } from '../../engine.ts'
import { openDuckdbEngine } from '../engine.ts'

let directory: string
let engine: Engine
const faults: unknown[] = []

const open = (): Promise<Engine> =>
  openDuckdbEngine({
    directory,
    memoryMiB: 512,
    threads: 2,
    concurrency: 4,
    onBackgroundFault: (error) => faults.push(error),
  })

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-arranger-'))
  faults.length = 0
  engine = await open()
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
  expect(faults).toEqual([])
})

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    seen: { type: 'date' },
    where: { type: 'geo_point' },
  },
}

const KINDS = ['ferry', 'tug', 'yacht']

function ship(n: number, kind = KINDS[n % KINDS.length] ?? ''): WriteOperation {
  const source = {
    id: `s${n}`,
    kind,
    seen: 1_700_000_000_000 + n * 60_000,
    where: `${(n % 170) - 85},${(n % 360) - 180}`,
  }
  return { kind: 'index', id: source.id, source }
}

const ships = (from: number, to: number): readonly WriteOperation[] =>
  Array.from({ length: to - from }, (_, i) => ship(from + i))

const ofKind = (value: string): Predicate => ({
  kind: 'equals',
  field: { path: 'kind', type: 'KEYWORD', indexed: true, nested: false },
  values: [value],
})

const count = (predicate: Predicate): Promise<number> => engine.count({ indices: ['ships'], predicate })

async function version(): Promise<number> {
  const [info] = await engine.indices('ships')
  return Number(info?.version?.split('.')[1])
}

describe('an index that is put in order', () => {
  it('takes writes meanwhile, and holds what they made of it', async () => {
    await engine.createIndex('ships', mapping)
    await engine.write('ships', ships(0, 20_000))
    let arranged = false
    const arranging = engine.arrange('ships').then(() => {
      arranged = true
    })
    let meanwhile = 0
    for (let i = 0; !arranged; i++) {
      const removed: WriteOperation = { kind: 'delete', id: `s${3 * i}` }
      await engine.write('ships', [ship(20_000 + i, 'new'), ship(3 * i + 1, 'changed'), removed])
      if (!arranged) meanwhile++
    }
    await arranging
    expect(meanwhile).toBeGreaterThan(1)
    // Later rows must not overlap the rows added meanwhile.
    await engine.write('ships', ships(10_000, 10_100))

    const check = async (): Promise<void> => {
      const rounds = await count(ofKind('new'))
      expect(rounds).toBeGreaterThanOrEqual(meanwhile)
      expect(await count(everything)).toBe(20_000)
      expect(await count(ofKind('changed'))).toBe(rounds)
      expect(await count(ofKind('ferry'))).toBe(Math.ceil(20_000 / 3) - rounds)
      expect(await engine.document('ships', 's0')).toBeUndefined()
      expect((await engine.document('ships', 's1'))?.source).toMatchObject({ kind: 'changed' })
      for (let i = 20_000; i < 20_000 + rounds; i++) {
        expect((await engine.document('ships', `s${i}`))?.source).toMatchObject({ id: `s${i}`, kind: 'new' })
      }
      expect((await engine.document('ships', 's19999'))?.source).toMatchObject({ id: 's19999' })
    }
    await check()
    await engine.close()
    engine = await open()
    await check()
    await engine.arrange('ships')
    await check()
  })

  it('may be changed in other ways meanwhile', async () => {
    await engine.createIndex('ships', mapping)
    await engine.write('ships', ships(0, 5_000))
    const arranging = engine.arrange('ships')
    // Arranging has started once this write is done.
    await engine.write('ships', ships(0, 1))
    await engine.extendMapping('ships', { properties: { length: { type: 'integer' } } })
    await engine.write('ships', [{ kind: 'index', id: 'long', source: { id: 'long', length: 400 } }])
    await arranging
    expect(await count(everything)).toBe(5_001)
    expect((await engine.document('ships', 'long'))?.source).toEqual({ id: 'long', length: 400 })
    const before = await version()
    // Only the rows added meanwhile may need arranging.
    await engine.arrange('ships')
    await engine.arrange('ships')
    expect(await version()).toBeLessThanOrEqual(before + 1)
  })

  it('may be dropped meanwhile, and made anew', async () => {
    await engine.createIndex('ships', mapping)
    await engine.write('ships', ships(0, 5_000))
    const arranging = engine.arrange('ships')
    await engine.dropIndex('ships')
    await engine.createIndex('ships', mapping)
    await engine.write('ships', ships(7, 10))
    await arranging
    expect(await count(everything)).toBe(3)
  })
})

it('an index to which a little is written all the time is put in order', async () => {
  await engine.createIndex('ships', mapping)
  await engine.write('ships', ships(0, 12_000))
  let written = await version()
  // Every write increments the version, and so does arranging.
  for (let i = 12_000; (await version()) === written; i++) {
    await engine.write('ships', [ship(i)])
    written++
    await new Promise((next) => setTimeout(next, 100))
  }
  expect(await count(everything)).toBe(12_000 + written - 2)
})

it('tables that a crash has left beside those of the indices are removed', async () => {
  await engine.createIndex('ships', mapping)
  await engine.write('ships', ships(0, 100))
  await engine.close()
  const left = await inDatabase(async (run) => {
    const [table = ''] = (await run("SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'index_%'")).flat()
    const orphans = [`${table}_g77`, `${table}_g77_lookup`, `${table}_g77_newest`]
    for (const orphan of orphans) await run(`CREATE TABLE ${orphan} AS SELECT 1 AS n`)
    return orphans
  })
  engine = await open()
  await engine.arrange('ships')
  await engine.close()
  const tables = (await inDatabase((run) => run('SELECT table_name FROM duckdb_tables()'))).flat()
  expect(left.filter((name) => tables.includes(name))).toEqual([])
  engine = await open()
  expect(await count(ofKind('ferry'))).toBe(34)
})

async function inDatabase<T>(work: (run: (sql: string) => Promise<string[][]>) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(join(directory, 'periplus.duckdb'))
  const connection = await instance.connect()
  try {
    return await work(async (sql) => (await (await connection.run(sql)).getRows()).map((row) => row.map(String)))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
