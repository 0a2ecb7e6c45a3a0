import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeldTargets, Hold } from '../../record/delivery-store.ts'
import { ClaimQueue } from './claim-queue.ts'

/** Hosts with room for some deliveries. Counts the calls of `holdOf`. */
class Hosts implements HeldTargets {
  readonly room = new Map<string, number>()
  readonly off = new Set<string>()
  readonly freed = new Set<string>()
  readonly moved = new Set<string>()
  asked = 0
  learned = 0

  lineOf(id: string): string {
    return `line ${id.split(':')[0]}`
  }

  holdOf(id: string): Hold | undefined {
    this.asked += 1
    if (this.off.has(id)) return { key: `subscription ${id}` }
    return (this.room.get(this.lineOf(id)) ?? 0) > 0 ? undefined : { key: this.lineOf(id) }
  }

  async learn(ids: readonly string[]): Promise<void> {
    this.learned += ids.length
  }

  takeFreed(): Iterable<string> {
    const freed = [...this.freed]
    this.freed.clear()
    return freed
  }

  takeMoved(): Iterable<string> {
    const moved = [...this.moved]
    this.moved.clear()
    return moved
  }

  free(line: string, places: number): void {
    this.room.set(line, (this.room.get(line) ?? 0) + places)
    this.freed.add(line)
  }
}

/** Claims everything possible. Each subscription has one delivery. */
async function takeAll(queue: ClaimQueue, hosts: Hosts, nowMs: number): Promise<string[]> {
  const taken: string[] = []
  do await queue.prepare(hosts)
  while (queue.hasFresh)
  while (queue.hasDue(nowMs)) {
    const id = queue.next(nowMs, hosts, { count: 0 })
    if (id === undefined) continue
    taken.push(id)
    hosts.room.set(hosts.lineOf(id), (hosts.room.get(hosts.lineOf(id)) ?? 0) - 1)
    queue.set(id, undefined)
  }
  return taken
}

describe('the queue of claims', () => {
  it('gives what is due and not held, oldest first, as a scan of everything would', async () => {
    const given = fc.uniqueArray(
      fc.record({
        id: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(30)).map(([host, n]) => `${host}:${n}`),
        due: fc.nat(9),
        isOff: fc.boolean(),
      }),
      { selector: ({ id }) => id },
    )
    const rooms = fc.record({ a: fc.nat(9), b: fc.nat(9), c: fc.nat(9) })
    const run = async (
      entries: readonly { id: string; due: number; isOff: boolean }[],
      room: { a: number; b: number; c: number },
      nowMs: number,
    ) => {
      const queue = new ClaimQueue()
      const hosts = new Hosts()
      for (const [host, places] of Object.entries(room)) hosts.room.set(`line ${host}`, places)
      entries.forEach(({ id, due, isOff }, order) => {
        queue.added(id, { due, order })
        if (isOff) hosts.off.add(id)
      })
      const left: Record<string, number> = { ...room }
      const expected = entries
        .map((entry, order) => ({ ...entry, order }))
        .sort((x, y) => x.due - y.due || x.order - y.order)
        .filter(({ id, due, isOff }) => {
          const host = id.charAt(0)
          if (isOff || due > nowMs || left[host] === 0) return false
          left[host] = (left[host] ?? 0) - 1
          return true
        })
      expect(await takeAll(queue, hosts, nowMs)).toEqual(expected.map(({ id }) => id))
    }
    await fc.assert(fc.asyncProperty(given, rooms, fc.nat(9), run))
  })

  it.each([10, 5_000])('asks about as many as it claims, not about the %i that wait', async (waiting) => {
    const queue = new ClaimQueue()
    const hosts = new Hosts()
    for (let n = 0; n < waiting; n++) queue.added(`slow:${n}`, { due: 1, order: n })
    expect(await takeAll(queue, hosts, 5)).toEqual([])
    // Asking about one of them is enough for all.
    expect(hosts.asked).toBe(1)
    for (let n = 0; n < 3; n++) {
      hosts.asked = 0
      hosts.free('line slow', 2)
      queue.added(`quick:${n}`, { due: 2, order: n })
      hosts.free('line quick', 1)
      expect(await takeAll(queue, hosts, 5)).toEqual([`slow:${2 * n}`, `slow:${2 * n + 1}`, `quick:${n}`])
      expect(hosts.asked).toBe(4)
    }
    expect(hosts.learned).toBe(waiting + 3)
  })

  it('passes those that are switched off once, until they are told of', async () => {
    const queue = new ClaimQueue()
    const hosts = new Hosts()
    hosts.free('line h', 9)
    for (let n = 0; n < 1_000; n++) {
      queue.added(`h:${n}`, { due: 1, order: n })
      if (n < 999) hosts.off.add(`h:${n}`)
    }
    expect(await takeAll(queue, hosts, 5)).toEqual(['h:999'])
    hosts.asked = 0
    expect([await takeAll(queue, hosts, 5), hosts.asked]).toEqual([[], 0])
    hosts.off.delete('h:7')
    hosts.moved.add('h:7')
    expect([await takeAll(queue, hosts, 5), hosts.asked]).toEqual([['h:7'], 1])
  })

  it('says when to look next', async () => {
    const queue = new ClaimQueue()
    const hosts = new Hosts()
    queue.added('a:1', { due: 50, order: 1 })
    queue.added('b:1', { due: 9, order: 2 })
    await queue.prepare(hosts)
    expect(queue.nextDue(5, hosts)).toBe(9)
    // The queue of b is full until it is freed.
    expect(queue.nextDue(10, hosts)).toBe(50)
    hosts.free('line b', 1)
    await queue.prepare(hosts)
    expect(queue.nextDue(10, hosts)).toBe(9)
    queue.set('b:1', undefined)
    expect(queue.nextDue(10, hosts)).toBe(50)
    const paused: HeldTargets = { lineOf: (id) => hosts.lineOf(id), holdOf: () => ({ key: 'pause', untilMs: 70 }) }
    expect(queue.nextDue(60, paused)).toBe(70)
    queue.set('a:1', undefined)
    expect([queue.nextDue(99, hosts), queue.size]).toEqual([undefined, 0])
  })
})
