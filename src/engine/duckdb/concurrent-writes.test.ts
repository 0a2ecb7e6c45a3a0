import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping } from '../../model/mapping.ts'
import { everything } from '../../query/plan/predicate.ts'
import type { Engine, WriteOperation } from '../engine.ts'
import { openDuckdbEngine } from './open-engine.ts'

const mapping: Mapping = { properties: { id: { type: 'keyword' }, n: { type: 'integer' } } }

let directory: string
let engine: Engine

const open = (): Promise<Engine> => openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })

async function reopen(): Promise<void> {
  await engine.close()
  engine = await open()
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-concurrent-'))
  engine = await open()
  await engine.createIndex('things', mapping)
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

const index = (id: string, n: number): WriteOperation => ({ kind: 'index', id, source: { id, n } })

async function stored(): Promise<readonly string[]> {
  const found: string[] = []
  for await (const batch of engine.scan({ indices: ['things'], predicate: everything })) {
    for (const { id, source } of batch) found.push(`${id} ${source.n}`)
  }
  return found.sort()
}

describe('writes at the same time', () => {
  it('store an id once when one that must look things up and a new one both bring it', async () => {
    await engine.write('things', [index('old', 1)])
    await Promise.all([
      engine.write('things', [index('first', 1)]),
      engine.write('things', [index('old', 2), index('both', 2)]),
      engine.write('things', [index('both', 3)]),
    ])
    expect(await stored()).toEqual(['both 3', 'first 1', 'old 2'])
  })

  it('store an id once when some came before the ids of the index were known', async () => {
    await engine.write('things', [index('old', 1)])
    await reopen()
    const first = [index('a', 1), index('b', 1), index('b', 2), index('old', 2)]
    const writes = first.map((operation) => engine.write('things', [operation]))
    await Promise.race(writes)
    writes.push(engine.write('things', [index('b', 3), index('a', 3)]), engine.write('things', [index('c', 4)]))
    await Promise.all(writes)
    expect(await stored()).toEqual(['a 3', 'b 3', 'c 4', 'old 2'])
  })

  it('take the fields a write among them adds', async () => {
    const widening: WriteOperation = { kind: 'index', id: 'b', source: { id: 'b', n: 2, size: 5, tags: ['x', 'y'] } }
    await Promise.all([
      engine.write('things', [index('a', 1)]),
      engine.write('things', [widening]),
      engine.write('things', [index('c', 3)]),
      engine.write('things', [{ kind: 'index', id: 'd', source: { id: 'd', n: 4, other: [1, 2] } }]),
    ])
    expect(await stored()).toEqual(['a 1', 'b 2', 'c 3', 'd 4'])
    const [info] = await engine.indices('things')
    expect(Object.keys(info?.mapping.properties ?? {}).sort()).toEqual(['id', 'n', 'other', 'size', 'tags'])
  })

  it('fail when their index is dropped meanwhile, even if there is another of its name', async () => {
    const before = [index('a', 1), index('b', 1), index('c', 1)].map((o) => engine.write('things', [o]))
    const dropped = engine.dropIndex('things')
    const late = [index('d', 1), index('e', 1)].map((o) => engine.write('things', [o]))
    const made = engine.createIndex('things', mapping)
    const outcomes = await Promise.allSettled([...before, ...late])
    await Promise.all([dropped, made])
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'INDEX_NOT_FOUND' })
    }
    // Later writes joined the waiting ones or failed. None reached the new index.
    expect(outcomes.slice(0, 3).map((o) => o.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(await stored()).toEqual([])
    await engine.write('things', [index('d', 2)])
    expect(await stored()).toEqual(['d 2'])
  })

  it('fail for their own faults only, and are told as they are', async () => {
    let asked = 0
    engine.changes?.watch({
      mark: () => 1,
      wants: () => {
        // Fails in the second write. Each write asks for three kinds.
        if (++asked === 5) throw new Error('no such subscription')
        return 'after'
      },
    })
    const unreadable = (id: string): WriteOperation => ({ kind: 'index', id, source: { id, n: 'many' } })
    const writes = ['a', 'b', 'c'].map((name, n) =>
      engine.write('things', [index(`${name}1`, n), unreadable(name), index(`${name}2`, 10 * n)]),
    )
    const outcomes = await Promise.allSettled(writes)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value.map((r) => r.ok)).toEqual([true, false, true])
    }
    expect(await stored()).toEqual(['a1 0', 'a2 0', 'c1 2', 'c2 20'])
    const changes = await engine.changes?.read(0, 100)
    const told = changes?.map(({ kind, id, after }) => `${kind} ${id} ${JSON.parse(after ?? '{}').n}`)
    expect(told?.toSorted()).toEqual(['a1 0', 'a2 0', 'c1 2', 'c2 20'].map((one) => `CREATE ${one}`))
  })

  it('survive the end of the process before anything is moved out of the log', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => engine.write('things', [index(`w${n}`, n)])))
    await reopen()
    expect(await stored()).toEqual(Array.from({ length: 12 }, (_, n) => `w${n} ${n}`).sort())
    await Promise.all([engine.write('things', [index('w3', 30)]), engine.write('things', [index('x', 1)])])
    expect(await stored()).toHaveLength(13)
  })
})
