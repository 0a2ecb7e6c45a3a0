import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { Engine, StoredDocument, WriteOperation } from '../../engine.ts'
import type { Path } from '../answer/planner.ts'
import { openDuckdbEngine } from '../open-engine.ts'

const COUNT = 10_000
const selection = { indices: ['a', 'b'], predicate: everything }

let directory: string
let engine: Engine
let path: Path

async function put(index: string, round: number): Promise<void> {
  await engine.write(
    index,
    Array.from({ length: COUNT }, (_, i) => ({ kind: 'index', id: `d${i}`, source: { n: i, round } })),
  )
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-scan-'))
  engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 2, path: () => path })
  for (const name of selection.indices) {
    await engine.createIndex(name, { properties: { n: { type: 'long' } } })
    await put(name, 0)
  }
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

async function all(selected: Selection): Promise<readonly StoredDocument[]> {
  const found: StoredDocument[] = []
  for await (const batch of engine.scan(selected)) found.push(...batch)
  return found
}

async function atLeast(n: number): Promise<Predicate> {
  const field = schemaOf(await engine.indices('a')).lookup('n')
  if (!field) throw new Error('no field n')
  return { kind: 'range', field, lower: { value: BigInt(n), inclusive: true } }
}

describe.each<Path>(['kernel', 'sql'])('a scan (%s)', (tested) => {
  beforeEach(() => {
    path = tested
  })

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

  it('is one version, with as many documents as it had, while writes arrive', async () => {
    const selected = { indices: ['a', 'b'], predicate: await atLeast(1000) }
    let isOver = false
    const writing = (async () => {
      for (let round = 1; !isOver; round++) {
        const operations = Array.from({ length: 100 }, (_, i): WriteOperation[] => [
          { kind: 'index', id: `new${round}-${i}`, source: { n: COUNT + i, round } },
          { kind: 'delete', id: `d${COUNT - 100 * round - i}` },
          { kind: 'index', id: `d${i}`, source: { n: COUNT + i, round } },
        ])
        await engine.write('a', operations.flat())
        if (round % 5 === 0) await engine.arrange('a')
      }
    })()
    for (let i = 0; i < 10; i++) {
      const scanned = engine.scan(selected)[Symbol.asyncIterator]()
      const [total, first] = await Promise.all([engine.count(selected), scanned.next()])
      const found = [...(first.value ?? [])]
      for (let next = await scanned.next(); !next.done; next = await scanned.next()) found.push(...next.value)
      expect(new Set(found.map((d) => `${d.index} ${d.id}`)).size).toBe(found.length)
      expect(found.every(({ source }) => Number(source.n) >= 1000)).toBe(true)
      // Both run on the version that is current when they are called. Statements see it when they have a slot.
      if (tested === 'kernel') expect(found).toHaveLength(total)
    }
    isOver = true
    await writing
  })

  it('returns nothing if nothing matches, and a few documents of any index', async () => {
    expect(await all({ indices: ['a', 'b'], predicate: await atLeast(COUNT) })).toEqual([])
    const few = await all({ indices: ['a', 'b'], predicate: await atLeast(COUNT - 2) })
    expect(few.map((d) => `${d.index} ${d.id}`).toSorted()).toEqual(['a d9998', 'a d9999', 'b d9998', 'b d9999'])
    await engine.createIndex('empty', { properties: {} })
    expect(await all({ indices: ['empty'], predicate: everything })).toEqual([])
    expect(await all({ indices: ['empty', 'b'], predicate: everything })).toHaveLength(COUNT)
  })

  it('waits in the queue for long reads, and leaves it when the signal aborts', async () => {
    // One caller gets one of the two slots.
    const abort = new AbortController()
    const scans = [1, 2, 3].map(() => engine.scan(selection, abort.signal)[Symbol.asyncIterator]())
    const first = Promise.allSettled(scans.map((scanned) => scanned.next()))
    abort.abort(new Error('enough'))
    for (const outcome of await first) expect(outcome).toMatchObject({ reason: { message: 'enough' } })
    await expect.poll(() => engine.statistics?.().reads).toEqual({ running: 0, waiting: 0 })
  })

  it('says what is wrong', async () => {
    const scanned = engine.scan({ indices: ['none'], predicate: everything })[Symbol.asyncIterator]()
    await expect(scanned.next()).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  })
})
