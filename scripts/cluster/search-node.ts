import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Distribution, install } from '../distribution.ts'
import { type GuardedProcess, spawnGuarded } from '../guarded-process.ts'
import type { Purpose } from '../server-command.ts'
import { findJava } from '../tools/java-home.ts'
import { type UnprivilegedUser, unprivilegedUser } from '../unprivileged-user.ts'
import { elasticsearchCommand } from './elasticsearch-command.ts'
import { opensearchCommand } from './opensearch-command.ts'

const READY_WITHIN_MS = 180_000

/** A node of a search cluster on loopback. */
export interface SearchNode {
  readonly url: string
  readonly pid: number
  /** Resolves when it has exited. */
  readonly ended: Promise<void>
  /** Stops it and removes its data, unless `data` was given. */
  readonly stop: () => Promise<void>
  /** Kills it like a crash. */
  readonly kill: () => Promise<void>
}

export interface NodeOptions {
  readonly heapMiB?: number
  /** A free port by default. */
  readonly port?: number
  /** Data directory kept over restarts; by default a temporary one, removed with the node. */
  readonly data?: string
  /** Determines the JVM options; `measuring`: the defaults of the distribution. */
  readonly purpose?: Purpose
  readonly name?: string
  /** Additional settings of the server. */
  readonly settings?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** Additional JVM options. */
  readonly jvmOptions?: readonly string[]
  readonly say?: (line: string) => void
}

/** A node that is starting; `work` contains its configuration and its log. */
interface StartingNode extends Omit<SearchNode, 'url'> {
  readonly work: string
  /** Resolves to its published address. */
  readonly address: (of: 'http' | 'transport') => Promise<string>
}

/** Starts a single node and waits until it responds; it ends with this process at the latest. */
export async function startNode(distribution: Distribution, options: NodeOptions = {}): Promise<SearchNode> {
  const node = await launchNode(distribution, {
    ...options,
    settings: { 'discovery.type': 'single-node', ...options.settings },
  })
  try {
    const url = `http://${await node.address('http')}`
    await waitForHealth(url, 'wait_for_status=yellow')
    return { ...node, url }
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** Starts a node without waiting for it. */
export async function launchNode(distribution: Distribution, options: NodeOptions): Promise<StartingNode> {
  const {
    heapMiB = 1024,
    port = 0,
    purpose = 'measuring',
    name = 'node-1',
    jvmOptions = [],
    say = () => undefined,
  } = options
  const [installed, java, user] = await Promise.all([
    install(distribution, say),
    findJava(distribution.oldestJava, distribution.label),
    unprivilegedUser(),
  ])
  const work = await mkdtemp(join(tmpdir(), 'periplus-node-'))
  const home = await reachable(installed, work, user)
  const data = options.data === undefined ? join(work, 'data') : resolve(options.data)
  await Promise.all([
    ...['conf', 'logs', 'tmp'].map((part) => mkdir(join(work, part))),
    mkdir(data, { recursive: true }),
  ])
  await writeConfiguration(distribution, join(work, 'conf'), {
    'node.name': name,
    'cluster.name': 'periplus',
    'network.host': '127.0.0.1',
    'http.port': port,
    'transport.port': 0,
    'path.data': data,
    'path.logs': join(work, 'logs'),
    'cluster.routing.allocation.disk.threshold_enabled': false,
    ...options.settings,
  })
  await Promise.all([user.own(work), user.own(data)])
  const launch = { home, java: java.path, work, heapMiB, purpose, jvmOptions }
  const made =
    distribution.family === 'opensearch' ? opensearchCommand(launch) : await elasticsearchCommand(launch, user)
  const log = join(work, 'node.log')
  const { PATH = '' } = process.env
  const started = spawnGuarded({
    command: [...user.prefix, ...made.command],
    cwd: made.cwd,
    env: { PATH, HOME: work, ...made.env },
    log,
    directory: work,
  })
  return {
    work,
    pid: started.pid,
    ended: started.ended,
    stop: started.stop,
    kill: started.kill,
    address: (of) => publishedAddress(distribution.label, started, log, of),
  }
}

/** Returns the installation, or a copy if the user that runs it cannot read it. */
async function reachable(installed: string, work: string, user: UnprivilegedUser): Promise<string> {
  if (await user.canEnter(installed)) return installed
  const copy = join(work, 'home')
  await cp(installed, copy, { recursive: true })
  return copy
}

const LOGGING = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %-5p %c{1} %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
`

async function writeConfiguration(
  { family }: Distribution,
  conf: string,
  settings: NonNullable<NodeOptions['settings']>,
): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  await writeFile(join(conf, `${family}.yml`), lines.join(''))
  await writeFile(join(conf, 'log4j2.properties'), LOGGING)
}

/** The system chooses the ports, so that concurrent starts do not collide; they are read from the log. */
const PUBLISHED = {
  http: /HttpServerTransport.*publish_address \{([^}]+)\}/,
  transport: /TransportService.*publish_address \{([^}]+)\}/,
}

async function publishedAddress(
  label: string,
  started: GuardedProcess,
  log: string,
  of: 'http' | 'transport',
): Promise<string> {
  const until = Date.now() + READY_WITHIN_MS
  for (;;) {
    const alive = started.alive()
    const text = await readFile(log, 'utf8')
    const address = PUBLISHED[of].exec(text)?.[1]
    if (address !== undefined) return address
    if (!alive) throw new Error(`${label} exited before it was ready:\n${text.slice(-3000)}`)
    if (Date.now() > until)
      throw new Error(`${label} was not ready within ${READY_WITHIN_MS} ms:\n${text.slice(-3000)}`)
    await new Promise((next) => setTimeout(next, 100))
  }
}

/** `condition`: parameters of `_cluster/health` to wait for. */
export async function waitForHealth(url: string, condition: string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS
  for (;;) {
    const answer = await fetch(`${url}/_cluster/health?${condition}&timeout=10s`)
    const text = await answer.text()
    if (answer.ok) return
    if (Date.now() > until) throw new Error(`${url} did not reach ${condition}: ${text.slice(0, 1000)}`)
  }
}
