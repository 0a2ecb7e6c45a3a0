import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ReadLength, ReadSlots, type Release, SLOW_AFTER_MS } from './read-slots.ts'

let slots: ReadSlots
let begun: string[]
let releases: Map<string, Release>
let refused: Map<string, unknown>

beforeEach(() => {
  vi.useFakeTimers()
  slots = new ReadSlots(2)
  begun = []
  releases = new Map()
  refused = new Map()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Requests a slot. The read has started once its name is in `begun`. */
async function ask(name: string, length: ReadLength = 'quick', signal?: AbortSignal, caller?: string): Promise<void> {
  slots.take(length, signal, caller).then(
    (release) => {
      begun.push(name)
      releases.set(name, release)
    },
    (error: unknown) => refused.set(name, error),
  )
  await settled()
}

async function end(name: string): Promise<void> {
  releases.get(name)?.()
  await settled()
}

const settled = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined)
const passes = (ms: number): Promise<void> => vi.advanceTimersByTimeAsync(ms).then(() => undefined)

describe('quick reads', () => {
  it('begin at once up to the bound, then in the order they came', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await ask(name)
    expect(begun).toEqual(['a', 'b'])
    expect([slots.running, slots.waiting]).toEqual([2, 2])
    await end('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    await end('a')
    await end('c')
    await end('d')
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    expect([slots.running, slots.waiting]).toEqual([0, 0])
  })

  it('make way for the next when they turn out slow', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(name)
    await passes(SLOW_AFTER_MS - 1)
    expect(begun).toEqual(['a', 'b'])
    await passes(1)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    expect([slots.running, slots.waiting]).toEqual([4, 1])
  })

  it('keep their slot while there is no slow one, and give it up when there is', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(name)
    await passes(3 * SLOW_AFTER_MS)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect([slots.running, slots.waiting]).toEqual([4, 0])
  })

  it('no longer ask for a slow slot when they are over', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await ask(name)
    await passes(2 * SLOW_AFTER_MS)
    for (const name of ['c', 'd', 'a', 'b']) await end(name)
    expect(slots.running).toBe(0)
    await ask('x', 'long')
    await ask('y', 'long')
    await ask('z', 'long')
    expect(begun.slice(4)).toEqual(['x', 'y'])
  })
})

describe('long reads', () => {
  it('leave the quick slots alone however many there are', async () => {
    for (const name of ['a', 'b', 'c']) await ask(name, 'long')
    await ask('quick')
    expect(begun).toEqual(['a', 'b', 'quick'])
    await passes(SLOW_AFTER_MS)
    await ask('other')
    expect(begun).toEqual(['a', 'b', 'quick', 'other'])
    expect([slots.running, slots.waiting]).toEqual([4, 1])
  })

  it('wait in one line with quick reads that turned out slow', async () => {
    await ask('a', 'long')
    await ask('b', 'long')
    await ask('slow')
    await ask('also slow')
    await passes(SLOW_AFTER_MS)
    await ask('c', 'long')
    await ask('quick')
    await end('a')
    expect(begun).toEqual(['a', 'b', 'slow', 'also slow', 'quick'])
    await end('b')
    expect(begun).not.toContain('c')
    await end('slow')
    expect(begun).toContain('c')
  })
})

describe('a read that is given up', () => {
  it.each(['quick', 'long'] as const)('leaves the line of %s ones', async (length) => {
    const controller = new AbortController()
    await ask('a', length)
    await ask('b', length)
    await ask('c', length, controller.signal)
    await ask('d', length)
    controller.abort(new Error('no longer wanted'))
    await settled()
    expect(refused.get('c')).toMatchObject({ message: 'no longer wanted' })
    expect(slots.waiting).toBe(1)
    await end('a')
    expect(begun).toEqual(['a', 'b', 'd'])
  })

  it('does not even enter it', async () => {
    await ask('a', 'quick', AbortSignal.abort(new Error('too late')))
    expect(refused.get('a')).toMatchObject({ message: 'too late' })
    expect([slots.running, slots.waiting]).toEqual([0, 0])
  })

  it('keeps its slot until it is over once it has begun', async () => {
    const controller = new AbortController()
    await ask('a', 'quick', controller.signal)
    controller.abort()
    expect(slots.running).toBe(1)
    await end('a')
    expect(slots.running).toBe(0)
  })
})

it('a slot released twice is free once', async () => {
  await ask('a')
  await ask('b')
  await end('a')
  await end('a')
  expect(slots.running).toBe(1)
})

it('closing refuses those that wait and those that come', async () => {
  for (const name of ['a', 'b', 'c']) await ask(name)
  for (const name of ['x', 'y', 'z']) await ask(name, 'long')
  slots.close()
  await settled()
  await ask('late')
  expect([...refused.keys()]).toEqual(['c', 'z', 'late'])
  for (const error of refused.values()) expect(error).toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  for (const name of ['a', 'b', 'x', 'y']) await end(name)
  expect([slots.running, slots.waiting]).toEqual([0, 0])
  expect(begun).toHaveLength(4)
})

describe('callers', () => {
  it('have at most three quarters of the slots each', async () => {
    slots = new ReadSlots(4)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await ask(name, 'quick', undefined, 'a')
    expect(begun).toEqual(['a1', 'a2', 'a3'])
    await ask('b1', 'quick', undefined, 'b')
    await ask('b2', 'quick', undefined, 'b')
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1'])
    await end('a1')
    expect(begun.slice(4)).toEqual(['a4'])
    await end('b1')
    expect(begun.slice(5)).toEqual(['b2'])
  })

  it('leave slots to others also when all their reads are slow', async () => {
    slots = new ReadSlots(4)
    for (let i = 0; i < 20; i++) await ask(`a${i}`, 'quick', undefined, 'a')
    for (let i = 0; i < 10; i++) await passes(SLOW_AFTER_MS)
    expect(begun).toHaveLength(6)
    await ask('b', 'quick', undefined, 'b')
    await ask('c', 'long', undefined, 'c')
    expect(begun.slice(6)).toEqual(['b', 'c'])
  })

  it('do not bound the work of the server itself', async () => {
    slots = new ReadSlots(4)
    for (const name of ['a', 'b', 'c', 'd']) await ask(name)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })
})
