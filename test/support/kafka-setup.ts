import type { TestProject } from 'vitest/node'
import { startKafka } from '../../scripts/kafka/kafka-node.ts'
import { offerService } from './shared-service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the brokers that the tests of this project share, see kafka.ts. */
    kafkaService: string
  }
}

/** The first test that asks starts the broker: most runs need none. TEST_KAFKA_BROKERS names one that runs already. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_KAFKA_BROKERS
  const service = await offerService('TESTS WITH KAFKA', async () => {
    if (given !== undefined && given !== '') return { address: given, stop: async () => undefined }
    const node = await startKafka({ say: (line) => console.error(line) })
    return { address: node.brokers.join(','), stop: node.stop }
  })
  project.provide('kafkaService', service.url)
  return service.stop
}
