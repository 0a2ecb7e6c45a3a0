import { describe, expect, it } from 'vitest'
import { HostLines, type HostSign } from './host-lines.ts'

/** Jobs that end when the test ends them. */
class Jobs {
  readonly running: string[] = []
  readonly dropped: string[] = []
  readonly #ends = new Map<string, (sign: HostSign) => void>()
  readonly lines: HostLines

  constructor(lines: HostLines) {
    this.lines = lines
  }

  add(name: string, host: string, subscription = name): void {
    this.lines.add(
      host,
      subscription,
      () => {
        this.running.push(name)
        return new Promise((resolve) => this.#ends.set(name, resolve))
      },
      async () => {
        this.dropped.push(name)
      },
    )
  }

  async end(name: string, sign: HostSign = 'success'): Promise<void> {
    this.running.splice(this.running.indexOf(name), 1)
    this.#ends.get(name)?.(sign)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const jobsWith = (concurrency: number, perHost: number, perSubscription = 99) =>
  new Jobs(new HostLines({ concurrency, perHost, perSubscription }))

describe('lines of hosts', () => {
  it('let no host take the turns of another', async () => {
    const jobs = jobsWith(3, 2)
    for (const n of [1, 2, 3, 4]) jobs.add(`slow${n}`, 'slow')
    jobs.add('quick1', 'quick')
    jobs.add('quick2', 'quick')
    expect(jobs.running).toEqual(['slow1', 'slow2', 'quick1'])
    await jobs.end('quick1')
    expect(jobs.running).toEqual(['slow1', 'slow2', 'quick2'])
  })

  it('are taken in turn', async () => {
    const jobs = jobsWith(1, 8)
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) jobs.add(name, name.slice(0, 1))
    const order: string[] = []
    while (jobs.running.length > 0) {
      const [name = ''] = jobs.running
      order.push(name)
      await jobs.end(name)
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  it('keep to the limit of a subscription, and take the next of another one', async () => {
    const jobs = jobsWith(9, 9, 1)
    jobs.add('a1', 'h', 'a')
    jobs.add('a2', 'h', 'a')
    jobs.add('b1', 'h', 'b')
    expect(jobs.running).toEqual(['a1', 'b1'])
    await jobs.end('a1')
    expect(jobs.running).toEqual(['b1', 'a2'])
  })

  it('get shorter when the host is overloaded, and longer after twenty successes', async () => {
    const jobs = jobsWith(99, 4)
    let n = 0
    const next = () => jobs.add(`j${++n}`, 'h')
    for (let i = 0; i < 5; i++) next()
    expect(jobs.running).toEqual(['j1', 'j2', 'j3', 'j4'])
    await jobs.end('j1', 'overload')
    expect(jobs.running).toEqual(['j2', 'j3', 'j4'])
    await jobs.end('j2', 'overload')
    await jobs.end('j3', 'overload')
    expect(jobs.running).toEqual(['j4'])
    await jobs.end('j4', 'neither')
    expect(jobs.running).toEqual(['j5'])
    next()
    for (let i = 0; i < 19; i++) {
      await jobs.end(jobs.running[0] ?? '')
      next()
      expect(jobs.running.length).toBe(1)
    }
    await jobs.end(jobs.running[0] ?? '')
    next()
    expect(jobs.running.length).toBe(2)
  })

  it('have room for as many more as run', () => {
    const jobs = jobsWith(99, 2, 3)
    const { lines } = jobs
    expect([lines.hasRoom('h'), lines.hasRoomFor('h', 'a')]).toEqual([true, true])
    for (const n of [1, 2, 3]) jobs.add(`a${n}`, 'h', 'a')
    expect([lines.hasRoom('h'), lines.hasRoom('h', 1)]).toEqual([true, false])
    jobs.add('a4', 'h', 'a')
    expect([lines.hasRoom('h'), lines.hasRoom('i')]).toEqual([false, true])
    expect([lines.hasRoomFor('h', 'a', 1), lines.hasRoomFor('h', 'a', 2), lines.hasRoomFor('h', 'b')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('tell of each that left, and when there is space for several again', async () => {
    const left: string[] = []
    let nowMs = 0
    const tell = (host: string, subscription: string): void => {
      left.push(`${host} ${subscription} ${lines.isSpacious(host)}`)
    }
    const lines: HostLines = new HostLines({ concurrency: 99, perHost: 4, perSubscription: 99 }, tell, () => nowMs)
    const jobs = new Jobs(lines)
    for (let n = 1; n <= 8; n++) jobs.add(`j${n}`, 'h', 's')
    nowMs = 1_000
    for (const name of ['j1', 'j2']) await jobs.end(name)
    await lines.drop('s')
    expect(left).toEqual(['h s false', 'h s true', 'h s true', 'h s true'])
    expect(lines.room).toBe(1024)
  })

  it('hold more of a host that answers at once, and give them back when it gets slow', async () => {
    let nowMs = 0
    const lines = new HostLines({ concurrency: 99, perHost: 2, perSubscription: 99 }, undefined, () => nowMs)
    const jobs = new Jobs(lines)
    const fill = (): number => {
      let added = 0
      for (; lines.hasRoom('h'); added++) jobs.add(`j${nowMs}.${added}`, 'h')
      return added
    }
    expect(fill()).toBe(4)
    nowMs = 10
    // 10 ms each, two at a time: 100 in half a second.
    await jobs.end('j0.0')
    expect(fill()).toBe(97)
    nowMs = 5_000
    await jobs.end('j0.1')
    // About a second each.
    expect([jobs.dropped.length, jobs.dropped[0], jobs.running.length]).toEqual([95, 'j10.96', 2])
    expect([lines.hasRoom('h'), lines.room]).toEqual([false, 1022])
  })

  it('drop those of one subscription, or all', async () => {
    const jobs = jobsWith(1, 1)
    jobs.add('a1', 'h', 'a')
    jobs.add('a2', 'h', 'a')
    jobs.add('b1', 'i', 'b')
    jobs.add('c1', 'i', 'c')
    await jobs.lines.drop('a')
    expect([jobs.running, jobs.dropped]).toEqual([['a1'], ['a2']])
    await jobs.end('a1')
    expect(jobs.running).toEqual(['b1'])
    await jobs.lines.drop()
    expect(jobs.dropped).toEqual(['a2', 'c1'])
    await jobs.end('b1')
    expect(jobs.running).toEqual([])
    expect(jobs.lines.hasRoom('h')).toBe(true)
  })
})
