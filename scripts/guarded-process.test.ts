import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../test/support/patience.ts'
import { spawnGuarded } from './guarded-process.ts'

/** A group of two processes; the second ignores SIGTERM. */
const GROUP = 'trap "" TERM; sleep 600 & echo child $!; trap "exit 0" TERM; wait'

const module = new URL('./guarded-process.ts', import.meta.url).href

async function startGroup(): Promise<{ directory: string; log: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-guarded-'))
  return { directory, log: join(directory, 'log') }
}

/** A zombie counts as running until init has reaped it. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

async function printedChild(log: string): Promise<number> {
  return vi.waitFor(async () => {
    const pid = Number(/child (\d+)/.exec(await readFile(log, 'utf8'))?.[1])
    expect(pid).toBeGreaterThan(0)
    return pid
  }, PATIENT)
}

/** A process that starts the group and prints its pid. */
async function startStarter(directory: string, log: string): Promise<{ starter: ChildProcess; pid: number }> {
  const command = { command: ['sh', '-c', GROUP], cwd: tmpdir(), env: {}, log, directory }
  const source = `import { spawnGuarded } from ${JSON.stringify(module)}
    console.log(spawnGuarded(${JSON.stringify(command)}).pid)`
  const starter = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(starter.stdout, 'data')
  return { starter, pid: Number(String(printed)) }
}

describe('a guarded process', () => {
  it('ends with its group when it is stopped, and its directory is removed', async () => {
    const { directory, log } = await startGroup()
    const started = spawnGuarded({
      command: ['sh', '-c', 'sleep 600 & echo child $!; wait'],
      cwd: '/',
      env: {},
      log,
      directory,
    })
    const child = await printedChild(log)
    expect(started.alive()).toBe(true)
    await started.stop()
    await vi.waitFor(() => expect(isRunning(child)).toBe(false), PATIENT)
    expect([started.alive(), isRunning(started.pid), existsSync(directory)]).toEqual([false, false, false])
  })

  it('leaves its directory when it is killed', async () => {
    const { directory, log } = await startGroup()
    const started = spawnGuarded({ command: ['sh', '-c', GROUP], cwd: '/', env: {}, log, directory })
    const child = await printedChild(log)
    await started.kill()
    await vi.waitFor(() => expect(isRunning(child)).toBe(false), PATIENT)
    expect([started.alive(), existsSync(log)]).toEqual([false, true])
    await started.stop()
    expect(existsSync(directory)).toBe(false)
  })

  it('does nothing from the moment it is paused until it is resumed', async () => {
    const { directory, log } = await startGroup()
    const counting = 'i=0; while :; do i=$((i+1)); echo $i; done'
    const started = spawnGuarded({ command: ['sh', '-c', counting], cwd: '/', env: {}, log, directory })
    const written = async (): Promise<number> => (await stat(log)).size
    await vi.waitFor(async () => expect(await written()).toBeGreaterThan(0), PATIENT)
    await started.pause()
    const paused = await written()
    await new Promise((next) => setTimeout(next, 100))
    expect(await written()).toBe(paused)
    started.resume()
    await vi.waitFor(async () => expect(await written()).toBeGreaterThan(paused), PATIENT)
    await started.stop()
  })

  it('does not outlive the process that started it, though that one is killed', async () => {
    const { directory, log } = await startGroup()
    const { starter, pid } = await startStarter(directory, log)
    const child = await printedChild(log)
    expect([isRunning(pid), isRunning(child)]).toEqual([true, true])
    starter.kill('SIGKILL')
    await vi.waitFor(
      () => expect([isRunning(pid), isRunning(child), existsSync(directory)]).toEqual([false, false, false]),
      PATIENT,
    )
  })
})
