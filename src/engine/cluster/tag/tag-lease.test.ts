import { afterAll, describe, expect, test } from 'vitest'
import { Overtaken } from '../../../storage/lease.ts'
import type { StepObserver } from '../../step-observer.ts'
import type { TagStatus, TagStore } from '../../tag-store.ts'
import { execute, tagDeployment, tagsOf, taskOn } from './tag-store.fixture.ts'

const deployments: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const deployment of deployments) await deployment.close()
})

/** Servers of one deployment, with a lease of half a second. */
function deploy() {
  const deployment = tagDeployment('tag-lease')
  deployments.push(deployment)
  const server = (steps?: StepObserver, leaseSeconds = 0.5): TagStore =>
    tagsOf(deployment.server({ tagging: { leaseSeconds }, ...(steps === undefined ? {} : { steps }) }))
  return { ...deployment, store: server }
}

const { signal } = new AbortController()

describe('the lease', () => {
  test('has one holder; the next one waits until it is given back', async () => {
    const { store } = deploy()
    const [first, second] = [store(undefined, 30), store(undefined, 30)]
    const held = await first.lead(signal)
    const leaving = new AbortController()
    const waiting = second.lead(leaving.signal)
    leaving.abort(new Error('left'))
    await expect(waiting).rejects.toThrow()
    const next = second.lead(signal)
    await held.resign()
    expect(held.lost.aborted).toBe(true)
    const now = await next
    expect(now.lost.aborted).toBe(false)
    await now.resign()
  })

  test('stays with its holder as long as it lives', async () => {
    const { store } = deploy()
    const [first, second] = [store(), store()]
    const held = await first.lead(signal)
    const patience = AbortSignal.timeout(2_500)
    await expect(second.lead(patience)).rejects.toThrow()
    expect(held.lost.aborted).toBe(false)
    await held.resign()
  })

  test('is needed for every step that writes', async () => {
    const { store, makeIndex } = deploy()
    const tags = store()
    const index = await makeIndex({}, [{}])
    const task = taskOn([index])
    await expect(tags.plan(task, signal)).rejects.toThrow(Overtaken)
    const held = await tags.lead(signal)
    await tags.plan(task, signal)
    await held.resign()
    await expect(tags.apply(task, signal)).rejects.toThrow(Overtaken)
    const again = await tags.lead(signal)
    expect(await tags.apply(task, signal)).toMatchObject({ finished: true, updated: 1 })
    await again.resign()
  })
})

describe('a server that was paused', () => {
  /** Pauses at a step until resumed, without heartbeats meanwhile. */
  async function paused(at: 'writing' | 'committing' | 'finishing' | 'planned') {
    const deployment = deploy()
    const reached = Promise.withResolvers<void>()
    const going = Promise.withResolvers<void>()
    let isFirst = true
    const steps: StepObserver = async (step) => {
      if (step !== at || !isFirst) return
      isFirst = false
      reached.resolve()
      await going.promise
    }
    const slow = deployment.store(steps, 3_600)
    const fast = deployment.store()
    const documents = Array.from({ length: 1_500 }, (_, i) => ({ id: `d${i}` }))
    const index = await deployment.makeIndex({ tags: { type: 'keyword' } }, documents)
    await slow.lead(signal)
    return { ...deployment, slow, fast, index, reached: reached.promise, resume: going.resolve }
  }

  for (const at of ['planned', 'writing', 'committing', 'finishing'] as const) {
    test(`at ${at} and overtaken does no harm`, async () => {
      const { slow, fast, index, reached, resume, sources } = await paused(at)
      const task = taskOn([index])
      const slowly = execute(slow, task).catch((error: unknown) => error)
      await reached
      // Its heartbeat interval is an hour, so there was none for half a second.
      await fast.lead(signal)
      let status: TagStatus
      do status = await fast.apply(task, signal)
      while (!status.finished)
      expect(status).toMatchObject({ updated: 1_500, failed: 0 })
      const untag = taskOn([index], { action: 'REMOVE' })
      expect(await execute(fast, untag)).toMatchObject({ updated: 1_500 })
      resume()
      const outcome = await slowly
      const isDone = !(outcome instanceof Error)
      if (!isDone) expect(slow.isTransient(outcome)).toBe(true)
      for (const source of (await sources(index)).values()) expect(source.tags).toEqual([])
      expect(await fast.status(task.record.id)).toEqual(status)
      expect(await fast.underWay('c')).toBeUndefined()
      expect((await fast.position('c')).nextOffset).toBe(untag.record.offset + 1)
      await fast.close()
      await slow.close()
    })
  }

  test('in the middle of a chunk goes on together with the other', async () => {
    const { slow, fast, index, reached, resume, sources } = await paused('writing')
    const task = taskOn([index])
    const slowly = execute(slow, task).catch((error: unknown) => error)
    await reached
    await fast.lead(signal)
    // Both servers write the same chunks now.
    resume()
    let status: TagStatus | undefined
    while (status?.finished !== true) {
      try {
        status = await fast.apply(task, signal)
      } catch (error) {
        if (!fast.isTransient(error)) throw error
      }
    }
    await slowly
    expect(status).toMatchObject({ updated: 1_500, failed: 0, nbRequest: 1 })
    for (const source of (await sources(index)).values()) expect(source.tags).toEqual(['v'])
    expect((await fast.position('c')).nextOffset).toBe(task.record.offset + 1)
    await fast.close()
    await slow.close()
  })
})
