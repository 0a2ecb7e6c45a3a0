import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDuckdbEngine } from '../../src/engine/duckdb/open-engine.ts'
import type { Engine, WriteOperation } from '../../src/engine/engine.ts'
import type { Mapping } from '../../src/model/mapping.ts'
import { everything } from '../../src/query/plan/predicate.ts'
import { tryWithin } from './random-index.ts'

const mapping: Mapping = { properties: { id: { type: 'keyword' }, n: { type: 'integer' } } }

let directory: string
let engine: Engine

const open = (): Promise<Engine> => openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-concurrent-'))
  engine = await open()
})

afterAll(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

const index = (id: string, n: number): WriteOperation => ({ kind: 'index', id, source: { id, n } })

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
const operation: fc.Arbitrary<WriteOperation> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(id, fc.nat(99)).map(([key, n]) => index(key, n)) },
  fc.tuple(id, fc.nat(99)).map(([key, n]): WriteOperation => ({ kind: 'create', id: key, source: { id: key, n } })),
  fc
    .tuple(id, fc.nat(99), fc.boolean())
    .map(([key, n, upsert]): WriteOperation => ({ kind: 'update', id: key, doc: { n }, upsert })),
  id.map((key): WriteOperation => ({ kind: 'delete', id: key })),
)
const write = fc.array(operation, { minLength: 1, maxLength: 3 })

/** What becomes of the operations one after the other: the documents, and an answer to each. */
class OneByOne {
  readonly documents = new Map<string, unknown>()

  play(one: WriteOperation): string {
    const key = one.id ?? ''
    const there = this.documents.has(key)
    switch (one.kind) {
      case 'create':
        if (there) return '409'
        this.documents.set(key, one.source.n)
        return 'created'
      case 'index':
        this.documents.set(key, one.source.n)
        return there ? 'updated' : 'created'
      case 'update': {
        if (!there && one.upsert !== true) return '404'
        const isSame = there && this.documents.get(key) === one.doc.n
        this.documents.set(key, one.doc.n)
        return isSame ? 'noop' : there ? 'updated' : 'created'
      }
      case 'delete':
        this.documents.delete(key)
        return there ? 'deleted' : '404'
    }
  }
}

async function stored(name: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const batch of engine.scan({ indices: [name], predicate: everything })) {
    for (const { id: key, source } of batch) found.push(`${key} ${source.n}`)
  }
  return found.sort()
}

/** Writes of a wave come at the same time, perhaps some milliseconds after the storage has begun to be put in order. */
interface Wave {
  readonly writes: readonly WriteOperation[][]
  readonly arrangedFor: number | undefined
}

/** The server may be started anew before the next wave. */
interface Writing {
  readonly waves: readonly Wave[]
  readonly opensAnew: boolean
}

const writing: fc.Arbitrary<Writing> = fc.record({
  waves: fc.array(
    fc.record({
      writes: fc.array(write, { minLength: 1, maxLength: 8 }),
      arrangedFor: fc.option(fc.nat(40), { nil: undefined }),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  opensAnew: fc.nat(7).map((n) => n === 0),
})

it('many writes at the same time do what they would one after the other', async () => {
  let number = 0
  const law = async ({ waves, opensAnew }: Writing): Promise<void> => {
    const name = `many-${number++}`
    await engine.createIndex(name, mapping)
    const model = new OneByOne()
    for (const [i, { writes, arrangedFor }] of waves.entries()) {
      if (opensAnew && i > 0) {
        await engine.close()
        engine = await open()
      }
      const expected = writes.map((operations) => operations.map((one) => model.play(one)))
      const arranging = arrangedFor === undefined ? undefined : engine.arrange(name)
      if (arrangedFor !== undefined) await delay(arrangedFor)
      const answers = await Promise.all(writes.map((operations) => engine.write(name, operations)))
      expect(answers.map((results) => results.map((r) => (r.ok ? r.result : String(r.status))))).toEqual(expected)
      await arranging
    }
    // what comes later does not lie on what came meanwhile
    await engine.write(name, [index('last', 1)])
    model.play(index('last', 1))
    for (const key of ['a', 'b', 'c']) {
      expect((await engine.document(name, key))?.source.n).toBe(model.documents.get(key))
    }
    expect(await stored(name)).toEqual([...model.documents].map(([key, n]) => `${key} ${n}`).sort())
    expect((await engine.documentCounts(name)).get(name)).toBe(model.documents.size)
    await engine.dropIndex(name)
  }
  await tryWithin(writing, law, 80, 15_000)
})
