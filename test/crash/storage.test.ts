import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Path } from '../../src/engine/duckdb/answer/planner.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/open-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { StorageStep } from '../../src/engine/step-observer.ts'
import { everything } from '../../src/query/plan/predicate.ts'
import { someOf } from '../support/thorough.ts'
import { documentsAfter, INDICES, type IndexName, mapping, watch, writeOf } from './storage-history.ts'

const entry = fileURLToPath(new URL('storage-process.ts', import.meta.url))

let directory: string
let acknowledged: string
let engine: Engine | undefined
let path: Path = 'kernel'
let seed: number
/** Writes of each index that are stored for certain. */
let done: Record<IndexName, number>

const open = (): Promise<Engine> =>
  openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4, path: () => path })

beforeEach(async () => {
  seed = Math.floor(Math.random() * 2 ** 31)
  directory = mkdtempSync(join(tmpdir(), 'periplus-storage-crash-'))
  acknowledged = join(directory, 'acknowledged')
  done = { plain: 0, watched: 0 }
  const made = await open()
  for (const index of INDICES) await made.createIndex(index, mapping)
  await made.close()
})

afterEach(async () => {
  await engine?.close()
  engine = undefined
  rmSync(directory, { recursive: true })
})

/** Writes in another process until it dies. `afterMs`: kills it then. */
async function writeUntilKilled(step: StorageStep | 'none', times: number, afterMs?: number): Promise<void> {
  writeFileSync(acknowledged, '')
  const given = [directory, acknowledged, seed, done.plain, done.watched, step, times].map(String)
  const child = fork(entry, given, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const ended = once(child, 'exit')
  if (afterMs !== undefined) {
    await once(child, 'message')
    await new Promise((next) => setTimeout(next, afterMs))
    child.kill('SIGKILL')
  }
  expect((await ended)[1], `seed ${seed}`).toBe('SIGKILL')
  for (const line of readFileSync(acknowledged, 'utf8').split('\n')) {
    const [index, n] = line.split(' ')
    if (n !== undefined) done[index as IndexName] = Number(n) + 1
  }
}

async function stored(index: IndexName): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  for await (const batch of engine?.scan({ indices: [index], predicate: everything }) ?? []) {
    for (const { id, source } of batch) {
      expect(found.has(id), `seed ${seed}: ${id} is stored twice`).toBe(false)
      found.set(id, source)
    }
  }
  return found
}

/** Every acknowledged write is stored once, and the one that was not acknowledged wholly or not at all. */
async function check(where: string): Promise<void> {
  engine = await open()
  watch(engine)
  for (const index of INDICES) {
    path = 'kernel'
    const found = await stored(index)
    path = 'sql'
    expect(await stored(index), `${where}, seed ${seed}: SQL`).toEqual(found)
    expect(await engine.count({ indices: [index], predicate: everything })).toBe(found.size)
    expect((await engine.documentCounts(index)).get(index)).toBe(found.size)
    path = 'kernel'
    const next = documentsAfter(seed, index, done[index] + 1)
    if (JSON.stringify([...found].sort()) === JSON.stringify([...next].sort())) done[index]++
    else expect(found, `${where}, seed ${seed}`).toEqual(documentsAfter(seed, index, done[index]))
  }
  await checkTold(where)
  await engine.close()
  engine = undefined
}

/** Every document of the last writes was told once. */
async function checkTold(where: string): Promise<void> {
  const told = (await engine?.changes?.read(0, 1_000_000)) ?? []
  for (let n = 0; n < done.watched; n++) {
    const own = told.filter(({ cause }) => cause === `load:watched-${n}`).map(({ id }) => id)
    expect(new Set(own).size, `${where}, seed ${seed}: write ${n} is told twice`).toBe(own.length)
    const before = documentsAfter(seed, 'watched', n)
    const after = documentsAfter(seed, 'watched', n + 1)
    const ids = new Set(writeOf(seed, 'watched', n).map(({ id = '' }) => id))
    const changed = [...ids].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)))
    expect(own, `${where}, seed ${seed}: changes of write ${n}`).toEqual(expect.arrayContaining(changed))
  }
}

const moments: readonly (readonly [StorageStep, number])[] = [
  ['journaling', 3],
  ['journaled', 1],
  ['journaled', 9],
  ['flushing', 2],
  ['flush-committing', 1],
  ['flush-committing', 4],
  ['flushed', 1],
  ['flushed', 5],
  ['building', 1],
  ['built', 1],
  ['built', 2],
  ['publishing', 1],
  ['published', 1],
  ['published', 2],
]

describe('an engine killed while it stores documents', () => {
  test.each(someOf(moments, 1 / 3))('at %s, time %i, keeps what it has acknowledged', async (step, times) => {
    await writeUntilKilled(step, times)
    await check(`killed at ${step}`)
    // It goes on as if nothing had happened.
    await writeUntilKilled(step, times)
    await check(`killed at ${step} again`)
  })

  test('at any moment, keeps what it has acknowledged', async () => {
    for (let round = 0; round < 4; round++) {
      const afterMs = Math.floor(Math.random() * 700)
      await writeUntilKilled('none', 1, afterMs)
      await check(`killed after ${afterMs} ms`)
    }
    expect(done.plain).toBeGreaterThan(0)
  })

  test('loses nothing to bytes that a torn write has left behind in the journal', async () => {
    await writeUntilKilled('journaled', 6)
    const journal = join(directory, 'journal')
    for (const name of readdirSync(journal)) {
      const bytes = readFileSync(join(journal, name))
      // As if a record had been begun after the last one.
      const key = bytes.subarray(44, 60)
      const end = bytes.lastIndexOf(key)
      const length = bytes.readUInt32LE(end + 20)
      key.copy(bytes, Math.ceil((end + 32 + length) / 64) * 64)
      writeFileSync(join(journal, name), bytes)
    }
    await check('with a torn record')
  })
})
