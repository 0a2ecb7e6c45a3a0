import { afterAll, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import type { TagAction } from '../../../model/tag-request.ts'
import type { StepObserver } from '../../step-observer.ts'
import type { TagStore } from '../../tag-store.ts'
import type { TagTask } from '../../tag-task.ts'
import { fieldOf } from '../test-index.fixture.ts'
import { tagDeployment, tagsOf, taskOn } from './tag-store.fixture.ts'

const deployment = tagDeployment('tag-random')
afterAll(() => deployment.close())

const { signal } = new AbortController()

class Killed extends Error {}

/** Deterministic random numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const VALUES = ['x', 'y', 7, '7', true] as const

/** The table of the specification, implemented in a plain way. */
function expected(field: Json | undefined, action: TagAction, value: Json): Json | undefined {
  if (field === undefined || field === null) return action === 'ADD' ? [value] : field
  if (action === 'REMOVEALL') return null
  const list = Array.isArray(field) ? field : [field]
  const has = list.includes(value)
  if (action === 'ADD') return has ? list : [...list, value]
  return has ? list.filter((item) => item !== value) : field
}

const seed = Math.floor(Math.random() * 2 ** 31)

test(`tags, loads and replays with a server that keeps ending come to what a plain model says (seed ${seed})`, async () => {
  const next = random(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T
  const someTags = (): JsonObject =>
    pick<JsonObject>([{}, { tags: null }, { tags: [] }, { tags: pick(VALUES) }, { tags: [pick(VALUES), 'z'] }])
  const model = new Map<string, JsonObject>()
  for (let i = 0; i < 12; i++) model.set(`d${i}`, { id: `d${i}`, group: pick(['a', 'b', 'c']), ...someTags() })
  const index = await deployment.makeIndex(
    { id: { type: 'keyword' }, group: { type: 'keyword' }, tags: { type: 'keyword' } },
    [...model.values()],
  )
  const group = fieldOf('group', 'KEYWORD')
  const tasks: { readonly task: TagTask; readonly groups: readonly string[] }[] = []
  let position = 0

  const open = async (): Promise<TagStore> => {
    const steps: StepObserver = () => {
      if (next() < 0.04) throw new Killed()
    }
    const store = tagsOf(deployment.server({ steps }))
    await store.lead(signal)
    return store
  }
  let store = await open()

  /** Retries until a call succeeds, each time on a living server. */
  const insist = async <T>(call: (living: TagStore) => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await call(store)
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        await store.close()
        store = await open()
      }
    }
  }

  const runAll = async (): Promise<void> => {
    for (;;) {
      const { nextOffset, run } = await store.position('c')
      expect(nextOffset).toBe(position)
      const entry = tasks[position]
      if (entry === undefined) return
      const { task, groups } = entry
      await insist(async (living) => {
        const underWay = await living.underWay('c')
        if (underWay === undefined && (await living.position('c')).nextOffset > task.record.offset) return
        let status = underWay === undefined ? await living.plan({ ...task, run }, signal) : undefined
        while (status?.finished !== true) status = await living.apply({ ...task, run }, signal)
      })
      const { action, request } = task.record
      let updated = 0
      for (const [id, source] of model) {
        if (!groups.includes(String(source.group))) continue
        const field = expected(source.tags, action, request.tag.value ?? null)
        model.set(id, field === undefined ? source : { ...source, tags: field })
        updated++
      }
      const status = await store.status(task.record.id)
      expect(status).toMatchObject({ updated, failed: 0, nbRequest: 1, run, finished: true })
      position++
    }
  }

  for (let i = 0; i < 25; i++) {
    const dice = next()
    if (dice < 0.6) {
      const action = pick<TagAction>(['ADD', 'ADD', 'REMOVE', 'REMOVEALL'])
      const groups = pick([['a'], ['b', 'c'], ['a', 'b', 'c']])
      const target = { kind: 'equals', field: group, values: groups } as const
      const value = action === 'REMOVEALL' ? null : pick(VALUES)
      tasks.push({ groups, task: taskOn([index], { offset: tasks.length, action, value, target }) })
    } else if (dice < 0.8) {
      const source = { id: `d${i % 12}`, group: pick(['a', 'b', 'c']), ...someTags() }
      await deployment.client.send({ method: 'PUT', path: `/${index}/_doc/${source.id}`, body: source })
      model.set(source.id, source)
    } else if (tasks.length > 0) {
      const from = Math.floor(next() * tasks.length)
      const { run } = await store.position('c')
      await insist(async (living) => {
        if ((await living.position('c')).run === run) await living.replay('c', from, 1)
      })
      position = Math.min(position, from)
    }
    if (next() < 0.7) await runAll()
  }
  await runAll()
  expect(await deployment.sources(index)).toEqual(model)
  await store.close()
})
