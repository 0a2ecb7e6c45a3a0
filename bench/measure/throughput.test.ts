import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { refreshAtOnce, throughputOf, whileClientsAsk } from './throughput.ts'

/** Counts requests under way; each takes a turn of the event loop. */
function counted() {
  const state = { underWay: 0, most: 0, numbers: [] as number[] }
  const send = async (n: number): Promise<void> => {
    state.numbers.push(n)
    state.most = Math.max(state.most, ++state.underWay)
    await turn()
    state.underWay--
  }
  return { state, send }
}

test('every client has one request under way', async () => {
  const { state, send } = counted()
  const { clients, requests, requestsPerSecond, timing } = await throughputOf(8, 0.05, send)
  expect(clients).toBe(8)
  expect(state.most).toBe(8)
  expect(state.underWay).toBe(0)
  expect(state.numbers).toEqual(state.numbers.map((_, n) => n))
  expect(requests).toBe(state.numbers.length)
  expect(timing.repetitions).toBe(requests)
  // A timer can fire up to a millisecond early.
  expect(requestsPerSecond).toBeLessThanOrEqual(requests / 0.049)
  expect(requestsPerSecond).toBeGreaterThan(0)
})

test('a request that takes longer than the time is waited for', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const measured = throughputOf(1, 0.001, () => promise)
  setTimeout(resolve, 20)
  expect((await measured).requests).toBe(1)
})

test('clients ask as long as the work takes', async () => {
  const { state, send } = counted()
  const { result, throughput } = await whileClientsAsk(2, send, async () => {
    while (state.numbers.length < 20) await turn()
    return 'written'
  })
  expect(result).toBe('written')
  expect(throughput.requests).toBeGreaterThanOrEqual(20)
})

test('a failed request ends the measurement and the other clients', async () => {
  const { state, send } = counted()
  const failing = async (n: number): Promise<void> => {
    if (n === 5) throw new Error('refused')
    await send(n)
  }
  await expect(throughputOf(3, 3600, failing)).rejects.toThrow('refused')
  while (state.underWay > 0) await turn()
  const { length } = state.numbers
  await turn()
  expect(state.numbers).toHaveLength(length)
})

test('failed work ends the clients', async () => {
  const { send } = counted()
  await expect(whileClientsAsk(2, send, () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
})

test('a refresh sends all requests before the first answer', async () => {
  const { state, send } = counted()
  const ms = await refreshAtOnce(Array.from({ length: 30 }, (_, n) => () => send(n)))
  expect(state.most).toBe(30)
  expect(ms).toBeGreaterThan(0)
})
