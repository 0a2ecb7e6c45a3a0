import { afterEach, describe, expect, it } from 'vitest'
import { consume, makeTopic, newTopic, sharedBrokers } from '../../../test/support/kafka.ts'
import { type DeliveryUnderTest, deliveryUnderTest, newDelivery, newSubscription } from './delivery.fixture.ts'
import { kafkaChannel } from './kafka-channel.ts'
import { openReceiver, status } from './receiver.fixture.ts'

const brokers = await sharedBrokers()
const open: DeliveryUnderTest[] = []
afterEach(async () => {
  for (const test of open.splice(0)) await test.close()
})

async function start(mode: string, topic: string, callback: string): Promise<DeliveryUnderTest> {
  const kafka = { 'delivery.kafka.brokers': brokers.join(','), 'delivery.kafka.topic': topic }
  const test = deliveryUnderTest({ 'delivery.mode': mode, ...kafka })
  open.push(test)
  await test.subscriptions.insert(newSubscription('s1', callback))
  test.delivering.start()
  return test
}

describe.skipIf(brokers.length === 0)('notifications as orders in a topic', () => {
  it('are delivered once the broker has them, and the callback is not called', async () => {
    const receiver = await openReceiver()
    const topic = newTopic()
    await makeTopic(brokers, topic)
    const test = await start('kafka', topic, receiver.url)
    const payload = '{"type":"hit.update","timestamp":"2026-11-15T10:00:00.000Z","name":"Zoë"}'
    await test.insert(newDelivery('a', { channel: 'kafka', payload }))
    await expect.poll(() => test.outcome('a')).toEqual(['DELIVERED', 1, undefined, undefined])
    const [message] = await consume(brokers, topic, 1)
    expect([message?.key, message?.value]).toEqual(['s1', payload])
    expect([...(message?.headers ?? [])]).toEqual([['webhook-id', 'msg_a']])
    const id = await test.delivering.test('s1')
    expect((await test.store.get('s1', id))[0]).toMatchObject({ channel: 'kafka', state: 'DELIVERED' })
    expect(receiver.received).toEqual([])
    await receiver.close()
  })

  it('go their own way beside webhooks', async () => {
    const receiver = await openReceiver(status(500))
    const topic = newTopic()
    await makeTopic(brokers, topic)
    const test = await start('both', topic, receiver.url)
    await test.insert(newDelivery('a'), newDelivery('a', { channel: 'kafka' }))
    const states = async () => (await test.store.get('s1', 'msg_a')).map(({ channel, state }) => `${channel} ${state}`)
    await expect.poll(states).toEqual(['webhook PENDING', 'kafka DELIVERED'])
    await expect.poll(() => receiver.received.length).toBe(1)
    await receiver.close()
  })
})

describe('orders no broker takes', () => {
  it('wait longer and longer, and never fail', async () => {
    const faults: unknown[] = []
    const output = {
      send: async () => {
        throw new Error('away')
      },
      close: async () => undefined,
    }
    const channel = kafkaChannel(output, (error) => faults.push(error))
    const sent = { ...newDelivery('a'), state: 'DELIVERING', attempts: 0, earlierAttempts: 0, manual: false } as const
    const subscription = { ...newSubscription('s1', 'http://x.example.com/'), seq: 1, version: 1 }
    expect(await channel.send(sent, subscription, 0, new AbortController().signal)).toEqual({ error: 'CONNECT' })
    expect(faults.length).toBe(1)
    expect([1, 2, 7, 10, 1000].map((failures) => channel.wait(failures))).toEqual([1000, 2000, 60_000, 60_000, 60_000])
  })
})
