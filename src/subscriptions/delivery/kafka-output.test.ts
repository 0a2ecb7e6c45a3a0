import { afterEach, describe, expect, it } from 'vitest'
import { consume, makeTopic, newTopic, sharedBrokers } from '../../../test/support/kafka.ts'
import { type KafkaOutput, type KafkaOutputOptions, openKafkaOutput } from './kafka-output.ts'

const brokers = await sharedBrokers()
const outputs: KafkaOutput[] = []

afterEach(async () => void (await Promise.all(outputs.splice(0).map((output) => output.close()))))

function open(topic: string, options: Partial<KafkaOutputOptions> = {}): KafkaOutput {
  const output = openKafkaOutput({ brokers, topic, ...options })
  outputs.push(output)
  return output
}

describe.skipIf(brokers.length === 0)('notifications to a topic', () => {
  it('arrive byte for byte, with key and headers', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    const value = '{"type":"hit.update","title":"Épave 🚢"}'
    await open(topic).send('1234', value, { 'webhook-id': 'msg_1' })
    const [message] = await consume(brokers, topic, 1)
    expect([message?.key, message?.value]).toEqual(['1234', value])
    expect([...(message?.headers ?? [])]).toEqual([['webhook-id', 'msg_1']])
  })

  it('take bytes as well as texts', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    await open(topic).send('1234', new TextEncoder().encode('{"n":"é"}'), {})
    const [message] = await consume(brokers, topic, 1)
    expect(message?.value).toBe('{"n":"é"}')
  })

  it('are all sent, those of one key in order and to one partition', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { partitions: 3 })
    const output = open(topic)
    const sent = Array.from({ length: 200 }, (_, i) => ({ key: `s${i % 7}`, value: String(i) }))
    await Promise.all(sent.map(({ key, value }) => output.send(key, value, {})))
    const received = await consume(brokers, topic, sent.length)
    const partitions = new Set(received.map(({ partition }) => partition))
    expect(partitions.size).toBeGreaterThan(1)
    for (let i = 0; i < 7; i += 1) {
      const own = received.filter(({ key }) => key === `s${i}`)
      expect(new Set(own.map(({ partition }) => partition)).size).toBe(1)
      expect(own.map(({ value }) => value)).toEqual(sent.filter(({ key }) => key === `s${i}`).map(({ value }) => value))
    }
  })

  it('make the topic when the broker does that', async () => {
    const topic = newTopic()
    await open(topic).send('1234', 'first', {})
    expect((await consume(brokers, topic, 1)).map(({ value }) => value)).toEqual(['first'])
  })

  it('that are too large are refused, and only those', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic, { settings: { 'max.message.bytes': '2000' } })
    const output = open(topic)
    const sent = ['a', 'b'.repeat(5_000), 'c', 'd'].map((value) => output.send('1234', value, {}))
    const outcomes = (await Promise.allSettled(sent)).map(({ status }) => status)
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect((await consume(brokers, topic, 3)).map(({ value }) => value)).toEqual(['a', 'c', 'd'])
  })

  it('fail within the time they are given when nobody answers', async () => {
    const output = open(newTopic(), { brokers: ['127.0.0.1:1'], patienceMs: 500 })
    await expect(output.send('1234', 'x', {})).rejects.toThrow('within 500 ms')
    await expect(output.send('1234', 'x', {})).rejects.toThrow('within 500 ms')
  })

  it('are not sent once it is closed', async () => {
    const topic = newTopic()
    await makeTopic(brokers, topic)
    const output = open(topic)
    await output.send('1234', 'x', {})
    await output.close()
    await expect(output.send('1234', 'y', {})).rejects.toThrow('closed')
  })
})
