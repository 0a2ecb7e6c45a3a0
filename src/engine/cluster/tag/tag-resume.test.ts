import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  type ClusterCall,
  type ClusterClient,
  ClusterFailure,
  ClusterRefusal,
} from '../../../cluster-client/cluster-client.ts'
import { Overtaken } from '../../../storage/lease.ts'
import type { StepObserver, TagStep } from '../../step-observer.ts'
import type { TagStatus, TagStore } from '../../tag-store.ts'
import type { TagTask } from '../../tag-task.ts'
import { execute, tagDeployment, tagsOf, taskOn } from './tag-store.fixture.ts'

const deployment = tagDeployment('tag-resume')
const opened: TagStore[] = []
afterEach(async () => {
  for (const tags of opened.splice(0)) await tags.close()
})
afterAll(() => deployment.close())

const { signal } = new AbortController()

class Killed extends Error {}

/** A server that stops when it reaches a step for the nth time. */
async function mortal(step: TagStep, nth = 1): Promise<TagStore> {
  let seen = 0
  const steps: StepObserver = (reached) => {
    if (reached === step && ++seen >= nth) throw new Killed(step)
  }
  return leading(steps)
}

async function leading(steps?: StepObserver): Promise<TagStore> {
  const tags = tagsOf(deployment.server({ tagging: { inFlight: 2 }, ...(steps === undefined ? {} : { steps }) }))
  opened.push(tags)
  await tags.lead(signal)
  return tags
}

/** Does what a server does when it finds the store as another one left it. */
async function resume(store: TagStore, task: TagTask): Promise<TagStatus> {
  const underWay = await store.underWay(task.record.collection)
  if (underWay === undefined && (await store.position(task.record.collection)).nextOffset > task.record.offset) {
    const status = await store.status(task.record.id)
    if (status === undefined) throw new Error('a finished record has a status')
    return status
  }
  if (underWay === undefined) return execute(store, task)
  let status: TagStatus
  do status = await store.apply({ ...task, ...underWay }, signal)
  while (!status.finished)
  return status
}

const indexOf = (count: number): Promise<string> =>
  deployment.makeIndex(
    { tags: { type: 'keyword' }, id: { type: 'keyword' } },
    Array.from({ length: count }, (_, i) => ({ id: `d${i}`, ...(i % 3 === 0 ? { tags: 'v' } : {}) })),
  )

async function planDocuments(): Promise<number> {
  const path = `/${deployment.prefix}tag-plan`
  await deployment.client.send({ method: 'POST', path: `${path}/_refresh` })
  return (await deployment.client.send<{ count: number }>({ method: 'GET', path: `${path}/_count` })).count
}

describe('a server that ends', () => {
  const steps: readonly (readonly [TagStep, number])[] = [
    ['planning', 1],
    ['planned', 1],
    ['applying', 2],
    ['writing', 1],
    ['writing', 3],
    ['committing', 1],
    ['committing', 2],
    ['applied', 1],
    ['finishing', 1],
    ['finished', 1],
  ]
  for (const [step, nth] of steps) {
    test(`at ${step} (${nth}) leaves nothing undone and nothing twice`, async () => {
      const index = await indexOf(2_200)
      const task = taskOn([index], { collection: `c-${step}-${nth}` })
      const first = await mortal(step, nth)
      await expect(execute(first, task)).rejects.toThrow(Killed)
      await first.close()
      const second = await leading()
      const status = await resume(second, task)
      expect(status).toMatchObject({ updated: 2_200, failed: 0, nbRequest: 1, propagated: 1, finished: true, run: 0 })
      expect(await second.status(task.record.id)).toEqual(status)
      expect((await second.position(task.record.collection)).nextOffset).toBe(task.record.offset + 1)
      expect(await second.underWay(task.record.collection)).toBeUndefined()
      const found = [...(await deployment.sources(index)).values()]
      expect(found).toHaveLength(2_200)
      // documents that had the value as a scalar are lists of one now too
      expect(found.filter(({ tags }) => JSON.stringify(tags) === '["v"]')).toHaveLength(2_200)
      expect(await planDocuments()).toBe(0)
    })
  }

  test('in the middle of a replay has it in force or not at all', async () => {
    const before = await mortal('replaying')
    await expect(before.replay('replayed', 3, 77)).rejects.toThrow(Killed)
    expect(await before.position('replayed')).toEqual({ collection: 'replayed', run: 0, nextOffset: 0, replays: [] })
    await before.close()
    const after = await mortal('replayed')
    await expect(after.replay('replayed', 3, 77)).rejects.toThrow(Killed)
    expect(await after.position('replayed')).toEqual({
      collection: 'replayed',
      run: 1,
      nextOffset: 0,
      replays: [{ run: 1, fromOffset: 3, acceptedMs: 77 }],
    })
    await after.close()
  })
})

