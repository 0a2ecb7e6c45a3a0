import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { IssuerKeys } from './issuer-keys.ts'

const known: Record<'first' | 'second', JWK> = { first: {}, second: {} }

beforeAll(async () => {
  for (const kid of ['first', 'second'] as const) {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    known[kid] = { ...(await exportJWK(publicKey)), kid, alg: 'ES256' }
  }
})

/** An issuer with keys and a clock set by the test. */
function issuer() {
  const state = { now: 1_000_000, loads: 0, faults: 0, keys: undefined as JSONWebKeySet | undefined }
  const keys = new IssuerKeys({
    now: () => state.now,
    onFault: () => state.faults++,
    load: async () => {
      state.loads++
      if (state.keys === undefined) throw new Error('away')
      return state.keys
    },
  })
  const has = (kid: string): Promise<boolean> =>
    keys.find({ alg: 'ES256', kid }, { payload: '', signature: '' }).then(
      () => true,
      () => false,
    )
  return { state, has }
}

test('keys are read once, and again for an unknown id, at most once a minute', async () => {
  const { state, has } = issuer()
  state.keys = { keys: [known.first] }
  expect(await Promise.all([has('first'), has('first'), has('first')])).toEqual([true, true, true])
  expect(state.loads).toBe(1)

  state.keys = { keys: [known.first, known.second] }
  state.now += 59_999
  expect(await Promise.all([has('second'), has('x'), has('y')])).toEqual([false, false, false])
  expect(state.loads).toBe(1)
  state.now += 1
  expect(await has('second')).toBe(true)
  expect(state.loads).toBe(2)
  expect(await has('nobody')).toBe(false)
  expect(state.loads).toBe(2)
})

test('a withdrawn key is forgotten', async () => {
  const { state, has } = issuer()
  state.keys = { keys: [known.first] }
  expect(await has('first')).toBe(true)
  state.keys = { keys: [known.second] }
  expect(await has('first')).toBe(true)
  state.now += 600_001
  expect(await has('first')).toBe(false)
})

test('while the issuer is away the known keys count, and it is not asked all the time', async () => {
  const { state, has } = issuer()
  expect(await has('first')).toBe(false)
  expect(await has('first')).toBe(false)
  expect([state.loads, state.faults]).toEqual([1, 1])
  state.keys = { keys: [known.first] }
  state.now += 2_000
  expect(await has('first')).toBe(true)

  state.keys = undefined
  state.now += 600_001
  expect(await has('first')).toBe(true)
  expect(await has('first')).toBe(true)
  expect([state.loads, state.faults]).toEqual([3, 2])
})
