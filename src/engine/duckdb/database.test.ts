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

  it('keeps nothing of a write that fails', async () => {
    const failing = database.write(async (connection) => {
      await connection.run('CREATE TABLE t (a INTEGER)')
      throw new Error('after the first statement')
    })
    await expect(failing).rejects.toThrow('after the first statement')
    await expect(database.read(undefined, (reader) => reader.rows('SELECT * FROM t'))).rejects.toThrow(/does not exist/)
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
