import { afterEach, describe, expect, it, vi } from 'vitest'
import { dropTopic, makeTopic, newTopic, produce, sharedBrokers, topicSettings } from '../../../test/support/kafka.ts'
import { PATIENT } from '../../../test/support/patience.ts'
import { allOf, newRecord, openLogs } from './kafka-tag-log.fixture.ts'
import { printRecord } from './kafka-tag-log-record.ts'

const brokers = await sharedBrokers()
const { open, closeAll } = openLogs(() => brokers)

afterEach(closeAll)

const UNAVAILABLE = { code: 'LOG_UNAVAILABLE', status: 500, headers: { 'Retry-After': '5' } }

const LONGEST_TEXT = 65_536

/** Valid request texts with about this number of characters in total. */
const largeTexts = (characters: number): string[][] =>
  Array.from({ length: Math.ceil(characters / LONGEST_TEXT) }, () => ['x'.repeat(LONGEST_TEXT)])

describe.skipIf(brokers.length === 0)('the tag log in a topic', () => {
  it('gives offsets in order over all collections, from 0', async () => {
    const log = open(newTopic())
    const [a, b, c] = [newRecord('harbours'), newRecord('ships', { label: 'l' }), newRecord('harbours')]
    const appended = [await log.append(a), await log.append(b), await log.append(c)]
    expect(appended).toEqual([a, b, c].map((record, offset) => ({ v: 1, offset, ...record })))
    expect(await Promise.all([0, 1, 2, 3].map((from) => log.next('harbours', from)))).toEqual([
      appended[0],
      appended[2],
      appended[2],
      undefined,
    ])
    expect(await Promise.all([0, 1, 3].map((from) => log.count('harbours', from)))).toEqual([2, 1, 0])
    expect((await log.heads(new Map([['harbours', 1]]))).map(({ offset }) => offset)).toEqual([2, 1])
    expect([...(await log.counts(new Map()))]).toEqual([
      ['harbours', 2],
      ['ships', 1],
    ])
    expect(await log.find(b.id)).toEqual(appended[1])
    expect(await log.find('nobody')).toBeUndefined()
    expect(await log.firstOffset()).toBe(0)
    expect(await log.health()).toMatchObject({ ok: true })
  })

  it('sees a record as soon as it is accepted', async () => {
    const log = open(newTopic())
    for (let i = 0; i < 20; i += 1) {
      const { offset, id } = await log.append(newRecord('harbours'))
      expect([offset, await log.count('harbours', offset), (await log.find(id))?.offset]).toEqual([i, 1, i])
    }
  })

  it('takes requests that come together in the order they came', async () => {
    const log = open(newTopic())
    const records = Array.from({ length: 300 }, (_, i) => newRecord(`c${i % 3}`))
    const appended = await Promise.all(records.map((record) => log.append(record)))
    expect(appended.map(({ offset }) => offset)).toEqual(records.map((_, i) => i))
    expect((await allOf(log.list('c1'))).map(({ id }) => id)).toEqual(
      records.filter(({ collection }) => collection === 'c1').map(({ id }) => id),
    )
  })

  it('lists the records of a collection, from an offset and up to a number', async () => {
    const log = open(newTopic())
    for (let i = 0; i < 6; i += 1) await log.append(newRecord(i % 2 === 0 ? 'harbours' : 'ships'))
    const offsets = async (options?: { from?: number; size?: number }) =>
      (await allOf(log.list('harbours', options))).map(({ offset }) => offset)
    expect(await offsets()).toEqual([0, 2, 4])
    expect(await offsets({ from: 1 })).toEqual([2, 4])
    expect(await offsets({ from: 1, size: 1 })).toEqual([2])
    expect(await offsets({ from: 5 })).toEqual([])
    expect(await allOf(log.list('tides'))).toEqual([])
  })

  it('keeps every member of a record, null values and large texts too', async () => {
    const topic = newTopic()
    const record = newRecord('harbours', {
      action: 'REMOVEALL',
      label: 'épave "à" voir',
      principal: 'someone',
      partitionHeader: '{"f":[[{"field":"a","op":"eq","value":"b"}]]}',
      narrowing: 'ab12',
      request: {
        tag: { path: 'params.tags', value: null },
        search: { filter: { q: largeTexts(700_000) } },
        filter: { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] },
        partitionFilter: [{ f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] }],
        propagation: { field: 'params.job' },
        form: { pretty: true },
      },
    })
    const appended = await open(topic).append(record)
    await closeAll()
    expect(await open(topic).find(record.id)).toEqual(appended)
  })

  it('takes a record of more than a mebibyte, beside small ones', async () => {
    const log = open(newTopic())
    const large = newRecord('harbours', {
      request: { tag: { path: 'a', value: 'x' }, filter: { q: largeTexts(1_500_000) } },
    })
    const records = [newRecord('harbours'), large, newRecord('harbours')]
    const appended = await Promise.all(records.map((record) => log.append(record)))
    expect(appended.map(({ offset }) => offset)).toEqual([0, 1, 2])
  })

  it('goes on after a restart of the server', async () => {
    const topic = newTopic()
    const first = open(topic)
    const records = [await first.append(newRecord('harbours')), await first.append(newRecord('ships'))]
    await closeAll()
    const second = open(topic)
    expect(await second.next('ships', 0)).toEqual(records[1])
    expect(await second.count('harbours', 0)).toBe(1)
    expect(await second.append(newRecord('ships'))).toMatchObject({ offset: 2 })
    expect(await allOf(second.list('ships'))).toHaveLength(2)
  })

  it('shows what another server has appended, and tells of it', async () => {
    const topic = newTopic()
    const [one, other] = [open(topic), open(topic)]
    let told = 0
    await other.counts(new Map())
    const stop = other.onRecords(() => {
      told += 1
    })
    const record = await one.append(newRecord('harbours'))
    expect(await other.find(record.id)).toEqual(record)
    await vi.waitFor(() => expect(told).toBe(1), PATIENT)
    const second = await one.append(newRecord('harbours'))
    expect(await allOf(other.list('harbours'))).toEqual([record, second])
    await vi.waitFor(() => expect(told).toBe(2), PATIENT)
    stop()
    const third = await one.append(newRecord('harbours'))
    expect(await other.find(third.id)).toEqual(third)
    expect(told).toBe(2)
  })

  it('gives two servers distinct offsets', async () => {
    const topic = newTopic()
    const logs = [open(topic), open(topic)]
    const appended = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (logs[i % 2] ?? open(topic)).append(newRecord('harbours'))),
    )
    expect(appended.map(({ offset }) => offset).sort((a, b) => a - b)).toEqual(appended.map((_, i) => i))
  })

  it('skips a record that was sent twice', async () => {
    const topic = newTopic()
    const log = open(topic)
    const record = await log.append(newRecord('harbours'))
    await produce(brokers, topic, [{ value: printRecord(record) }, { value: printRecord(record) }])
    const next = await log.append(newRecord('harbours'))
    expect([record.offset, next.offset, log.badRecords]).toEqual([0, 3, 0])
    expect(await allOf(log.list('harbours'))).toEqual([record, next])
    expect([await log.count('harbours', 0), await log.next('harbours', 1)]).toEqual([2, next])
    expect(await log.find(record.id)).toEqual(record)
  })

  it('skips, counts and reports values that are no records', async () => {
    const topic = newTopic()
    const good = newRecord('harbours')
    await makeTopic(brokers, topic)
    const garbage = [
      'no json',
      '',
      'null',
      '[]',
      '{}',
      JSON.stringify({ ...JSON.parse(printRecord(good)), v: 2 }),
      JSON.stringify({ ...JSON.parse(printRecord(good)), action: 'PAINT' }),
      JSON.stringify({ ...JSON.parse(printRecord(good)), request: { tag: {} } }),
      JSON.stringify({ ...JSON.parse(printRecord(good)), request: { tag: { path: 'a' }, filter: { f: 'all' } } }),
    ]
    await produce(brokers, topic, [...garbage.map((value) => ({ value })), { value: printRecord(good) }])
    const log = open(topic)
    expect(await log.next('harbours', 0)).toEqual({ v: 1, offset: garbage.length, ...good })
    expect(log.badRecords).toBe(garbage.length)
    for (const offset of garbage.keys()) {
      expect(log.warnings.filter((text) => text.startsWith(`offset ${offset} of topic ${topic} `))).toHaveLength(1)
    }
    expect(await log.append(newRecord('harbours'))).toMatchObject({ offset: garbage.length + 1 })
  })

  it('makes the topic with one partition and no end of retention, and does not complain about it', async () => {
    const topic = newTopic()
    const log = open(topic)
    await log.append(newRecord('harbours'))
    const settings = await topicSettings(brokers, topic)
    expect([settings.get('cleanup.policy'), settings.get('retention.ms')]).toEqual(['delete', '-1'])
    expect(log.warnings).toEqual([])
  })

  it('makes the topic with the retention it is told, and warns of others', async () => {
    const topic = newTopic()
    const days = 90 * 86_400_000
    const log = open(topic, { retentionMs: days })
    await log.append(newRecord('harbours'))
    expect((await topicSettings(brokers, topic)).get('retention.ms')).toBe(String(days))
    expect(log.warnings).toEqual([])
    const other = open(topic)
    await other.counts(new Map())
    expect(other.warnings).toEqual([`topic ${topic} has retention.ms=${days}; the tag log requires -1`])
  })

  it('warns of a topic that is compacted', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { settings: { 'cleanup.policy': 'compact,delete', 'retention.ms': '-1' } })
    const log = open(topic)
    await log.counts(new Map())
    expect(log.warnings).toEqual([`topic ${topic} has cleanup.policy=compact,delete; the tag log requires delete`])
  })

  it('refuses a topic with two partitions, and says so', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { partitions: 2 })
    const log = open(topic)
    await expect(log.append(newRecord('harbours'))).rejects.toMatchObject(UNAVAILABLE)
    expect(await log.health()).toEqual({
      ok: false,
      detail: `topic ${topic} has 2 partitions; the tag log requires exactly one`,
    })
  })

  it('refuses a topic that ends below the highest position', async () => {
    const topic = newTopic()
    const log = open(topic)
    await log.append(newRecord('harbours'))
    await log.raise(1)
    expect(await log.append(newRecord('harbours'))).toMatchObject({ offset: 1 })
    await log.raise(5)
    await expect(log.append(newRecord('harbours'))).rejects.toMatchObject(UNAVAILABLE)
    await expect(log.next('harbours', 0)).rejects.toMatchObject(UNAVAILABLE)
    const detail = `topic ${topic} ends at offset 2, but offsets up to 5 were read before: it is another topic`
    expect(await log.health()).toEqual({ ok: false, detail })
    await closeAll()
    const restarted = open(topic)
    await restarted.raise(5)
    await expect(restarted.append(newRecord('harbours'))).rejects.toMatchObject(UNAVAILABLE)
    expect(await restarted.health()).toEqual({ ok: false, detail })
  })

  it('refuses a topic that is made anew while it is in use', async () => {
    const topic = newTopic()
    const log = open(topic)
    await log.append(newRecord('harbours'))
    await dropTopic(brokers, topic)
    await makeTopic(brokers, topic)
    await vi.waitFor(async () => expect((await log.health()).detail).toContain('was recreated'), PATIENT)
    await expect(log.append(newRecord('harbours'))).rejects.toMatchObject(UNAVAILABLE)
    await expect(allOf(log.list('harbours'))).rejects.toMatchObject(UNAVAILABLE)
  })

  it('forgets what the retention of the topic removed', async () => {
    const topic = newTopic()
    const log = open(topic)
    for (let i = 0; i < 4; i += 1) await log.append(newRecord('harbours'))
    await deleteBefore(topic, 3)
    await vi.waitFor(async () => expect(await log.firstOffset()).toBe(3), PATIENT)
    expect((await allOf(log.list('harbours'))).map(({ offset }) => offset)).toEqual([3])
    await closeAll()
    const restarted = open(topic)
    expect([await restarted.firstOffset(), await restarted.count('harbours', 0)]).toEqual([3, 1])
    expect(await restarted.append(newRecord('harbours'))).toMatchObject({ offset: 4 })
  })

  it('does not write what it could not read', async () => {
    const log = open(newTopic())
    const record = newRecord('', { label: 'no collection' })
    await expect(log.append(record)).rejects.toThrow('is not a valid record')
    expect(await log.append(newRecord('harbours'))).toMatchObject({ offset: 0 })
  })

  it('can be closed while it connects', async () => {
    const log = open(newTopic())
    await log.close()
    expect(await log.health()).toEqual({ ok: false, detail: 'the tag log is closed' })
  }, 30_000)

  it('is closed for good', async () => {
    const log = open(newTopic())
    await log.append(newRecord('harbours'))
    await log.close()
    await expect(log.append(newRecord('harbours'))).rejects.toMatchObject(UNAVAILABLE)
    expect(await log.health()).toEqual({ ok: false, detail: 'the tag log is closed' })
  })
})

async function deleteBefore(topic: string, offset: number): Promise<void> {
  const { Admin } = await import('@platformatic/kafka')
  const admin = new Admin({ clientId: 'test', bootstrapBrokers: [...brokers] })
  await admin.deleteRecords({ topics: [{ name: topic, partitions: [{ partition: 0, offset: BigInt(offset) }] }] })
  await admin.close()
}
