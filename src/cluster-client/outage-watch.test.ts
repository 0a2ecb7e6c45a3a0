import { expect, it } from 'vitest'
import { problem } from '../errors.ts'
import { type ClusterClient, ClusterFailure, ClusterRefusal } from './cluster-client.ts'
import { engineProblem } from './cluster-problem.ts'
import { isOutage, watchOutages } from './outage-watch.ts'

const unreachable = new ClusterFailure('unreachable', 'connect ECONNREFUSED')

/** A client that fails with the error of `state`, if it has one. */
function watched() {
  const state: { error?: Error | undefined; ms: number } = { ms: 0 }
  const lines: unknown[] = []
  const client: ClusterClient = {
    send: () => (state.error === undefined ? Promise.resolve({} as never) : Promise.reject(state.error)),
    close: () => Promise.resolve(),
  }
  const log = { warn: (details: object, message: string) => lines.push({ ...details, message }) }
  const own = watchOutages(client, log, () => state.ms)
  const call = async (error: Error | undefined, ms = 0) => {
    state.ms += ms
    state.error = error
    await own.send({ method: 'GET', path: '/' }).catch((thrown: unknown) => expect(thrown).toBe(error))
    return lines.splice(0)
  }
  return { call, close: () => own.close() }
}

it('reports an outage once, then rarely with a count, and its end once', async () => {
  const { call } = watched()
  expect(await call(undefined)).toEqual([])
  expect(await call(unreachable)).toEqual([
    {
      message: 'the cluster is unavailable',
      reason: expect.stringContaining('No node of the cluster can be reached'),
      detail: expect.stringContaining('ECONNREFUSED'),
      seconds: 0,
      failedCalls: 1,
    },
  ])
  for (let i = 0; i < 100; i++) expect(await call(unreachable, 1_000)).toEqual([])
  expect(await call(unreachable, 500_000)).toMatchObject([
    { message: 'the cluster is still unavailable', seconds: 600, failedCalls: 102 },
  ])
  expect(await call(undefined, 1_000)).toEqual([
    { message: 'the cluster is available again', seconds: 601, failedCalls: 102 },
  ])
  expect(await call(undefined)).toEqual([])
})

it('does not report each of many short outages', async () => {
  const { call } = watched()
  await call(unreachable)
  await call(undefined)
  expect(await call(unreachable, 1_000)).toEqual([])
  expect(await call(undefined, 1_000)).toEqual([])
  expect(await call(unreachable, 1_000)).toEqual([])
  expect(await call(unreachable, 60_000)).toMatchObject([{ message: 'the cluster is unavailable', failedCalls: 2 }])
})

it('takes neither refusals nor a closed client for an outage', async () => {
  const { call, close } = watched()
  expect(await call(new ClusterRefusal(503, 'unavailable_shards_exception', ''))).toEqual([])
  expect(await call(new ClusterFailure('timeout', 'slow'))).toEqual([])
  await close()
  expect(await call(unreachable)).toEqual([])
})

it('recognises an outage behind the problem of a request', () => {
  expect(isOutage(engineProblem(unreachable))).toBe(true)
  expect(isOutage(Object.assign(problem('LOG_UNAVAILABLE', {}), { cause: engineProblem(unreachable) }))).toBe(true)
  expect(isOutage(problem('ENGINE_UNAVAILABLE', {}))).toBe(false)
  expect(isOutage(undefined)).toBe(false)
})