describe('replays', () => {
  test('run a record again under a later run', async () => {
    const tags = await leading()
    const index = await indexOf(3)
    const task = taskOn([index], { collection: 'again' })
    const { offset, id } = task.record
    await execute(tags, task)
    await tags.replay('again', offset, 5_000)
    expect(await tags.position('again')).toMatchObject({ run: 1, nextOffset: offset })
    expect(await tags.status(id)).toMatchObject({ run: 0, finished: true })
    const second = await execute(tags, { ...task, run: 1, startMs: 5_000 })
    expect(second).toMatchObject({ run: 1, updated: 3, startMs: 5_000, finished: true })
    expect((await tags.position('again')).nextOffset).toBe(offset + 1)
    expect((await tags.positions()).map(({ collection }) => collection)).toContain('again')
  })

  test('of the record under way leave the position where they put it', async () => {
    const tags = await leading()
    const index = await indexOf(3)
    await execute(tags, taskOn([index], { collection: 'meanwhile' }))
    const task = taskOn([index], { collection: 'meanwhile' })
    const { offset, id } = task.record
    expect((await tags.position('meanwhile')).nextOffset).toBe(offset)
    await tags.plan(task, signal)
    await tags.replay('meanwhile', offset, 9)
    expect(await tags.underWay('meanwhile')).toMatchObject({ run: 0, offset })
    const status = await tags.apply(task, signal)
    expect(status).toMatchObject({ run: 0, finished: true })
    expect(await tags.position('meanwhile')).toMatchObject({ run: 1, nextOffset: offset })
    // a replay from a later offset has no effect on it
    await tags.replay('meanwhile', offset + 5, 10)
    expect(await tags.position('meanwhile')).toMatchObject({
      run: 2,
      nextOffset: offset,
      replays: [
        { run: 1, fromOffset: offset },
        { run: 2, fromOffset: offset + 5 },
      ],
    })
    await tags.replay('meanwhile', offset, 11)
    expect((await tags.position('meanwhile')).replays).toEqual([{ run: 3, fromOffset: offset, acceptedMs: 11 }])
    expect(await execute(tags, { ...task, run: 3 })).toMatchObject({ run: 3, updated: 3 })
    expect((await tags.status(id))?.run).toBe(3)
  })
})

