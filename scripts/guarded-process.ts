import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'

const ENDS_WITHIN_MS = 20_000
const PAUSES_WITHIN_MS = 10_000
/** State of a stopped thread in /proc. */
const STOPPED = 'T'

/** A child process group that ends with its parent, however that one ends. */
export interface GuardedProcess {
  readonly pid: number
  /** False once it has exited. */
  readonly alive: () => boolean
  readonly ended: Promise<void>
  /** Terminates the group, kills it after a timeout, and removes its directory. */
  readonly stop: () => Promise<void>
  /** Kills the group like a crash, and keeps its directory. */
  readonly kill: () => Promise<void>
  /** Resolves when all threads are stopped, until `resume`. */
  readonly pause: () => Promise<void>
  readonly resume: () => void
}

interface GuardedCommand {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** File for its output. */
  readonly log: string
  /** Removed after a stop, or when the parent has ended. */
  readonly directory: string
}

/**
 * The guard waits for the end of its input, which is closed when this process ends, even by SIGKILL. Then it kills the
 * group and removes the directory.
 */
const GUARD = 'cat > /dev/null; kill -s KILL -- "-$1"; rm -rf -- "$2"'

export function spawnGuarded({ command, cwd, env, log, directory }: GuardedCommand): GuardedProcess {
  const [program = 'env', ...args] = command
  const output = openSync(log, 'a')
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} could not be started`)
  const guard = spawn('sh', ['-c', GUARD, 'sh', String(pid), directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // it waits for the end of this process, so it must not keep it alive
  guard.unref()
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const alive = (): boolean => child.exitCode === null && child.signalCode === null
  const dismissGuard = (): void => void guard.kill('SIGKILL')
  const stop = async (): Promise<void> => {
    if (alive()) await endGroup(pid, ended)
    dismissGuard()
    await rm(directory, { recursive: true, force: true })
  }
  const kill = async (): Promise<void> => {
    if (alive()) process.kill(-pid, 'SIGKILL')
    await ended
    dismissGuard()
  }
  const pause = async (): Promise<void> => {
    process.kill(-pid, 'SIGSTOP')
    await untilStill(pid)
  }
  const resume = (): void => void process.kill(-pid, 'SIGCONT')
  return { pid, alive, ended, stop, kill, pause, resume }
}

/**
 * Waits until all threads are stopped. On a busy machine some still answer requests after the signal was sent. Without
 * /proc, relies on the signal alone.
 */
async function untilStill(pid: number): Promise<void> {
  if (process.platform !== 'linux') return
  const until = Date.now() + PAUSES_WITHIN_MS
  while ((await statesOf(pid)).some((state) => state !== STOPPED)) {
    if (Date.now() > until) throw new Error(`process ${pid} did not stop within ${PAUSES_WITHIN_MS} ms`)
    await new Promise((next) => setTimeout(next, 5))
  }
}

async function statesOf(pid: number): Promise<readonly (string | undefined)[]> {
  const threads = await readdir(`/proc/${pid}/task`)
  const lines = await Promise.all(
    // a thread that ends meanwhile yields an empty state, so all are read again
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '')),
  )
  // the process name before the state is in parentheses and may contain any character
  return lines.map((line) => line.slice(line.lastIndexOf(')') + 2)[0])
}

async function endGroup(pid: number, ended: Promise<void>): Promise<void> {
  process.kill(-pid, 'SIGTERM')
  const forced = setTimeout(() => process.kill(-pid, 'SIGKILL'), ENDS_WITHIN_MS)
  await ended
  clearTimeout(forced)
}
