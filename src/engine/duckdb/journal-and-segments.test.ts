import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import { everything } from '../../query/plan/predicate.ts'
import type { WriteOperation } from '../engine.ts'
import type { StorageStep } from '../step-observer.ts'
import type { Path } from './answer/planner.ts'
import { areRestored, damageSegments, segmentNames } from './damaged-segments.fixture.ts'
import { TaggedEngine } from './tagged-engine.fixture.ts'

const mapping: Mapping = { properties: { id: { type: 'keyword' }, n: { type: 'integer' } } }
const COUNT = 300
/** Of a busy machine. */
const PATIENCE = { timeout: 10_000 }

let tagged: TaggedEngine
let path: Path | undefined
let notices: string[]
let steps: StorageStep[]
/** Called at each step. */
let atStep: (step: StorageStep) => Promise<void> | void
/** The documents that should be stored. */
let expected: Map<string, JsonObject>

beforeEach(async () => {
  path = undefined
  notices = []
  steps = []
  atStep = () => undefined
  expected = new Map()
  tagged = await TaggedEngine.open({
    // Nothing stays in memory, so every write reads identifiers and row numbers from files.
    segmentBytes: 0,
    path: () => path,
    onNotice: (text) => notices.push(text),
    storageSteps: (step) => {
      steps.push(step)
      return atStep(step)
    },
  })
  await tagged.engine.createIndex('things', mapping)
})

afterEach(() => tagged.close())

async function write(...operations: WriteOperation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.kind === 'delete') expected.delete(operation.id)
    else if (operation.kind === 'index') expected.set(operation.id ?? '', operation.source)
    else if (operation.kind === 'update')
      expected.set(operation.id, { ...expected.get(operation.id), ...operation.doc })
  }
  const results = await tagged.engine.write('things', operations)
  expect(results.filter(({ ok }) => !ok)).toEqual([])
}

const put = (id: string, n: number): WriteOperation => ({ kind: 'index', id, source: { id, n } })
const update = (id: string, n: number): WriteOperation => ({ kind: 'update', id, doc: { n } })
const remove = (id: string): WriteOperation => ({ kind: 'delete', id })

const fill = (name: string): Promise<void> => write(...Array.from({ length: COUNT }, (_, i) => put(`${name}${i}`, i)))

/** Kernels and statements find what is expected, also after a restart. */
async function check(): Promise<void> {
  const all = Object.fromEntries(expected)
  for (const one of [undefined, 'sql'] as const) {
    path = one
    expect(await tagged.sources()).toEqual(all)
    expect(await tagged.engine.count({ indices: ['things'], predicate: everything })).toBe(expected.size)
  }
  path = undefined
}

async function checkTwice(): Promise<void> {
  await check()
  await tagged.restart()
  await check()
}

/** Runs `work` while the next call of a step waits. */
async function during(step: StorageStep, begin: () => Promise<void>, work: () => Promise<unknown>): Promise<void> {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  atStep = (now) => {
    if (now !== step) return undefined
    atStep = () => undefined
    reached.resolve()
    return released.promise
  }
  const begun = begin()
  await reached.promise
  await work().finally(released.resolve)
  await begun
}

test('a deletion that only the journal has stays when its segment is lost', async () => {
  await fill('d')
  await tagged.engine.arrange('things')
  steps = []
  await write(remove('d1'), update('d2', -2))
  expect(steps).toEqual(['journaling', 'journaled'])
  const names = damageSegments(tagged)
  expect(await tagged.engine.document('things', 'd1')).toBeUndefined()
  await areRestored(tagged, names)
  await checkTwice()
})

test('writes meet a damaged segment: none fails, none is lost', async () => {
  await fill('d')
  await tagged.engine.arrange('things')
  const names = damageSegments(tagged)
  await Promise.all([
    write(put('new', 1)),
    write(remove('d1'), put('d2', -2)),
    write(update('d3', -3)),
    write(put('d4', -4)),
  ])
  await areRestored(tagged, names)
  expect(notices.filter((text) => text.includes(names[0] ?? 'none'))).toHaveLength(1)
  await checkTwice()
})

test('a write is published to a segment that was made while it was journaled', async () => {
  await fill('d')
  await during(
    'journaled',
    () => write(remove('d1'), put('d2', -2), put('new', 1)),
    () => tagged.engine.arrange('things'),
  )
  expect(segmentNames(tagged)).toHaveLength(1)
  await checkTwice()
})

test('a write whose publication meets a damaged segment is published nevertheless', async () => {
  await fill('d')
  let names: readonly string[] = []
  await during(
    'journaled',
    () => write(remove('d1'), put('d2', -2), put('new', 1)),
    async () => {
      await tagged.engine.arrange('things')
      names = damageSegments(tagged)
    },
  )
  expect(names).toHaveLength(1)
  await check()
  await areRestored(tagged, names)
  await checkTwice()
})

test('deletions go on while a segment is published', async () => {
  await fill('d')
  await during(
    'publishing',
    () => tagged.engine.arrange('things'),
    () => write(remove('d1'), put('d2', -2), put('new', 1)),
  )
  expect(segmentNames(tagged)).toHaveLength(1)
  await checkTwice()
})

test('deletions go on while a lost segment is built again', async () => {
  await fill('d')
  await tagged.engine.arrange('things')
  await write(remove('d1'))
  const names = damageSegments(tagged)
  await during(
    'built',
    async () => {
      expect(await tagged.engine.document('things', 'd1')).toBeUndefined()
      await areRestored(tagged, names)
    },
    () => write(remove('d3'), put('d4', -4), update('d5', -5)),
  )
  await checkTwice()
})

test('a merge that meets a damaged segment keeps all writes', async () => {
  await fill('d')
  await tagged.engine.arrange('things')
  await fill('e')
  await write(remove('d1'), update('e1', -1))
  const names = damageSegments(tagged)
  await tagged.engine.arrange('things')
  await areRestored(tagged, names)
  await checkTwice()
})

test('sources are rewritten when a damaged segment is back', async () => {
  const padded = (id: string, n: number): WriteOperation => {
    const source = { id, n }
    return { kind: 'index', id, source, text: `${JSON.stringify(source)}${' '.repeat(20_000)}` }
  }
  const ids = Array.from({ length: 250 }, (_, i) => `d${i}`)
  await write(...ids.map((id) => padded(id, 0)))
  await tagged.engine.arrange('things')
  for (const n of [1, 2, 3, 4]) await write(...ids.slice(125).map((id) => padded(id, n)))
  const files = (): readonly string[] => readdirSync(join(tagged.directory, 'sources'))
  const before = files()
  const names = damageSegments(tagged)
  await tagged.engine.arrange('things')
  await areRestored(tagged, names)
  await check()
  await vi.waitFor(() => expect(files()).not.toEqual(before), PATIENCE)
  await checkTwice()
})

test('many writes beside segments that are made, merged and damaged', async () => {
  await fill('d')
  let isOver = false
  const building = (async () => {
    for (let round = 0; !isOver; round++) {
      await tagged.engine.arrange('things')
      if (round % 3 === 2) damageSegments(tagged)
    }
  })()
  // Writers of documents of their own, so that the result does not depend on their order.
  const writer = async (name: string, from: number): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      const old = `d${from + i}`
      await write(i % 2 === 0 ? remove(old) : update(old, -i), put(`${name}${i % 20}`, i))
    }
  }
  await Promise.all([writer('a', 0), writer('b', 100), writer('c', 200)])
  isOver = true
  await building
  await checkTwice()
})
