import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'

const ENDS_WITHIN_MS = 20_000
const PAUSES_WITHIN_MS = 10_000
/** As the system names a thread that was told to stop. */
const STOPPED = 'T'

/** A process in a group of its own that does not outlive the one that started it, however that one ends. */
export interface GuardedProcess {
  readonly pid: number
  /** False once it has ended by itself or was ended. */
  readonly alive: () => boolean
  readonly ended: Promise<void>
  /** Ends the group politely, after a while by force, and removes its directory. */
  readonly stop: () => Promise<void>
  /** Ends the group at once, as a crash would, and leaves its directory. */
  readonly kill: () => Promise<void>
  /** Makes it stand still: resolved, none of its threads does anything until `resume`. */
  readonly pause: () => Promise<void>
  readonly resume: () => void
}

export interface GuardedCommand {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Takes what it prints. */
  readonly log: string
  /** Removed when it was stopped, or when the starter is gone. */
  readonly directory: string
}

/**
 * The guard waits for the end of its input, which is the end of this process: a signal that cannot be caught is seen
 * too. Then it ends the group and removes the directory.
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
  // it must not keep this process from ending: that is what it waits for
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
 * The signal is noticed when a thread has its turn: on a busy machine the others answer requests until then. Where
 * the system does not show threads, the signal has to do.
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
    // of one that ends meanwhile nothing is known, so all are looked at again
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '')),
  )
  // the name before the state is in brackets, and may hold any character
  return lines.map((line) => line.slice(line.lastIndexOf(')') + 2)[0])
}

async function endGroup(pid: number, ended: Promise<void>): Promise<void> {
  process.kill(-pid, 'SIGTERM')
  const forced = setTimeout(() => process.kill(-pid, 'SIGKILL'), ENDS_WITHIN_MS)
  await ended
  clearTimeout(forced)
}
