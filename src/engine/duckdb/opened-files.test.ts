import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine, OpenedFiles, RowReader, WriteOperation } from '../engine.ts'
import { openDuckdbEngine } from './open-engine.ts'

const ROWS = 2_500
const everything = { kind: 'everything' } as const
const selection = { indices: ['shown'], predicate: everything }
const source = (row: number) => ({ n: row, kind: row % 2 === 0 ? 'even' : 'odd' })

let directory = ''
let file = ''
let engine: Engine
let read: number[] = []

/** Documents by their row. */
const openRows = (_: OpenedFiles): RowReader => ({
  read: async (rows) => {
    read.push(...rows)
    return rows.map((row) => JSON.stringify(source(row)))
  },
})

const open = (): Promise<Engine> =>
  openDuckdbEngine({ directory: join(directory, 'data'), memoryMiB: 256, threads: 1, concurrency: 2, openRows })

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-opened-'))
  file = join(directory, 'rows')
  writeFileSync(file, 'rows')
  read = []
  engine = await open()
})
afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

async function fill(): Promise<void> {
  const { size, mtimeMs } = statSync(file)
  const mapping = { properties: { n: { type: 'long' }, kind: { type: 'keyword' } } } as const
  const opened = { files: [{ path: file, size, modifiedMs: mtimeMs, rows: ROWS }], reading: {} }
  await engine.createIndex('shown', mapping, opened)
  const operations = Array.from({ length: ROWS }, (_, i): WriteOperation => {
    const row = i + 1
    return { kind: 'index', id: `d${row}`, source: source(row), fileRow: row }
  })
  await engine.write('shown', operations.slice(0, 1_500))
  // Few documents, which would go to the journal elsewhere.
  await engine.write('shown', operations.slice(1_500, 1_600))
  await engine.write('shown', operations.slice(1_600))
}

it('keeps rows instead of documents, across restarts', async () => {
  await fill()
  await engine.seal?.('shown')
  await engine.close()
  engine = await open()
  expect(await engine.count(selection)).toBe(ROWS)
  expect(await engine.document('shown', 'd1550')).toMatchObject({ source: source(1_550) })
  expect(read).toEqual([1_550])
  const found: number[] = []
  for await (const batch of engine.scan(selection))
    for (const {
      source: { n },
    } of batch)
      found.push(Number(n))
  expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ROWS }, (_, i) => i + 1))
  await engine.arrange('shown')
  expect(await engine.document('shown', 'd7')).toMatchObject({ source: source(7) })
})

it('refuses to change documents', async () => {
  await fill()
  const operation = { kind: 'index', id: 'd1', source: { n: 1 } } as const
  const refused = { code: 'INDEX_READ_ONLY' }
  await expect(engine.write('shown', [operation])).rejects.toMatchObject(refused)
  await engine.seal?.('shown')
  for (const one of [operation, { ...operation, fileRow: 1 }, { kind: 'delete', id: 'd1' } as const]) {
    await expect(engine.write('shown', [one])).rejects.toMatchObject(refused)
  }
  await expect(engine.extendMapping('shown', { properties: {} })).rejects.toMatchObject(refused)
  expect((await engine.indices('shown'))[0]).toMatchObject({ isReadOnly: true })
})

it('drops an index that was not filled when the process ended', async () => {
  await fill()
  await engine.close()
  engine = await open()
  expect(await engine.indices('*')).toEqual([])
  await fill()
  await engine.seal?.('shown')
  expect(await engine.count(selection)).toBe(ROWS)
})

it('is not sealed, and not read, if a file changed', async () => {
  await fill()
  const { version } = (await engine.indices('shown'))[0] ?? {}
  utimesSync(file, 1, 1)
  const changed = { code: 'OPENED_FILE_CHANGED' }
  await expect(engine.seal?.('shown')).rejects.toMatchObject(changed)
  await expect(engine.count(selection)).rejects.toMatchObject(changed)
  await expect(engine.document('shown', 'd1')).rejects.toMatchObject(changed)
  await expect(Array.fromAsync(engine.scan(selection))).rejects.toMatchObject(changed)
  expect((await engine.indices('shown'))[0]?.version).not.toBe(version)
  await engine.dropIndex('shown')
  expect(statSync(file).size).toBe(4)
})
