import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { describeEach, engines, type RunningServer } from '../support/engines.ts'
import { newTopic, sharedBrokers } from '../support/kafka.ts'
import { commands, firstDocuments } from './oracle/tagging-histories.ts'
import type { Command, Document } from './oracle/tagging-model.ts'
import { tryWithin } from './random-index.ts'
import { collections, History, Steps } from './tagging-history.ts'

const brokers = await sharedBrokers()
const inKafka = {
  'tagging.log.kind': 'kafka',
  'tagging.kafka.brokers': brokers.join(','),
  'tagging.kafka.topic': newTopic(),
}
const cases = engines.flatMap((engine) => {
  const own = { ...engine, where: `the ${engine.name} engine`, settings: {} }
  if (engine.name === 'embedded') return [own]
  const available = own.available && brokers.length > 0
  return [own, { ...own, where: `${own.where} with its log in Kafka`, settings: inKafka, available }]
})

describeEach(cases)('tagging on $where', ({ start, settings, share }) => {
  const steps = new Steps()
  let server: RunningServer
  beforeAll(async () => {
    server = await start(settings, { steps: (step) => steps.reach(step) })
  })
  afterAll(() => server?.stop())

  test('any history ends as it does in a plain model', async () => {
    const histories = fc.tuple(firstDocuments(12), commands(Object.keys(collections)))
    const law = async ([documents, history]: [readonly Document[], readonly Command[]]): Promise<void> => {
      const played = new History(server, steps)
      try {
        await played.begin(documents)
        await played.play(history)
        await played.check()
      } finally {
        server = played.server
        steps.next = undefined
        await played.remove()
      }
    }
    await tryWithin(histories, law, 60, 30_000 * share)
  })
})
