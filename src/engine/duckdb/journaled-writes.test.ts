import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Mapping } from '../../model/mapping.ts'
import type { AggregationLevel } from '../../query/plan/aggregation-plan.ts'
import { everything } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { type Schema, schemaOf } from '../../query/schema/schema.ts'
import type { Engine, WriteOperation } from '../engine.ts'
import type { StorageStep } from '../step-observer.ts'
import type { Path } from './answer/planner.ts'
import { openDuckdbEngine } from './open-engine.ts'

const mapping: Mapping = { properties: { id: { type: 'keyword' }, n: { type: 'integer' } } }

let directory: string
let engine: Engine
let path: Path
let steps: StorageStep[]
/** Called at each step. */
let atStep: (step: StorageStep) => Promise<void> | void

const openIn = (where: string): Promise<Engine> =>
  openDuckdbEngine({
    directory: where,
    memoryMiB: 256,
    threads: 2,
    concurrency: 4,
    path: () => path,
    storageSteps: (step) => {
      steps.push(step)
      return atStep(step)
    },
  })

beforeEach(async () => {
  path = 'kernel'
  steps = []
  atStep = () => undefined
  directory = mkdtempSync(join(tmpdir(), 'periplus-journaled-'))
  engine = await openIn(directory)
  await engine.createIndex('things', mapping)
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

const index = (id: string, n: number): WriteOperation => ({ kind: 'index', id, source: { id, n } })

async function stored(from: Engine = engine): Promise<readonly string[]> {
  const found: string[] = []
  for await (const batch of from.scan({ indices: ['things'], predicate: everything })) {
    for (const { id, source } of batch) found.push(`${id} ${source.n}`)
  }
  return found.sort()
}

function fieldOf(schema: Schema, path: string): Field {
  const field = schema.lookup(path)
  if (!field) throw new Error(`no field ${path}`)
  return field
}

const count = (): Promise<number> => engine.count({ indices: ['things'], predicate: everything })

describe('small writes', () => {
  it('that wait together share a record of the journal', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => engine.write('things', [index(`w${n}`, n)])))
    expect(steps.filter((step) => step === 'journaling').length).toBeLessThan(20)
    expect(steps).not.toContain('flushing')
    expect(await count()).toBe(20)
  })

  it('are seen by statements, which wait for the database', async () => {
    await engine.write('things', [index('a', 1), index('b', 1)])
    await engine.write('things', [index('a', 2), { kind: 'delete', id: 'b' }, index('c', 3)])
    path = 'sql'
    expect(await stored()).toEqual(['a 2', 'c 3'])
    expect(steps.filter((step) => step === 'flushed')).toHaveLength(1)
    expect(await stored()).toEqual(['a 2', 'c 3'])
    expect(steps.filter((step) => step === 'flushed')).toHaveLength(1)
  })

  it.each([1, 300])(
    'have the same values in the database, whatever their texts look like, %i at a time',
    async (times) => {
      const texts = [
        '{"id":"plain","n":1,"big":7}',
        ' \n {"id":"space","n":2, "big": 9007199254740993}\n',
        '{"n":3,"id":"twice","n":4,"big":[5,9007199254740995]}',
        '{"id":"\\ud83d\\ude00 \\u00fc","n":null,"text":"\\ud800 odd"}',
        '{"id":["a","b"],"n":[6,7],"where":" 1.5,2.5 ","text":["one two","three"]}',
        '{"big":-9007199254740993,"where":{"lon":181,"lat":1},"open":"true"}',
      ]
      await engine.extendMapping('things', {
        properties: {
          big: { type: 'long' },
          text: { type: 'text' },
          where: { type: 'geo_point' },
          open: { type: 'boolean' },
        },
      })
      const operations = Array.from({ length: times }, (_, n) =>
        texts.map((text, i): WriteOperation => ({ kind: 'index', id: `${n}-${i}`, source: JSON.parse(text), text })),
      ).flat()
      // The first one adds the columns of several values, so that the others need not.
      await engine.write('things', operations.slice(0, texts.length))
      steps = []
      for (let from = 0; from < operations.length; from += 900) {
        const results = await engine.write('things', operations.slice(from, from + 900))
        expect(results.filter(({ ok }) => !ok)).toEqual([])
      }
      await engine.write('things', [{ kind: 'update', id: '0-1', doc: { n: 12 } }])
      expect(steps).toContain('journaled')
      const schema = schemaOf(await engine.indices('*'))
      const values = async (): Promise<unknown> => {
        const levels = ['id', 'n', 'open'].map((name): readonly AggregationLevel[] => [
          {
            grouping: { kind: 'term', field: fieldOf(schema, name) },
            metrics: [],
            order: { by: 'key', descending: false },
            tops: [],
          },
        ])
        const limits = { buckets: 10_000, bucketHits: 10_000 }
        const plans = levels.map((one) => ({ indices: ['things'], predicate: everything, levels: one, limits }))
        return [await stored(), ...(await Promise.all(plans.map((plan) => engine.aggregate(plan))))]
      }
      const found = await values()
      path = 'sql'
      expect(await values()).toEqual(found)
      await engine.close()
      engine = await openIn(directory)
      path = 'kernel'
      expect(await values()).toEqual(found)
    },
  )

  it('reach the database by themselves', async () => {
    await engine.write('things', [index('a', 1)])
    await vi.waitUntil(() => steps.includes('flushed'), { timeout: 20_000 })
  })

  it('do not wait for a flush, or for a segment that is published', async () => {
    for (const held of ['flushing', 'flush-committing', 'publishing'] as const) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const reached = Promise.withResolvers<void>()
      atStep = (step) => {
        if (step !== held) return
        reached.resolve()
        return promise
      }
      await engine.write('things', [index('a', 1), index('gone', 1)])
      const arranged = engine.arrange('things')
      await reached.promise
      await engine.write('things', [index('a', 2), index(held, 1), { kind: 'delete', id: 'gone' }])
      expect(await stored()).toContain('a 2')
      expect(await stored()).not.toContain('gone 1')
      atStep = () => undefined
      resolve()
      await arranged
      await engine.write('things', [index('later', 1)])
    }
    const expected = ['a 2', 'flush-committing 1', 'flushing 1', 'later 1', 'publishing 1']
    expect(await stored()).toEqual(expected)
    path = 'sql'
    expect(await stored()).toEqual(expected)
    await engine.close()
    engine = await openIn(directory)
    expect(await stored()).toEqual(expected)
  })

  it('go to the database if they are large or add fields, after those before them', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => index(`m${n}`, n))
    await Promise.all([
      engine.write('things', [index('m3', 7)]),
      engine.write('things', many),
      engine.write('things', [index('m5', 8)]),
      engine.write('things', [{ kind: 'index', id: 'wide', source: { id: 'wide', n: 1, more: [1, 2] } }]),
      engine.write('things', [index('m6', 9)]),
    ])
    const found = new Set(await stored())
    expect(found.size).toBe(1_201)
    for (const one of ['m3 3', 'm5 8', 'm6 9', 'wide 1']) expect(found).toContain(one)
    path = 'sql'
    expect(new Set(await stored())).toEqual(found)
  })
})

