import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { ClusterClient } from '../../cluster-client/cluster-client.ts'
import { openTransportClient } from '../../cluster-client/transport-client.ts'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import type { NewTagRecord, TagRecord } from '../../model/tag-record.ts'
import { type ClusterTagLogOptions, openClusterTagLog } from './cluster-tag-log.ts'
import type { TagLog } from './tag-log.ts'

const { client } = clusterUnderTest()
const base = `t-tag-log-${randomUUID().slice(0, 8)}`
const prefixes: string[] = []
const logs: TagLog[] = []

afterAll(async () => {
  for (const log of logs) await log.close()
  for (const prefix of prefixes) {
    await client.send({ method: 'DELETE', path: `/${prefix}tag-log`, query: { ignore_unavailable: true } })
  }
  await client.close()
})

function newPrefix(): string {
  const prefix = `${base}-${prefixes.length}-`
  prefixes.push(prefix)
  return prefix
}

function open(prefix: string, options: Partial<ClusterTagLogOptions> = {}): TagLog {
  const log = openClusterTagLog({ client, prefix, activeShards: 'all', ...options })
  logs.push(log)
  return log
}

const recordOf = (collection = 'c', more: Partial<NewTagRecord> = {}): NewTagRecord => ({
  id: randomUUID(),
  collection,
  action: 'ADD',
  creationTime: 1_794_736_800_000,
  request: { tag: { path: 'tags', value: 'v' } },
  ...more,
})

async function listed(log: TagLog, collection: string, options = {}): Promise<readonly TagRecord[]> {
  const records: TagRecord[] = []
  for await (const record of log.list(collection, options)) records.push(record)
  return records
}

const putRaw = (prefix: string, id: string, body: Record<string, string | number | boolean>) =>
  client.send({ method: 'PUT', path: `/${prefix}tag-log/_doc/${id}`, body })

const idOf = (offset: number): string => String(offset).padStart(20, '0')

