import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { KAFKA, KAFKA_OLDEST_JAVA } from './kafka-jars.ts'
import { startKafka } from './kafka-node.ts'
import { MissingTool } from './missing-tool.ts'

const HELP = `npm run kafka [-- OPTION...]

Starts a broker, ${KAFKA}, on this machine for development, fetched once from Maven Central; Ctrl-C ends it.
Needs Java ${KAFKA_OLDEST_JAVA} or newer and Maven (mvn).

  --port PORT  of the broker (9092); 0: any free one
  --data DIR   keep the topics there; without it, they go when the broker ends
  --heap MIB   its memory (256)
  --help

  npm run kafka
  npm run kafka -- --data ./data/kafka
`

/** A mistake of whoever called; told without a stack. */
class UsageFault extends Error {}

interface Options {
  readonly port: number
  readonly heapMiB: number
  readonly data?: string
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof MissingTool || error instanceof UsageFault)) throw error
  console.error(error.message)
  return 1
})

async function main(args: readonly string[]): Promise<number> {
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
  const ending = await Promise.race([stopped, node.ended().then(() => 'ended by itself')])
  await node.stop()
  if (ending === undefined) return 0
  console.error(`${KAFKA} ${ending}.`)
  return 1
}

function tell({ data }: Options, brokers: string): void {
  console.log(`${KAFKA} answers at ${brokers}`)
  console.log(`Notifications to it: npm start -- --set delivery.mode=both --set delivery.kafka.brokers=${brokers}`)
  console.log(
    data === undefined
      ? 'Ctrl-C ends it, and its topics go with it (--data DIR keeps them).'
      : `Ctrl-C ends it; its topics stay in ${resolve(data)}.`,
  )
}

function stopSignal(): Promise<undefined> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done(undefined))
  })
}

function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parsed(args)
  if (values.help === true) return undefined
  return {
    port: wholeNumber('--port', values.port ?? '9092', 0, 65_535),
    heapMiB: wholeNumber('--heap', values.heap ?? '256', 128, 31_744),
    ...(values.data === undefined ? {} : { data: values.data }),
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    const options = { port: text, data: text, heap: text, help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ args: [...args], options })
  } catch (error) {
    throw new UsageFault(`${error instanceof Error ? error.message : String(error)}\nSee npm run kafka -- --help`)
  }
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageFault(`${option} must be a whole number from ${least} to ${most}, got '${text}'`)
}

async function refuseTakenPort(port: number): Promise<void> {
  const taken = await new Promise<boolean>((told) => {
    const probe = createServer()
    probe.once('error', () => told(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => told(false)))
  })
  if (taken) throw new UsageFault(`Port ${port} cannot be used: it is taken. Choose another with --port.`)
}
