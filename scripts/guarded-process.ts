import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'

const ENDS_WITHIN_MS = 20_000

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
  return { pid, alive, ended, stop, kill }
}

async function endGroup(pid: number, ended: Promise<void>): Promise<void> {
  process.kill(-pid, 'SIGTERM')
  const forced = setTimeout(() => process.kill(-pid, 'SIGKILL'), ENDS_WITHIN_MS)
  await ended
  clearTimeout(forced)
}
