import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../test/support/server-process.ts'

const run = promisify(execFile)

const VERSION = '3.5.0'
const ARTIFACT = `org.opensearch.distribution.integ-test-zip:opensearch:${VERSION}:zip`
/** OpenSearch refuses to run as root; it is started as this user then. */
const UNPRIVILEGED = 'nobody'
const OLDEST_JAVA = 21
const READY_WITHIN_MS = 180_000

export interface OpensearchNode {
  readonly url: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Fetches (once) and starts a single OpenSearch node on a free loopback port, with everything in a directory it owns. */
export async function startOpensearch({ heapMiB = 2048 }: { heapMiB?: number } = {}): Promise<OpensearchNode> {
  const zip = await fetchDistribution()
  const java = await newestJava()
  const work = await mkdtemp(join(tmpdir(), 'periplus-opensearch-'))
  await run('unzip', ['-q', zip, '-d', work])
  await mkdir(join(work, 'tmp'))
  const home = join(work, `opensearch-${VERSION}`)
  const asRoot = process.getuid?.() === 0
  if (asRoot) await run('chown', ['-R', UNPRIVILEGED, work])
  const port = await freePort()
  const child = spawnNode({ home, work, java, heapMiB, port, asRoot })
  const stop = async (): Promise<void> => {
    await stopGroup(child)
    await rm(work, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntilReady(url, child, join(work, 'node.log'))
  } catch (error) {
    await stop()
    throw error
  }
  return { url, pid: child.pid ?? 0, stop }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function fetchDistribution(): Promise<string> {
  const folder = resolve('.cache/opensearch')
  const zip = join(folder, `opensearch-${VERSION}.zip`)
  if (!(await exists(zip))) {
    await mkdir(folder, { recursive: true })
    await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${folder}`])
  }
  return zip
}

/** The newest JVM among the siblings of the one `java` resolves to: the default one is often too old. */
async function newestJava(): Promise<string> {
  const { stdout } = await run('which', ['java'])
  const binary = await realpath(stdout.trim())
  const family = dirname(dirname(dirname(binary)))
  const homes = [dirname(dirname(binary)), ...(await readdir(family)).map((name) => join(family, name))]
  const candidates = await Promise.all(homes.map(async (home) => ({ home, version: await javaVersion(home) })))
  const best = candidates.sort((a, b) => b.version - a.version)[0]
  if (best === undefined || best.version < OLDEST_JAVA) throw new Error(`Java ${OLDEST_JAVA} or newer is needed`)
  return best.home
}

/** Major version; 0 when the directory holds no JVM. */
async function javaVersion(home: string): Promise<number> {
  const binary = join(home, 'bin', 'java')
  if (!(await exists(binary))) return 0
  const { stderr } = await run(binary, ['-version'])
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0)
}

interface NodePlan {
  readonly home: string
  readonly work: string
  readonly java: string
  readonly heapMiB: number
  readonly port: number
  readonly asRoot: boolean
}

function spawnNode({ home, work, java, heapMiB, port, asRoot }: NodePlan): ChildProcess {
  const options = {
    'discovery.type': 'single-node',
    'http.port': String(port),
    'network.host': '127.0.0.1',
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
    'path.data': join(work, 'data'),
    'path.logs': join(work, 'logs'),
  }
  const command = [
    ...(asRoot ? ['setpriv', `--reuid=${UNPRIVILEGED}`, '--clear-groups'] : []),
    'env',
    `HOME=${work}`,
    `OPENSEARCH_TMPDIR=${join(work, 'tmp')}`,
    `OPENSEARCH_JAVA_HOME=${java}`,
    `OPENSEARCH_JAVA_OPTS=-Xms${heapMiB}m -Xmx${heapMiB}m`,
    join(home, 'bin', 'opensearch'),
    ...Object.entries(options).map(([name, value]) => `-E${name}=${value}`),
  ]
  const [program = 'env', ...args] = command
  // A group of its own: the start script has children, and stopping must reach them all.
  const child = spawn(program, args, { cwd: work, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const log = createWriteStream(join(work, 'node.log'))
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  return child
}

async function waitUntilReady(url: string, child: ChildProcess, log: string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS
  const failed = async (why: string): Promise<Error> =>
    new Error(`OpenSearch ${why}:\n${(await readFile(log, 'utf8')).slice(-3000)}`)
  for (;;) {
    if (child.exitCode !== null) throw await failed(`ended with ${child.exitCode}`)
    if (Date.now() > until) throw await failed(`was not ready within ${READY_WITHIN_MS} ms`)
    const ready = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=5s`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((next) => setTimeout(next, 250))
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  process.kill(-child.pid, 'SIGTERM')
  const forced = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 20_000)
  await ended
  clearTimeout(forced)
}
