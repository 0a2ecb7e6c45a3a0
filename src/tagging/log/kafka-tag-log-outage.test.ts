import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { newTopic, ownBroker } from '../../../test/support/kafka.ts'
import { PATIENT } from '../../../test/support/patience.ts'
import { allOf, newRecord, openLogs } from './kafka-tag-log.fixture.ts'

const broker = await ownBroker()
const { open, closeAll } = openLogs(() => broker?.brokers ?? [])

/** Opens a log that has read its topic, with the patience of a client. */
async function openReady(topic: string) {
  const log = open(topic, { patienceMs: 3_000 })
  await vi.waitFor(async () => expect((await log.health()).ok).toBe(true), PATIENT)
  return log
}

afterEach(closeAll)
afterAll(() => broker?.stop())

const UNAVAILABLE = { code: 'LOG_UNAVAILABLE', status: 500, headers: { 'Retry-After': '5' } }

/** Rejects if the call does not settle soon. */
async function soon<T>(call: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('it takes too long')), 60_000)
  return Promise.race([call, late.promise]).finally(() => clearTimeout(timer))
}

describe.skipIf(broker === undefined)('the tag log while its broker', () => {
  const node = broker as NonNullable<typeof broker>

  it('is stopped and started: nothing accepted is lost, nothing is accepted meanwhile', async () => {
    const topic = newTopic()
    const log = await openReady(topic)
    const before = await Promise.all(Array.from({ length: 10 }, () => log.append(newRecord('harbours'))))
    await node.halt()
    await expect(soon(log.append(newRecord('harbours')))).rejects.toMatchObject(UNAVAILABLE)
    await vi.waitFor(async () => expect((await log.health()).ok).toBe(false), PATIENT)
    expect((await log.health()).detail).toContain(`topic ${topic} cannot be reached`)
    // Records read before the outage stay available.
    expect(await soon(log.count('harbours', 0))).toBe(10)
    await expect(soon(log.find('unknown'))).rejects.toMatchObject(UNAVAILABLE)
    await expect(soon(allOf(log.list('harbours')))).rejects.toMatchObject(UNAVAILABLE)
    await node.start()
    await vi.waitFor(async () => expect((await log.health()).ok).toBe(true), PATIENT)
    const after = await log.append(newRecord('harbours'))
    expect(await allOf(log.list('harbours'))).toEqual([...before, after])
    expect(log.warnings.filter((text) => text.includes('cannot be reached')).length).toBeGreaterThan(0)
    await closeAll()
    expect(await allOf(open(topic).list('harbours'))).toEqual([...before, after])
  })

  it('crashes under load: what was accepted is there, in order and once', async () => {
    const log = await openReady(newTopic())
    await log.append(newRecord('harbours'))
    const accepted: string[] = []
    let refused = 0
    let running = true
    const client = async (): Promise<void> => {
      while (running) {
        const record = newRecord('harbours')
        await soon(log.append(record)).then(
          () => accepted.push(record.id),
          (error: unknown) => {
            expect(error).toMatchObject(UNAVAILABLE)
            refused += 1
          },
        )
      }
    }
    const clients = Array.from({ length: 5 }, client)
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(50), PATIENT)
    await node.kill()
    await vi.waitFor(() => expect(refused).toBeGreaterThan(0), PATIENT)
    await node.start()
    const atStart = accepted.length
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(atStart + 50), PATIENT)
    running = false
    await Promise.all(clients)
    const records = await allOf(log.list('harbours'))
    const ids = records.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(accepted.filter((id) => !ids.includes(id))).toEqual([])
    expect(records.map(({ offset }) => offset)).toEqual(records.map(({ offset }) => offset).toSorted((a, b) => a - b))
  })

  it('hangs: calls end all the same, and go on when it goes on', async () => {
    const log = await openReady(newTopic())
    const first = await log.append(newRecord('harbours'))
    await node.pause()
    try {
      await expect(soon(log.append(newRecord('ships')))).rejects.toMatchObject(UNAVAILABLE)
      await vi.waitFor(async () => expect((await log.health()).ok).toBe(false), PATIENT)
      await expect(soon(log.append(newRecord('ships')))).rejects.toMatchObject(UNAVAILABLE)
      expect(await soon(log.next('harbours', 0))).toEqual(first)
    } finally {
      node.resume()
    }
    await vi.waitFor(async () => expect((await log.health()).ok).toBe(true), PATIENT)
    const second = await log.append(newRecord('harbours'))
    expect(await allOf(log.list('harbours'))).toEqual([first, second])
  })

  it('is away at the start: it is found when it comes', async () => {
    await node.halt()
    const log = open(newTopic(), { patienceMs: 1_000 })
    await log.raise(0)
    await expect(soon(log.append(newRecord('harbours')))).rejects.toMatchObject(UNAVAILABLE)
    await expect(soon(log.count('harbours', 0))).rejects.toMatchObject(UNAVAILABLE)
    expect((await log.health()).ok).toBe(false)
    await node.start()
    await vi.waitFor(async () => expect((await log.health()).ok).toBe(true), PATIENT)
    expect(await log.append(newRecord('harbours'))).toMatchObject({ offset: 0 })
  })

  it('is away when the log is closed', async () => {
    const log = await openReady(newTopic())
    await log.append(newRecord('harbours'))
    await node.pause()
    const appending = log.append(newRecord('harbours'))
    const failed = expect(soon(appending)).rejects.toMatchObject(UNAVAILABLE)
    try {
      await soon(log.close())
      await failed
    } finally {
      node.resume()
    }
  })
})
