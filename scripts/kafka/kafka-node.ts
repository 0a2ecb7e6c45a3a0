import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { exists } from '../distribution.ts'
import { type GuardedProcess, spawnGuarded } from '../guarded-process.ts'
import { archiveOptions } from '../tools/class-archive.ts'
import { findJava } from '../tools/java-home.ts'
import { installKafka, KAFKA, KAFKA_OLDEST_JAVA } from './kafka-jars.ts'

const READY_WITHIN_MS = 120_000
/** Log line of a broker that is ready. */
const READY = 'Kafka Server started'
const PORT_TAKEN = 'Address already in use'
const TRIES = 5

/** A broker on loopback: one process that is its own controller. */
export interface KafkaNode {
  /** Bootstrap addresses for clients. */
  readonly brokers: readonly string[]
  /** Resolves when the running process has exited. */
  readonly ended: () => Promise<void>
  /** Stops it and removes its data, unless `data` was given. */
  readonly stop: () => Promise<void>
  /** Terminates it; `start` continues with the same port and data. */
  readonly halt: () => Promise<void>
  /** Kills it like a crash; `start` continues with the same port and data. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** Keeps connections open but does not respond until `resume`. */
  readonly pause: () => Promise<void>
  readonly resume: () => void
}

interface KafkaOptions {
  /** A free port by default. */
  readonly port?: number
  /** Data directory kept over restarts; by default a temporary one, removed with the broker. */
  readonly data?: string
  readonly heapMiB?: number
  /** Additional settings of the broker. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>
  readonly say?: (line: string) => void
}

/** Downloads (once) and starts a broker, and waits until it responds; it ends with this process at the latest. */
export async function startKafka(options: KafkaOptions = {}): Promise<KafkaNode> {
  const { say = () => undefined } = options
  const [home, java] = await Promise.all([installKafka(say), findJava(KAFKA_OLDEST_JAVA, KAFKA)])
  const start = (more: KafkaOptions, classes: readonly string[]): Promise<KafkaNode> =>
    startBroker(more, join(java.path, 'bin', 'java'), home, classes)
  const archived = { label: KAFKA, home, javaBuild: java.build, start: start.bind(undefined, {}) }
  return start(options, await archiveOptions(archived, say))
}

async function startBroker(
  options: KafkaOptions,
  java: string,
  jars: string,
  classes: readonly string[],
): Promise<KafkaNode> {
  const work = await mkdtemp(join(tmpdir(), 'periplus-kafka-'))
  const data = options.data === undefined ? join(work, 'data') : resolve(options.data)
  await prepareStorage(data)
  const command = [java, ...jvmOptions(options.heapMiB ?? 256), ...classes, '-cp', join(jars, '*'), 'kafka.Kafka']
  for (let tries = 1; ; tries += 1) {
    const ports = { broker: options.port || (await freePort()), controller: await freePort() }
    await writeFile(join(work, 'server.properties'), propertiesFile(ports, data, options.settings ?? {}))
    const launch = (): Promise<GuardedProcess> => launchBroker(command, work)
    try {
      return asNode(`127.0.0.1:${ports.broker}`, await launch(), launch)
    } catch (error) {
      // another process may have taken the port since it was found free
      const again = error instanceof Error && error.message.includes(PORT_TAKEN) && tries < TRIES
      if (!again || options.port) throw error
    }
  }
}

function asNode(broker: string, first: GuardedProcess, launch: () => Promise<GuardedProcess>): KafkaNode {
  let current = first
  return {
    brokers: [broker],
    ended: () => current.ended,
    stop: () => current.stop(),
    halt: async () => {
      if (current.alive()) process.kill(-current.pid, 'SIGTERM')
      await current.ended
      await current.kill()
    },
    kill: () => current.kill(),
    start: async () => {
      current = await launch()
    },
    pause: () => current.pause(),
    resume: () => current.resume(),
  }
}

async function launchBroker(command: readonly string[], work: string): Promise<GuardedProcess> {
  const log = join(work, `broker-${Date.now()}.log`)
  const { PATH = '' } = process.env
  const started = spawnGuarded({
    command: [...command, join(work, 'server.properties')],
    cwd: work,
    env: { PATH, HOME: work },
    log,
    directory: work,
  })
  try {
    await untilReady(started, log)
    return started
  } catch (error) {
    await started.kill()
    throw error
  }
}

async function untilReady(started: GuardedProcess, log: string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS
  for (;;) {
    const alive = started.alive()
    const text = await readFile(log, 'utf8')
    if (text.includes(READY)) return
    const clue = text.split('\n').find((line) => line.includes(PORT_TAKEN)) ?? text.slice(-3000)
    if (!alive) throw new Error(`${KAFKA} exited before it was ready:\n${clue}`)
    if (Date.now() > until) throw new Error(`${KAFKA} was not ready within ${READY_WITHIN_MS} ms:\n${clue}`)
    await new Promise((next) => setTimeout(next, 50))
  }
}

/** Options for a short run: light compilation, one collector thread. */
function jvmOptions(heapMiB: number): readonly string[] {
  return [
    `-Xms${heapMiB}m`,
    `-Xmx${heapMiB}m`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-XX:+ExitOnOutOfMemoryError',
    '-Dorg.slf4j.simpleLogger.showDateTime=true',
    '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS',
  ]
}

/** Writes the same as `kafka-storage format`, without starting another JVM. */
async function prepareStorage(data: string): Promise<void> {
  await mkdir(data, { recursive: true })
  const file = join(data, 'meta.properties')
  if (await exists(file)) return
  const uuid = (): string => randomBytes(16).toString('base64url')
  await writeFile(file, `version=1\ncluster.id=${uuid()}\nnode.id=1\ndirectory.id=${uuid()}\n`)
}

function propertiesFile(
  { broker, controller }: { readonly broker: number; readonly controller: number },
  data: string,
  settings: NonNullable<KafkaOptions['settings']>,
): string {
  const all = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `BROKER://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `BROKER://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'BROKER',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': data,
    // a single broker has one replica of everything
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    // no other broker to hand over to or to wait for
    'controlled.shutdown.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    // after a crash the controller waits this long before it accepts the restarted broker
    'broker.session.timeout.ms': 2_500,
    'broker.heartbeat.interval.ms': 200,
    'controller.quorum.election.timeout.ms': 200,
    'controller.quorum.fetch.timeout.ms': 500,
    ...settings,
  }
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

async function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((found, failed) => {
    probe.once('error', failed)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => found(port))
    })
  })
}
