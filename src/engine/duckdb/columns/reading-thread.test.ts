import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseBulk } from '../../../ingest/bulk-request.ts'
import { runBulk } from '../../../ingest/run-bulk.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { everything } from '../../../query/plan/predicate.ts'
import { layoutOf } from '../index/table-layout.ts'
import { openDuckdbEngine } from '../open-engine.ts'
import { ReadingThread } from './reading-thread.ts'
import { type ReadRows, type RowShape, type RowsToRead, readRows } from './row-reading.ts'
import { StringHeap } from './string-heap.ts'

const mapping: Mapping = { dynamic: false, properties: { k: { type: 'keyword' }, n: { type: 'integer' } } }
const shape: RowShape = { mapping, layout: layoutOf(mapping) }

/** One document per text. */
function rowsOf(...texts: string[]): RowsToRead {
  let at = 0
  const starts = texts.map((text) => {
    const start = at
    at += Buffer.byteLength(text) + 1
    return start
  })
  const { memory, end } = StringHeap.of(Buffer.from(texts.join('\n')))
  return { bytes: memory, end, starts: Uint32Array.from(starts) }
}

const textOf = ({ bytes, end }: ReadRows): string => Buffer.from(bytes).toString('utf8', 0, end)

describe('a reading thread', () => {
  let faults: unknown[]
  let thread: ReadingThread

  beforeEach(() => {
    faults = []
    thread = new ReadingThread((error) => faults.push(error))
  })

  afterEach(() => thread.close())

  /** Retries until the thread is ready. */
  async function read(of: RowShape, make: () => RowsToRead): Promise<ReadRows> {
    for (;;) {
      const rows = await thread.read(of, make)
      if (rows) return rows
      await setTimeout(10)
    }
  }

  it('reads what would be read here, one after the other', async () => {
    const many = [
      () => rowsOf('{"k":"a","n":1}', '{"k":["b","c"],"n":2}', '{"n":3}'),
      () => rowsOf('{"k":"longer than what fits into an entry"}', '{}'),
    ]
    const [first, ...others] = many
    if (!first) throw new Error('there is a first')
    const found = [await read(shape, first), ...(await Promise.all(others.map((rows) => thread.read(shape, rows))))]
    for (const [i, rows] of found.entries()) {
      const expected = readRows(shape, (many[i] ?? first)())
      expect(rows?.isRead).toEqual(expected.isRead)
      expect(rows?.columns).toEqual(expected.columns)
      if (!rows) throw new Error('the thread is there')
      expect(textOf(rows)).toBe(textOf(expected))
    }
    expect(found[0]?.isRead).toEqual(Uint8Array.of(1, 0, 1))
  })

  it('changes from index to index', async () => {
    const other: RowShape = { mapping: { properties: { n: { type: 'double' } } }, layout: layoutOf({ properties: {} }) }
    await read(shape, () => rowsOf('{"k":"a"}'))
    const read2 = await thread.read(other, () => rowsOf('{"n":1}'))
    expect(read2?.columns).toEqual([])
    const again = await thread.read(shape, () => rowsOf('{"k":"a"}'))
    expect(again?.columns).toHaveLength(2)
  })

  it('leaves rows that get values of others to whoever asks', async () => {
    await read(shape, () => rowsOf('{}'))
    const copying: Mapping = { properties: { k: { type: 'keyword', copy_to: ['l'] }, l: { type: 'keyword' } } }
    expect(await thread.read({ mapping: copying, layout: layoutOf(copying) }, () => rowsOf('{}'))).toBeUndefined()
  })

  it('tells of its end, and leaves the rest to whoever asks', async () => {
    await read(shape, () => rowsOf('{}'))
    const impossible = { ...rowsOf('{}'), starts: { length: -1, buffer: new ArrayBuffer(8) } } as unknown as RowsToRead
    const last = await Promise.all([thread.read(shape, () => impossible), thread.read(shape, () => rowsOf('{}'))])
    expect(last).toEqual([undefined, undefined])
    expect(String(faults[0])).toContain('RangeError')
    expect(await thread.read(shape, () => rowsOf('{}'))).toBeUndefined()
    expect(faults).toHaveLength(1)
  })
})

it('reads the documents of large writes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-reading-'))
  const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })
  const reading = vi.spyOn(ReadingThread.prototype, 'read')
  try {
    await engine.createIndex('things', mapping)
    const expected = new Map<string, string>()
    let wave = 0
    const isRead = async (): Promise<boolean> => {
      const answers = await Promise.all(reading.mock.results.map(({ value }) => value))
      return answers.some((rows) => rows !== undefined)
    }
    // The first ones are read on the main thread, while the worker starts.
    do {
      const lines = Array.from({ length: 600 }, (_, i) => {
        const id = `${wave}-${i}`
        if (i % 100 === 7) return `{"index":{"_id":"${id}"}}\n{"k":"${id}","n":"many"}\n`
        const document = i % 50 === 3 ? `{"k":["${id}","x"],"n":${i}}` : `{"k":"${id}","n":${i}}`
        expected.set(id, document)
        return `{"index":{"_id":"${id}"}}\n${document}\n`
      })
      const results = await runBulk(engine, parseBulk(Buffer.from(lines.join('')), 'things'))
      expect(results.filter((result) => !result.ok)).toHaveLength(6)
      expect(results[7]).toMatchObject({ ok: false, id: `${wave}-7`, status: 400 })
      wave++
    } while (!(await isRead()) || wave < 5)
    const found = new Map<string, string | undefined>()
    for await (const batch of engine.scan({ indices: ['things'], predicate: everything })) {
      for (const { id, text } of batch) found.set(id, text)
    }
    expect(found).toEqual(expected)
    const k = { path: 'k', type: 'KEYWORD', indexed: true, nested: false } as const
    for (const value of ['0-3', '0-5', `${wave - 1}-599`, `${wave - 1}-53`, '0-7']) {
      const predicate = { kind: 'equals', field: k, values: [value] } as const
      expect(await engine.count({ indices: ['things'], predicate }), value).toBe(expected.has(value) ? 1 : 0)
    }
  } finally {
    reading.mockRestore()
    await engine.close()
    rmSync(directory, { recursive: true })
  }
})
