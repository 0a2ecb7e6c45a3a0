import { type EngineUnderTest, engines } from './engines.ts'
import { newTopic, sharedBrokers } from './kafka.ts'

interface TagLogUnderTest extends Omit<EngineUnderTest, 'start'> {
  readonly where: string
  readonly start: (hooks?: Parameters<EngineUnderTest['start']>[1]) => ReturnType<EngineUnderTest['start']>
}

/** All storages of the tag log: the one of each engine, and Kafka. */
export async function tagLogs(): Promise<readonly TagLogUnderTest[]> {
  const brokers = await sharedBrokers()
  return engines.flatMap((engine) => {
    const own = { ...engine, where: `the ${engine.name} engine`, start: engine.start.bind(undefined, {}) }
    if (engine.name === 'embedded') return [own]
    const settings = {
      'tagging.log.kind': 'kafka',
      'tagging.kafka.brokers': brokers.join(','),
      'tagging.kafka.topic': newTopic(),
    }
    const available = engine.available && brokers.length > 0
    const where = `${own.where} with its log in Kafka`
    return [own, { ...engine, where, available, start: engine.start.bind(undefined, settings) }]
  })
}
