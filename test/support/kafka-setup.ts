import { createServer, type Server, type ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type KafkaNode, startKafka } from '../../scripts/kafka-node.ts'
import { MissingTool } from '../../scripts/missing-tool.ts'
import { isChecking } from './checking.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that returns the address of the shared broker, which is started on the first request. */
    kafkaStarter: string
  }
}

/**
 * Provides the shared broker on demand, because most runs do not need it. TEST_KAFKA_BROKERS specifies a running one
 * instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<KafkaNode | undefined> | undefined
  const given = process.env.TEST_KAFKA_BROKERS
  const answer = async (response: ServerResponse): Promise<void> => {
    try {
      if (given === undefined || given === '') starting ??= start()
      const brokers = (await starting)?.brokers ?? (given ?? '').split(',').filter((broker) => broker !== '')
      response.end(JSON.stringify(brokers))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }
  const server = createServer((_, response) => void answer(response))
  project.provide('kafkaStarter', await listen(server))
  return async () => {
    server.close()
    await (await starting)?.stop()
  }
}

async function start(): Promise<KafkaNode | undefined> {
  try {
    return await startKafka({ say: (line) => console.error(line) })
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    console.error(`\n*** TESTS WITH KAFKA ARE SKIPPED: ${error.message} ***\n`)
    return undefined
  }
}

function listen(server: Server): Promise<string> {
  return new Promise((listening) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      listening(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
    })
    server.unref()
  })
}