describe('failures of the whole', () => {
  const failure = { id: 'x', type: 'COLLECTION_NOT_FOUND', message: 'gone' } as const

  test('before a plan', async () => {
    const tags = await leading()
    const task = taskOn(['none'], { collection: 'failed-early' })
    const status = await tags.fail(task, failure)
    expect(status).toMatchObject({ propagated: 0, nbRequest: 0, updated: 0, failed: 1, failures: [failure] })
    expect(status).toMatchObject({ finished: true, startMs: 1_000 })
    expect(await tags.status(task.record.id)).toEqual(status)
    expect((await tags.position('failed-early')).nextOffset).toBe(task.record.offset + 1)
  })

  test('in the middle keep what was changed', async () => {
    const tags = await leading()
    const index = await indexOf(2_500)
    const task = taskOn([index], { collection: 'failed-late' })
    await tags.plan(task, signal)
    await tags.apply(task, signal)
    const status = await tags.fail(task, failure)
    expect(status).toMatchObject({ propagated: 1, nbRequest: 1, updated: 2_000, failed: 1, finished: true })
    expect(await tags.underWay('failed-late')).toBeUndefined()
    expect(await planDocuments()).toBe(0)
  })

  test('of an index that is gone', async () => {
    const tags = await leading()
    const index = await indexOf(3)
    const task = taskOn([index], { collection: 'index-gone' })
    await tags.plan(task, signal)
    await deployment.client.send({ method: 'DELETE', path: `/${index}` })
    await expect(tags.apply(task, signal)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    await tags.fail(task, failure)
    await expect(tags.plan(taskOn([index], { collection: 'index-gone' }), signal)).rejects.toMatchObject({
      code: 'INDEX_NOT_FOUND',
    })
  })
})

describe('others who change the same documents', () => {
  test('are not overwritten; documents that are gone are passed over', async () => {
    const { client } = deployment
    const index = await indexOf(50)
    let writes = 0
    const meddle = async (call: ClusterCall): Promise<void> => {
      if (call.path !== '/_bulk' || ++writes > 2) return
      for (let i = 0; i < 10; i++) {
        const body = { id: `d${i}`, tags: ['other'], n: writes }
        await client.send({ method: 'PUT', path: `/${index}/_doc/d${i}`, body })
      }
      await client.send({ method: 'DELETE', path: `/${index}/_doc/d${10 + writes}` })
    }
    const tags = tagsOf(deployment.server({ client: behind(client, meddle) }))
    opened.push(tags)
    await tags.lead(signal)
    const task = taskOn([index], { collection: 'meddled' })
    await tags.plan(task, signal)
    await client.send({ method: 'DELETE', path: `/${index}/_doc/d10` })
    await client.send({ method: 'PUT', path: `/${index}/_doc/late`, body: { id: 'late' } })
    const status = await tags.apply(task, signal)
    expect(status).toMatchObject({ updated: 48, failed: 0, finished: true })
    const found = await deployment.sources(index)
    expect(found.get('d3')).toEqual({ id: 'd3', tags: ['other', 'v'], n: 2 })
    expect(found.get('late')).toEqual({ id: 'late' })
    expect(found.size).toBe(48)
  })

  test('again and again make it a failure of the document', async () => {
    const { client } = deployment
    const index = await indexOf(3)
    const meddle = async (call: ClusterCall): Promise<void> => {
      if (call.path !== '/_bulk') return
      const body = { id: 'busy', at: performance.now() }
      await client.send({ method: 'PUT', path: `/${index}/_doc/d1`, body })
    }
    const tags = tagsOf(deployment.server({ client: behind(client, meddle), tagging: { conflictRetries: 2 } }))
    opened.push(tags)
    await tags.lead(signal)
    const status = await execute(tags, taskOn([index], { collection: 'busy' }))
    expect(status).toMatchObject({ updated: 2, failed: 1, failures: [{ id: 'busy', type: 'CONFLICT' }] })
  })
})

describe('faults that pass', () => {
  test('are known', () => {
    const tags = tagsOf(deployment.server())
    for (const status of [429, 502, 503, 504]) {
      expect(tags.isTransient(new ClusterRefusal(status, 'unknown', ''))).toBe(true)
    }
    expect(tags.isTransient(new ClusterRefusal(429, 'circuit_breaking_exception', ''))).toBe(true)
    expect(tags.isTransient(new ClusterRefusal(500, 'circuit_breaking_exception', ''))).toBe(true)
    expect(tags.isTransient(new ClusterFailure('unreachable', ''))).toBe(true)
    expect(tags.isTransient(new ClusterFailure('timeout', ''))).toBe(true)
    expect(tags.isTransient(new Overtaken(''))).toBe(true)
    expect(tags.isTransient(new ClusterRefusal(400, 'parsing_exception', ''))).toBe(false)
    expect(tags.isTransient(new Error('bug'))).toBe(false)
  })

  test('in the middle of a batch let it be repeated', async () => {
    let writes = 0
    const meddle = async (call: ClusterCall): Promise<void> => {
      if (call.path === '/_bulk' && ++writes === 2) throw new ClusterFailure('unreachable', 'away')
    }
    const tags = tagsOf(deployment.server({ client: behind(deployment.client, meddle), tagging: { inFlight: 2 } }))
    opened.push(tags)
    await tags.lead(signal)
    const index = await indexOf(1_500)
    const task = taskOn([index], { collection: 'repeated' })
    await tags.plan(task, signal)
    const fault: unknown = await tags.apply(task, signal).catch((error: unknown) => error)
    expect(tags.isTransient(fault)).toBe(true)
    let status: TagStatus
    do status = await tags.apply(task, signal)
    while (!status.finished)
    expect(status).toMatchObject({ updated: 1_500, failed: 0 })
  })

  test('at the store itself', async () => {
    const away = tagsOf(deployment.server({ client: behind(deployment.client, async () => fail()) }))
    const fault: unknown = await away.position('c').catch((error: unknown) => error)
    expect(away.isTransient(fault)).toBe(true)
    function fail(): never {
      throw new ClusterFailure('unreachable', 'away')
    }
  })
})

/** The cluster behind a client that lets a test act before each call. */
function behind(client: ClusterClient, before: (call: ClusterCall) => Promise<void>): ClusterClient {
  return {
    send: async <T>(call: ClusterCall): Promise<T> => {
      await before(call)
      return client.send<T>(call)
    },
    close: async () => undefined,
  }
}
