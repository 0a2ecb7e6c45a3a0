import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  engineProblem,
  isCheckpointPrevented,
  isFailedTransaction,
  isOutOfMemory,
  isStale,
  lockHolder,
} from './engine-fault.ts'

it.each([
  'Out of Memory Error: could not allocate block of size 256.0 KiB (111.9 MiB/112.0 MiB used)',
  'TransactionContext Error: Failed to commit: failed to pin block of size 256.0 KiB (111.9 MiB/112.0 MiB used)',
])('%s: the answer names the setting', (message) => {
  const found = engineProblem(new Error(message))
  expect(found).toMatchObject({ code: 'ENGINE_UNAVAILABLE', message: expect.stringContaining('engine.memoryMiB') })
  expect(isOutOfMemory(found)).toBe(true)
})

it('other faults stay what they are', () => {
  const fault = new Error('Binder Error: no such column')
  expect(engineProblem(fault)).toBe(fault)
  expect(isOutOfMemory(fault)).toBe(false)
  expect(isOutOfMemory(engineProblem(new Error('IO Error: the disk is full')))).toBe(false)
})

it.each([
  [
    'IO Error: Could not set lock on file "/d/periplus.duckdb": Conflicting lock is held in /node (PID 42)',
    'process 42',
  ],
  ['IO Error: Cannot open file: it is being used by another process.', 'another process'],
  ['IO Error: Cannot open file: Permission denied', undefined],
])('%s: held by %s', (message, holder) => {
  expect(lockHolder(new Error(message))).toBe(holder)
})

describe('errors of DuckDB itself', () => {
  const predicates = { isStale, isFailedTransaction, isCheckpointPrevented, isOutOfMemory }
  let directory: string
  let file: string
  let instance: DuckDBInstance
  let connection: DuckDBConnection
  let other: DuckDBConnection

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'periplus-fault-'))
    file = join(directory, 'test.duckdb')
    instance = await DuckDBInstance.create(file, { threads: '1', memory_limit: '16MiB', temp_directory: '' })
    connection = await instance.connect()
    other = await instance.connect()
    await connection.run('CREATE TABLE t AS SELECT 1 AS a')
  })

  afterAll(() => {
    other.closeSync()
    connection.closeSync()
    instance.closeSync()
    rmSync(directory, { recursive: true })
  })

  const faultOf = (sql: string): Promise<unknown> =>
    connection.run(sql).then(
      () => undefined,
      (error: unknown) => error,
    )

  /** Names of the predicates that hold. */
  const kindsOf = (error: unknown): readonly string[] =>
    Object.entries(predicates).flatMap(([name, holds]) => (holds(error) ? [name] : []))

  it.each([
    ['SELECT b FROM t', ['isStale']],
    ['SELECT a FROM replaced', ['isStale']],
    ['SELECT list(i) FROM range(10000000) n(i)', ['isOutOfMemory']],
    ["SELECT 'text'::INTEGER FROM t", []],
  ])('%s: %j', async (sql, kinds) => {
    const error = await faultOf(sql)
    expect(error).toBeInstanceOf(Error)
    expect(kindsOf(error)).toEqual(kinds)
  })

  it('tells conflicts between transactions', async () => {
    await other.run('BEGIN TRANSACTION')
    await other.run('UPDATE t SET a = 2')
    expect(kindsOf(await faultOf('UPDATE t SET a = 3'))).toEqual(['isFailedTransaction'])
    expect(kindsOf(await faultOf('CHECKPOINT'))).toEqual(['isFailedTransaction', 'isCheckpointPrevented'])
    await other.run('ROLLBACK')
  })

  it.each([
    ['SELECT list(i) FROM range(10000000) n(i)', 'ENGINE_UNAVAILABLE'],
    ["ATTACH '/nowhere/other.duckdb'", 'ENGINE_UNAVAILABLE'],
    ["SELECT regexp_matches(a::VARCHAR, 'a{2000}') FROM t", 'INVALID_FILTER'],
  ])('%s is answered with %s', async (sql, code) => {
    expect(engineProblem(await faultOf(sql))).toMatchObject({ code })
  })

  it('tells the process that has the file open', () => {
    const script = `import { DuckDBInstance } from '@duckdb/node-api'
      await DuckDBInstance.create(process.argv[1]).catch((error) => console.log(error.message))`
    const message = execFileSync(process.execPath, ['--input-type=module', '-e', script, file], { encoding: 'utf8' })
    expect(lockHolder(new Error(message))).toBe(`process ${process.pid}`)
  })
})