describe('a journal that cannot be written', () => {
  it('fails the write, and serves later ones when the disk works again', async () => {
    const journal = join(directory, 'journal')
    rmSync(journal, { recursive: true })
    const failed = [engine.write('things', [index('a', 1)]), engine.write('things', [index('b', 1)])]
    for (const outcome of await Promise.allSettled(failed)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ENGINE_UNAVAILABLE' } })
    }
    expect(await stored()).toEqual([])
    // Nor may others write before it is known what is in the journal.
    await expect(engine.createIndex('others', mapping)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    mkdirSync(journal)
    await engine.write('things', [index('a', 2)])
    await engine.write('things', [index('b', 2)])
    expect(await stored()).toEqual(['a 2', 'b 2'])
    await engine.close()
    engine = await openIn(directory)
    expect(await stored()).toEqual(['a 2', 'b 2'])
  })

  it('keeps earlier writes when one fails', async () => {
    await engine.write('things', [index('a', 1)])
    let fails = true
    atStep = (step) => {
      if (step === 'journaling' && fails) throw new Error('no step')
    }
    await expect(engine.write('things', [index('a', 2), index('b', 2)])).rejects.toThrow('no step')
    fails = false
    expect(await stored()).toEqual(['a 1'])
    await engine.write('things', [index('c', 3)])
    path = 'sql'
    expect(await stored()).toEqual(['a 1', 'c 3'])
  })
})

describe('a journal after a crash', () => {
  it('is replayed once, and refused if it is damaged before its end', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    atStep = (step) => (step === 'flushing' ? promise : undefined)
    for (let n = 0; n < 3; n++) await engine.write('things', [index(`d${n}`, n), index('all', n)])
    const copy = `${directory}-copy`
    cpSync(directory, copy, { recursive: true })
    atStep = () => undefined
    resolve()
    try {
      const [name = ''] = readdirSync(join(copy, 'journal'))
      const file = join(copy, 'journal', name)
      const bytes = readFileSync(file)
      const at = bytes.indexOf('"d0"')
      const flip = (): void => {
        bytes[at] = (bytes[at] ?? 0) ^ 1
        writeFileSync(file, bytes)
      }
      flip()
      await expect(openIn(copy)).rejects.toThrow(/journal .* is damaged.*Restore/)
      flip()
      for (let again = 0; again < 2; again++) {
        const after = await openIn(copy)
        expect(await stored(after)).toEqual(['all 2', 'd0 0', 'd1 1', 'd2 2'])
        await after.close()
      }
    } finally {
      rmSync(copy, { recursive: true })
    }
  })
})
