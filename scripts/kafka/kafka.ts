import { resolve } from 'node:path'
import { readFlags, refuseTakenPort, runCommand, stopSignal, wholeNumber } from '../development-command.ts'
import { KAFKA, KAFKA_OLDEST_JAVA } from './kafka-jars.ts'
import { startKafka } from './kafka-node.ts'

const HELP = `npm run kafka [-- OPTION...]

Starts a broker, ${KAFKA}, on this machine for development, downloaded once from Maven Central. Stop it with Ctrl-C.
Needs Java ${KAFKA_OLDEST_JAVA} or newer and Maven (mvn).

  --port PORT  port of the broker (default 9092); 0: any free port
  --data DIR   data directory (default: temporary, deleted when the broker stops)
  --heap MIB   heap of the broker (default 256)
  --help

  npm run kafka
  npm run kafka -- --data ./data/kafka
`

interface Options {
  readonly port: number
  readonly heapMiB: number
  readonly data?: string
}

process.exitCode = await runCommand(main)

async function main(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) {
    console.log(HELP)
    return 0
  }
  const stopped = stopSignal()
  await refuseTakenPort(options.port)
  console.error(`Starting ${KAFKA}...`)
  const starting = startKafka({ ...options, say: (line) => console.error(line) })
  const node = await Promise.race([starting, stopped])
  if (node === undefined) {
    await starting.then((started) => started.stop())
    return 0
  }
  tell(options, node.brokers.join(','))
  const ending = await Promise.race([stopped, node.ended().then(() => 'exited unexpectedly')])
  await node.stop()
  if (ending === undefined) return 0
  console.error(`${KAFKA} ${ending}.`)
  return 1
}

function tell({ data }: Options, brokers: string): void {
  console.log(`${KAFKA} is ready at ${brokers}`)
  console.log(
    `Send notifications to it with: npm start -- --set delivery.mode=both --set delivery.kafka.brokers=${brokers}`,
  )
  console.log(
    data === undefined
      ? 'Stop it with Ctrl-C. Its topics are then deleted (use --data DIR to keep them).'
      : `Stop it with Ctrl-C. Its topics are kept in ${resolve(data)}.`,
  )
}

function readOptions(args: string[]): Options | undefined {
  const text = { type: 'string' } as const
  const help = { type: 'boolean', short: 'h' } as const
  const flags = readFlags('kafka', args, { port: text, data: text, heap: text, help })
  if (flags.help === true) return undefined
  return {
    port: wholeNumber('--port', flags.port ?? '9092', 0, 65_535),
    heapMiB: wholeNumber('--heap', flags.heap ?? '256', 128, 31_744),
    ...(flags.data === undefined ? {} : { data: flags.data }),
  }
}
