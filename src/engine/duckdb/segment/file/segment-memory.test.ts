import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SegmentMemory, Slot, type Unpin } from './segment-memory.ts'

/** A column that is loaded when the test says so. */
class SlowColumn {
  readonly loads: AbortSignal[] = []
  readonly slot: Slot<string>
  #done = Promise.withResolvers<string>()

  constructor(bytes = 10) {
    this.slot = new Slot(bytes, (signal) => {
      this.loads.push(signal)
      this.#done = Promise.withResolvers()
      return this.#done.promise
    })
  }

  finish(): void {
    this.#done.resolve('value')
  }

  fail(): void {
    this.#done.reject(new Error('unreadable'))
  }
}

const loads: string[] = []
const column = (name: string, bytes = 10): Slot<string> =>
  new Slot(bytes, async () => {
    loads.push(name)
    return name
  })

async function use(memory: SegmentMemory, ...slots: readonly Slot[]): Promise<void> {
  const release = await memory.hold(slots)
  for (const slot of slots) expect(slot.value).toBeDefined()
  release()
}

describe('the memory of segments', () => {
  it('loads once, even if several ask at the same time', async () => {
    const memory = new SegmentMemory(100)
    const { slot, loads: begun, finish } = bound(new SlowColumn())
    const holding = [memory.hold([slot]), memory.hold([slot, slot]), memory.hold([slot])]
    expect(memory).toMatchObject({ bytes: 10, loads: 1 })
    finish()
    const releases = await Promise.all(holding)
    expect(slot.value).toBe('value')
    for (const release of releases) release()
    expect(begun).toHaveLength(1)
    expect(memory).toMatchObject({ bytes: 10, loads: 1, evictions: 0, maxBytes: 100 })
  })

  it('holds at once what is loaded', async () => {
    const memory = new SegmentMemory(100)
    const a = column('a')
    await use(memory, a)
    expect(memory.hold([a])).toBeTypeOf('function')
  })

  it('drops what was used least recently', async () => {
    const memory = new SegmentMemory(20)
    const [a, b, c] = [column('a'), column('b'), column('c')]
    loads.length = 0
    for (const slot of [a, b, a, c, a, b]) await use(memory, slot)
    expect(loads).toEqual(['a', 'b', 'c', 'b'])
    expect(memory).toMatchObject({ bytes: 20, loads: 4, evictions: 2 })
    expect([a.value, b.value, c.value]).toEqual(['a', 'b', undefined])
  })

  it('keeps what is in use, over the budget', async () => {
    const memory = new SegmentMemory(15)
    const [a, b, c, d] = [column('a'), column('b'), column('c'), column('d')]
    const release = await memory.hold([a, b, c])
    expect(memory).toMatchObject({ bytes: 30, evictions: 0 })
    await use(memory, d)
    expect(memory).toMatchObject({ bytes: 30, evictions: 1 })
    expect([a.value, b.value, c.value]).toEqual(['a', 'b', 'c'])
    release()
    expect(memory).toMatchObject({ bytes: 10, evictions: 3 })
  })

  it('releases once only', async () => {
    const memory = new SegmentMemory(5)
    const a = column('a')
    const [first, second] = [await memory.hold([a]), await memory.hold([a])]
    first()
    first()
    expect(memory.bytes).toBe(10)
    second()
    expect(memory.bytes).toBe(0)
  })

  it('holds nothing if something cannot be loaded, and loads it again for the next', async () => {
    const memory = new SegmentMemory(0)
    const broken = new SlowColumn()
    const holding = memory.hold([column('a'), broken.slot])
    broken.fail()
    await expect(holding).rejects.toThrow('unreadable')
    expect(memory.bytes).toBe(0)
    const again = memory.hold([broken.slot])
    broken.finish()
    const release = await again
    expect(broken.slot.value).toBe('value')
    release()
    expect(memory).toMatchObject({ bytes: 0, loads: 3 })
  })

  it('releases what an aborted reader waits for, and stops loading if nobody else does', async () => {
    const memory = new SegmentMemory(0)
    const [shared, alone] = [new SlowColumn(), new SlowColumn()]
    const leaving = new AbortController()
    const holding = memory.hold([shared.slot, alone.slot], leaving.signal)
    const other = memory.hold([shared.slot])
    leaving.abort(new Error('left'))
    await expect(holding).rejects.toThrow('left')
    expect([shared.loads[0]?.aborted, alone.loads[0]?.aborted]).toEqual([false, true])
    expect(memory.bytes).toBe(10)
    shared.finish()
    const release = await other
    release()
    expect(memory.bytes).toBe(0)
    // The aborted load may end in any way.
    alone.fail()
    await setImmediate()
    expect(memory.bytes).toBe(0)
    expect(() => memory.hold([shared.slot], leaving.signal)).toThrow('left')
    expect(memory.bytes).toBe(0)
  })

  it('forgets what nobody will want again, if it is in use later', async () => {
    const memory = new SegmentMemory(100)
    const [a, b, c] = [column('a'), column('b'), column('c')]
    await use(memory, a, b, c)
    const release = await memory.hold([a])
    memory.forget([a, b])
    expect(memory.bytes).toBe(20)
    release()
    expect(memory).toMatchObject({ bytes: 10, evictions: 0 })
  })

  it('counts exactly, whatever happens', async () => {
    const number = fc.integer({ min: 0, max: 7 })
    const step = fc.oneof(
      fc.record({
        hold: fc.array(number, { maxLength: 4 }),
        next: fc.constantFrom('wait' as const, 'go on' as const, 'abort' as const),
      }),
      fc.record({ release: fc.nat() }),
      fc.record({ forget: number }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(60), async (steps, maxBytes) => {
        const memory = new SegmentMemory(maxBytes)
        const slots = Array.from({ length: 8 }, (_, n) => {
          const load = async (signal: AbortSignal): Promise<number> => {
            for (let i = 0; i < n; i++) await undefined
            signal.throwIfAborted()
            if (n === 7) throw new Error('seven')
            return n
          }
          return new Slot(n * 3, load)
        })
        const slotsOf = (numbers: readonly number[]): readonly Slot[] => numbers.flatMap((n) => slots[n] ?? [])
        const held: { readonly numbers: readonly number[]; readonly release: Unpin }[] = []
        const pending: Promise<unknown>[] = []
        for (const now of steps) {
          if ('hold' in now) {
            const abort = new AbortController()
            const holding = Promise.resolve(memory.hold(slotsOf(now.hold), abort.signal)).then(
              (release) => held.push({ numbers: now.hold, release }),
              () => expect(now.next === 'abort' || now.hold.includes(7)).toBe(true),
            )
            pending.push(holding)
            if (now.next === 'abort') abort.abort()
            if (now.next === 'wait') await holding
          } else if ('release' in now) held.splice(now.release % (held.length + 1), 1)[0]?.release()
          else memory.forget(slotsOf([now.forget]))
          for (const { numbers } of held) expect(slotsOf(numbers).map(({ value }) => value)).toEqual(numbers)
        }
        await Promise.all(pending)
        const inUse = new Set(held.flatMap(({ numbers }) => numbers))
        const least = [...inUse].reduce((sum, n) => sum + n * 3, 0)
        expect(memory.bytes).toBeGreaterThanOrEqual(least)
        expect(memory.bytes).toBeLessThanOrEqual(Math.max(least, maxBytes))
        for (const { release } of held) release()
        expect(memory.bytes).toBeLessThanOrEqual(maxBytes)
        memory.forget(slots)
        expect(memory.bytes).toBe(0)
      }),
    )
  })
})

/** With methods that can be taken apart. */
const bound = (slow: SlowColumn) => ({ slot: slow.slot, loads: slow.loads, finish: () => slow.finish() })