describe('the log in an index', () => {
  test('gives records back as they came, from any server', async () => {
    const prefix = newPrefix()
    const [log, other] = [open(prefix), open(prefix)]
    const full = recordOf('ships', {
      action: 'REMOVE',
      label: 'l',
      principal: 'me',
      partitionHeader: '{"ships":{"f":[]}}',
      narrowing: 'ab12',
      request: {
        tag: { path: 'a.b', value: 7.5 },
        search: { filter: { f: [[{ field: 'job', op: 'eq', value: 'Actor' }]] } },
        partitionFilter: [{ q: [['it\'s "$x" \\ ctx._source 🚢']] }],
      },
    })
    const removeAll = recordOf('ships', { action: 'REMOVEALL', request: { tag: { path: 'a', value: null } } })
    expect(await log.append(full)).toEqual({ v: 1, offset: 0, ...full })
    expect(await log.append(removeAll)).toEqual({ v: 1, offset: 1, ...removeAll })
    expect(await log.append(recordOf('cars'))).toMatchObject({ offset: 2 })
    expect(await other.find(full.id)).toEqual({ v: 1, offset: 0, ...full })
    expect(await other.find(removeAll.id)).toEqual({ v: 1, offset: 1, ...removeAll })
    expect(await other.find(randomUUID())).toBeUndefined()
    expect(await other.next('ships', 1)).toMatchObject({ id: removeAll.id })
    expect(await other.next('ships', 2)).toBeUndefined()
    expect(await other.next('nobody', 0)).toBeUndefined()
    expect(await other.count('ships', 0)).toBe(2)
    expect(await other.count('ships', 1)).toBe(1)
    const positions = new Map([['ships', 1]])
    expect((await other.heads(positions)).map(({ offset }) => offset)).toEqual([1, 2])
    expect((await other.heads(new Map([...positions, ['cars', 3]]))).map(({ offset }) => offset)).toEqual([1])
    expect([...(await other.counts(positions))]).toEqual([
      ['ships', 1],
      ['cars', 1],
    ])
    expect(await listed(other, 'ships', { from: 1 })).toEqual([{ v: 1, offset: 1, ...removeAll }])
    expect(await other.health()).toEqual({ ok: true, detail: `tag log in index ${prefix}tag-log` })
  })

  test('gives every record of two servers an offset of its own, each in the order it was sent', async () => {
    const prefix = newPrefix()
    const [log, other] = [open(prefix), open(prefix)]
    const send = async (from: TagLog, collection: string): Promise<readonly TagRecord[]> => {
      const records: TagRecord[] = []
      for (let i = 0; i < 20; i++) {
        const three = await Promise.all([0, 1, 2].map(() => from.append(recordOf(collection))))
        records.push(...three)
      }
      return records
    }
    const [mine, others] = await Promise.all([send(log, 'a'), send(other, 'b')])
    const offsets = [...mine, ...others].map(({ offset }) => offset).sort((a, b) => a - b)
    expect(offsets).toEqual(Array.from({ length: 120 }, (_, i) => i))
    for (const records of [mine, others]) {
      const batches = Array.from({ length: 20 }, (_, i) => records.slice(i * 3, i * 3 + 3).map(({ offset }) => offset))
      for (const [i, batch] of batches.entries()) {
        if (i > 0) expect(Math.min(...batch)).toBeGreaterThan(Math.max(...(batches[i - 1] ?? [])))
      }
    }
    const third = open(prefix)
    expect((await listed(third, 'a')).map(({ offset }) => offset)).toEqual(
      mine.map(({ offset }) => offset).sort((a, b) => a - b),
    )
    expect(await listed(third, 'b', { size: 7 })).toHaveLength(7)
  })

  test('tells of records that other servers wrote', async () => {
    const prefix = newPrefix()
    const [log, other] = [open(prefix, { pollMs: 20 }), open(prefix)]
    const told = Promise.withResolvers<void>()
    const stop = log.onRecords(() => told.resolve())
    await other.append(recordOf())
    await told.promise
    expect(await log.next('c', 0)).toMatchObject({ offset: 0 })
    stop()
  })

  test('asks for what is next no more often for many collections than for one', async () => {
    const prefix = newPrefix()
    let asked = 0
    const counting: ClusterClient = {
      ...client,
      send: (call) => {
        asked++
        return client.send(call)
      },
    }
    const log = open(prefix, { client: counting })
    const requestsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const before = asked
      await work()
      return asked - before
    }
    const append = async (names: readonly string[]): Promise<void> => {
      await Promise.all(names.map((name) => log.append(recordOf(name))))
    }
    await append(['one'])
    const done = new Map([['one', 1]])
    const few = [await requestsOf(() => log.heads(done)), await requestsOf(() => log.counts(done))]
    await append(Array.from({ length: 40 }, (_, i) => `c${i}`))
    const all = new Map([...done, ...Array.from({ length: 40 }, (_, i): [string, number] => [`c${i}`, 41])])
    expect([await requestsOf(() => log.heads(all)), await requestsOf(() => log.counts(all))]).toEqual(few)
    expect(await log.heads(all)).toEqual([])
    expect(await log.heads(done)).toHaveLength(40)
  })

  test('lists thousands of records', async () => {
    const prefix = newPrefix()
    const log = open(prefix)
    await Promise.all(Array.from({ length: 1_300 }, (_, i) => log.append(recordOf(i % 2 === 0 ? 'even' : 'odd'))))
    const reader = open(prefix)
    expect(await reader.count('even', 0)).toBe(650)
    expect((await listed(reader, 'odd')).length).toBe(650)
  })

  test('waits for a number that is missing, then closes the gap for good', async () => {
    const prefix = newPrefix()
    const log = open(prefix, { gapMs: 3_000 })
    await log.append(recordOf())
    const late = recordOf('c')
    await putRaw(prefix, idOf(2), { v: 1, id: late.id, collection: 'c', action: 'ADD', creationTime: 1, number: 2 })
    expect(await log.count('c', 0)).toBe(1)
    const appended = await log.append(recordOf())
    expect(appended.offset).toBe(3)
    await expect.poll(() => log.count('c', 0)).toBe(3)
    const taken = client.send({
      method: 'PUT',
      path: `/${prefix}tag-log/_create/${idOf(1)}`,
      body: { v: 1, id: 'x' },
    })
    await expect(taken).rejects.toMatchObject({ status: 409 })
    expect(log.badRecords).toBe(0)
  })

  test('lets a record in that comes in time', async () => {
    const prefix = newPrefix()
    const log = open(prefix, { gapMs: 60_000 })
    await log.append(recordOf())
    await putRaw(prefix, idOf(2), { v: 1, id: 'second', collection: 'c', action: 'ADD', creationTime: 1, number: 2 })
    expect(await log.count('c', 0)).toBe(1)
    await putRaw(prefix, idOf(1), { v: 1, id: 'first', collection: 'c', action: 'ADD', creationTime: 1, number: 1 })
    expect(await log.count('c', 0)).toBe(3)
  })

  test('passes over what is no record, and counts it', async () => {
    const prefix = newPrefix()
    const bad: number[] = []
    const log = open(prefix, { onBadRecord: (offset) => bad.push(offset) })
    await log.append(recordOf())
    await putRaw(prefix, idOf(1), { v: 2, id: 'x', collection: 'c', number: 1 })
    await log.append(recordOf())
    expect((await listed(log, 'c')).map(({ offset }) => offset)).toEqual([0, 2])
    expect(log.badRecords).toBe(1)
    expect(bad).toEqual([1])
  })

  test('never hands out an offset below the position of the documents', async () => {
    const prefix = newPrefix()
    const [log, other] = [open(prefix), open(prefix)]
    await log.append(recordOf())
    await log.raise(100_000)
    expect(await log.append(recordOf())).toMatchObject({ offset: 100_000 })
    expect(await other.append(recordOf())).toMatchObject({ offset: 100_001 })
    await log.raise(5)
    expect(await log.append(recordOf())).toMatchObject({ offset: 100_002 })
    expect((await listed(open(prefix), 'c')).map(({ offset }) => offset)).toEqual([0, 100_000, 100_001, 100_002])
  })

  test('removes old records from the head, for every server', async () => {
    const prefix = newPrefix()
    const [log, other] = [open(prefix), open(prefix)]
    for (let i = 0; i < 5; i++) await log.append(recordOf('c', { creationTime: i }))
    expect(await other.count('c', 0)).toBe(5)
    expect(await log.trim?.(4, ({ offset }) => offset !== 3)).toBe(3)
    expect(await log.firstOffset()).toBe(3)
    expect(await other.firstOffset()).toBe(3)
    expect(await log.count('c', 0)).toBe(2)
    expect((await listed(other, 'c')).map(({ offset }) => offset)).toEqual([3, 4])
    const later = open(prefix)
    expect(await later.count('c', 0)).toBe(2)
    expect(await later.append(recordOf())).toMatchObject({ offset: 5 })
    expect(await log.trim?.(Number.MAX_SAFE_INTEGER, () => true)).toBe(6)
    expect(await open(prefix).append(recordOf())).toMatchObject({ offset: 6 })
  })

  test('is unavailable when the cluster is', async () => {
    const away = openTransportClient({ urls: ['http://127.0.0.1:1'] })
    const log = open('away-', { client: away })
    const unavailable = { code: 'ENGINE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } }
    await expect(log.append(recordOf())).rejects.toMatchObject(unavailable)
    await expect(log.find('x')).rejects.toMatchObject(unavailable)
    await expect(log.next('c', 0)).rejects.toMatchObject(unavailable)
    await expect(log.count('c', 0)).rejects.toMatchObject(unavailable)
    await expect(log.raise(1)).rejects.toMatchObject(unavailable)
    await expect(listed(log, 'c')).rejects.toMatchObject(unavailable)
    expect(await log.health()).toMatchObject({ ok: false })
    await away.close()
  })

  test('does not take a record that too few copies would have', async () => {
    const log = open(newPrefix(), { activeShards: '2' })
    await expect(log.append(recordOf())).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    expect(await log.count('c', 0)).toBe(0)
  })
})
