import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { everything } from '../../../query/plan/predicate.ts'
import type { Engine, StoredDocument } from '../../engine.ts'
import { openDuckdbEngine } from '../engine.ts'

const COUNT = 10_000
const selection = { indices: ['a', 'b'], predicate: everything }

let directory: string
let engine: Engine

async function put(index: string, round: number): Promise<void> {
  await engine.write(
    index,
    Array.from({ length: COUNT }, (_, i) => ({ kind: 'index', id: `d${i}`, source: { n: i, round } })),
  )
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-scan-'))
  engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 2 })
  for (const name of selection.indices) {
    await engine.createIndex(name, { properties: { n: { type: 'long' } } })
    await put(name, 0)
  }
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

describe('a scan', () => {
  it('holds no snapshot while its documents are taken, and answers as of its beginning', async () => {
    const scanned = engine.scan(selection)[Symbol.asyncIterator]()
    const found: StoredDocument[] = [...((await scanned.next()).value ?? [])]
    await vi.waitFor(() => expect(engine.statistics?.().reads?.running).toBe(0), PATIENT)
    await put('a', 1)
    await engine.arrange('a')
    await engine.dropIndex('b')
    for (let next = await scanned.next(); !next.done; next = await scanned.next()) found.push(...next.value)
    const seen = new Set(found.map((d) => `${d.index} ${d.id} ${d.source.round}`))
    expect(seen.size).toBe(2 * COUNT)
    expect([...seen].every((text) => text.endsWith(' 0'))).toBe(true)
  })

  it('stops when it is left, and when the signal aborts', async () => {
    for await (const batch of engine.scan(selection)) {
      expect(batch.length).toBeGreaterThan(0)
      break
    }
    const abort = new AbortController()
    const scanned = engine.scan(selection, abort.signal)[Symbol.asyncIterator]()
    await scanned.next()
    abort.abort(new Error('enough'))
    await expect(scanned.next()).rejects.toThrow('enough')
    await expect.poll(() => engine.statistics?.().reads?.running).toBe(0)
  })

  it('says what is wrong', async () => {
    const scanned = engine.scan({ indices: ['none'], predicate: everything })[Symbol.asyncIterator]()
    await expect(scanned.next()).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  })
})
