import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Loadable, type Loaded, SegmentMemory } from './segment-memory.ts'

/** Columns that are loaded when the test says so. */
class Disk {
  readonly loads: string[] = []

  column(key: string, bytes: number): Loadable<string> {
    return {
      key,
      load: async () => {
        this.loads.push(key)
        return { bytes, value: `value of ${key}` }
      },
    }
  }
}

describe('the memory of segments', () => {
  it('loads once, even if several ask at the same time', async () => {
    const memory = new SegmentMemory(100)
    const disk = new Disk()
    const { load } = disk.column('a', 10)
    const values = await Promise.all([memory.get('a', load), memory.get('a', load), memory.get('a', load)])
    expect(values).toEqual(Array(3).fill('value of a'))
    expect(await memory.get('a', load)).toBe('value of a')
    expect(disk.loads).toEqual(['a'])
    expect(memory).toMatchObject({ bytes: 10, loads: 1, evictions: 0, maxBytes: 100 })
  })

  it('drops what was used least recently', async () => {
    const memory = new SegmentMemory(20)
    const disk = new Disk()
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await memory.use([disk.column(key, 10)], () => undefined)
    expect(disk.loads).toEqual(['a', 'b', 'c', 'b'])
    expect(memory).toMatchObject({ bytes: 20, loads: 4, evictions: 2 })
  })

  it('keeps what is in use, over the budget', async () => {
    const memory = new SegmentMemory(15)
    const disk = new Disk()
    const columns = ['a', 'b', 'c'].map((key) => disk.column(key, 10))
    const values = await memory.use(columns, async (values) => {
      expect(memory).toMatchObject({ bytes: 30, evictions: 0 })
      await memory.use([disk.column('d', 10)], () => expect(memory.bytes).toBe(40))
      expect(memory).toMatchObject({ bytes: 30, evictions: 1 })
      return values
    })
    expect(values).toEqual(['value of a', 'value of b', 'value of c'])
    expect(memory).toMatchObject({ bytes: 10, evictions: 3 })
  })

  it('releases also if the work fails, and once only', async () => {
    const memory = new SegmentMemory(5)
    const disk = new Disk()
    const failing = memory.use([disk.column('a', 10)], () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(memory.bytes).toBe(0)
    const first = await memory.hold([disk.column('a', 10)])
    const second = await memory.hold([disk.column('a', 10)])
    first.release()
    first.release()
    expect(memory.bytes).toBe(10)
    second.release()
    expect(memory.bytes).toBe(0)
  })

  it('loads again after a failure', async () => {
    const memory = new SegmentMemory(100)
    const disk = new Disk()
    let failures = 2
    const load = async (): Promise<Loaded<string>> => {
      if (failures-- > 0) throw new Error('unreadable')
      return { bytes: 1, value: 'x' }
    }
    await expect(memory.use([disk.column('b', 10), { key: 'a', load }], () => undefined)).rejects.toThrow('unreadable')
    const attempts = await Promise.allSettled([memory.get('a', load), memory.get('a', load)])
    expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await memory.get('a', load)).toBe('x')
    expect(memory).toMatchObject({ bytes: 11, loads: 4 })
    const sync = (): never => {
      throw new Error('at once')
    }
    await expect(memory.get('c', sync)).rejects.toThrow('at once')
  })

  it('forgets obsolete values, those in use later', async () => {
    const memory = new SegmentMemory(100)
    const disk = new Disk()
    for (const key of ['1/a', '1/b', '2/a']) await memory.get(key, disk.column(key, 10).load)
    await memory.use([disk.column('1/a', 10)], () => {
      memory.forget((key) => key.startsWith('1/'))
      expect(memory.bytes).toBe(20)
    })
    expect(memory).toMatchObject({ bytes: 10, evictions: 0 })
    await memory.get('1/a', disk.column('1/a', 10).load)
    expect(disk.loads).toEqual(['1/a', '1/b', '2/a', '1/a'])
  })

  it('counts exactly, whatever happens', async () => {
    const key = fc.integer({ min: 0, max: 7 })
    const step = fc.oneof(
      fc.record({ hold: fc.array(key, { maxLength: 4 }), waits: fc.boolean() }),
      fc.record({ release: fc.nat() }),
      fc.record({ forget: key }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(60), async (steps, maxBytes) => {
        const memory = new SegmentMemory(maxBytes)
        const held: { release(): void }[] = []
        const pending: Promise<unknown>[] = []
        const load = async (n: number): Promise<Loaded<number>> => {
          for (let i = 0; i < n; i++) await undefined
          if (n === 7) throw new Error('seven')
          return { bytes: n * 3, value: n }
        }
        for (const now of steps) {
          if ('hold' in now) {
            const wanted = now.hold.map((n) => ({ key: String(n), load: () => load(n) }))
            const holding = memory.hold(wanted).then(
              (found) => {
                expect(found.values).toEqual(now.hold)
                held.push(found)
              },
              () => expect(now.hold).toContain(7),
            )
            pending.push(holding)
            if (now.waits) await holding
          } else if ('release' in now) held.splice(now.release % (held.length + 1), 1)[0]?.release()
          else memory.forget((name) => name === String(now.forget))
          expect(memory.bytes).toBeGreaterThanOrEqual(0)
        }
        await Promise.all(pending)
        for (const { release } of held) release()
        expect(memory.bytes).toBeLessThanOrEqual(maxBytes)
        memory.forget(() => true)
        expect(memory.bytes).toBe(0)
      }),
    )
  })
})
