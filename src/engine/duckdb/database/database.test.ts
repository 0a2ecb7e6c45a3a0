import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from './database.ts'

let directory: string
let database: Database

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-database-'))
  database = await Database.open({ directory, memoryMiB: 128, threads: 1, concurrency: 2 })
})

afterEach(async () => {
  await database.close({ checkpoint: true })
  rmSync(directory, { recursive: true })
})

describe('an open database', () => {
  it.each([
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM read_csv('/etc/hostname')",
    "ATTACH '/tmp/other.duckdb'",
    "COPY (SELECT 1) TO '/tmp/periplus-escape.csv'",
    'INSTALL httpfs',
    'LOAD httpfs',
    "SET memory_limit = '8GB'",
    'SET enable_external_access = true',
  ])('refuses %s', async (sql) => {
    await expect(database.read(undefined, (reader) => reader.rows(sql))).rejects.toThrow()
  })

  it('reads without writing', async () => {
    const write = database.read(undefined, (reader) => reader.rows('CREATE TABLE t (a INTEGER)'))
    await expect(write).rejects.toThrow(/read-only/i)
  })

  it('begins a snapshot with the first statement of a read, and keeps it to the last', async () => {
    await database.write((connection) => connection.run('CREATE TABLE t (a INTEGER)'))
    const insert = (): Promise<unknown> => database.write((connection) => connection.run('INSERT INTO t VALUES (1)'))
    const count = 'SELECT count(*) FROM t'
    for (const round of [0, 1]) {
      const seen = await database.read(undefined, async (reader) => {
        await insert()
        const first = await reader.rows(count)
        await insert()
        return [...first, ...(await reader.rows(count))]
      })
      expect(seen).toEqual([[BigInt(round * 2 + 1)], [BigInt(round * 2 + 1)]])
      // The second round reuses the connection of the first.
      await expect.poll(() => database.reads.running).toBe(0)
    }
  })

  it('keeps nothing of a write that fails', async () => {
    const failing = database.write(async (connection) => {
      await connection.run('CREATE TABLE t (a INTEGER)')
      throw new Error('after the first statement')
    })
    await expect(failing).rejects.toThrow('after the first statement')
    await expect(database.read(undefined, (reader) => reader.rows('SELECT * FROM t'))).rejects.toThrow(/does not exist/)
  })

  it('gives every connection back, whatever becomes of the reads', async () => {
    for (let i = 0; i < 10; i++) {
      await expect(database.read(undefined, (reader) => reader.rows('SELECT nonsense'))).rejects.toThrow(/nonsense/)
      await expect(database.read(undefined, () => Promise.reject(new Error('ours')), 'long')).rejects.toThrow('ours')
      const controller = new AbortController()
      const endless = database.read(controller.signal, (reader) => {
        queueMicrotask(() => controller.abort(new Error('enough')))
        return reader.rows('SELECT count(*) FROM range(1000000) a, range(1000000) b')
      })
      await expect(endless).rejects.toThrow('enough')
    }
    await expect.poll(() => database.reads).toEqual({ running: 0, waiting: 0 })
    expect(await database.read(undefined, (reader) => reader.rows('SELECT 1'))).toEqual([[1]])
  })

  it('keeps long reads apart from others, and reads aside when all are busy', async () => {
    const hold = Promise.withResolvers<void>()
    const long = [1, 2, 3].map(() => database.read(undefined, () => hold.promise, 'long'))
    expect(await database.read(undefined, (reader) => reader.rows('SELECT 1'))).toEqual([[1]])
    const quick = [1, 2, 3].map(() => database.read(undefined, () => hold.promise))
    await database.probe()
    expect(await database.readAside(async (c) => (await c.run('SELECT 2')).getRows())).toEqual([[2]])
    await expect.poll(() => database.reads).toEqual({ running: 4, waiting: 2 })
    hold.resolve()
    await Promise.all([...long, ...quick])
    await expect.poll(() => database.reads).toEqual({ running: 0, waiting: 0 })
  })

  it('reads aside inside one snapshot, without writing, also after a read that failed', async () => {
    await database.write((connection) => connection.run('CREATE TABLE t (a INTEGER)'))
    await expect(database.readAside((c) => c.run('INSERT INTO t VALUES (1)'))).rejects.toThrow(/read-only/i)
    const counts = await database.readAside(async (c) => {
      const count = async (): Promise<unknown> => (await c.run('SELECT count(*) FROM t')).getRows()
      const first = await count()
      await database.write((connection) => connection.run('INSERT INTO t VALUES (1)'))
      return [first, await count()]
    })
    expect(counts).toEqual([[[0n]], [[0n]]])
    expect(await database.readAside(async (c) => (await c.run('SELECT * FROM t')).getRows())).toEqual([[1]])
  })

  it('refuses those that wait when it is closed, and lets those that read finish', async () => {
    const hold = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const busy = [1, 2].map(() =>
      database.read(undefined, async (reader) => {
        begun.resolve()
        await hold.promise
        return reader.rows('SELECT 1')
      }),
    )
    const waiting = database.read(undefined, (reader) => reader.rows('SELECT 1'))
    await begun.promise
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' }),
      database.close({ checkpoint: false }),
    ])
    await expect(database.read(undefined, (r) => r.rows('SELECT 1'))).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
    })
    await expect(database.probe()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    hold.resolve()
    expect(await Promise.all(busy)).toEqual([[[1]], [[1]]])
    database = await Database.open({ directory, memoryMiB: 128, threads: 1, concurrency: 2 })
  })

  it('lets those that wait for a connection leave', async () => {
    const hold = Promise.withResolvers<void>()
    const busy = [1, 2].map(() => database.read(undefined, () => hold.promise))
    const controller = new AbortController()
    const waiting = database.read(controller.signal, (reader) => reader.rows('SELECT 1'))
    controller.abort(new Error('no longer wanted'))
    await expect(waiting).rejects.toThrow('no longer wanted')
    hold.resolve()
    await Promise.all(busy)
    expect(await database.read(undefined, (reader) => reader.rows('SELECT 1'))).toEqual([[1]])
  })
})
