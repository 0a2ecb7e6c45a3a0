import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PATIENT } from './patience.ts'

const entry = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** A server in a separate process, started as by a user. */
export interface ServerProcess {
  readonly base: string
  readonly pid: number
  readonly directory: string
  /** Output so far. */
  readonly output: () => string
  /** Resolves when the process has exited. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Stops the server. Throws unless its exit status is 0. */
  readonly stop: () => Promise<void>
  readonly removeData: () => Promise<void>
}

interface ProcessOptions {
  /** Data directory; default: an empty one. */
  readonly directory?: string
  readonly flags?: readonly string[]
  readonly nodeFlags?: readonly string[]
}

/** Starts `periplus serve`. */
export async function startServerProcess(options: ProcessOptions = {}): Promise<ServerProcess> {
  const directory = resolve(options.directory ?? (await mkdtemp(join(tmpdir(), 'periplus-process-'))))
  const port = await freePort()
  const nodeFlags = options.nodeFlags ?? ['--disable-warning=ExperimentalWarning']
  const flags = ['--data', directory, '--port', String(port), ...(options.flags ?? [])]
  const child = spawn(process.execPath, [...nodeFlags, entry, 'serve', ...flags], {
    // A directory without a settings file.
    cwd: directory,
    // As in the launcher: queries block these threads.
    env: { UV_THREADPOOL_SIZE: '24', ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-20_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const base = `http://127.0.0.1:${port}`
  await waitUntilAnswering(base, child, () => output)
  return {
    base,
    pid: child.pid ?? 0,
    directory,
    output: () => output,
    ended,
    kill: (signal) => child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM')
      const { code, signal } = await ended
      if (code !== 0) throw new Error(`the server ended with ${code ?? signal}:\n${output}`)
    },
    removeData: () => rm(directory, { recursive: true, force: true }),
  }
}

async function waitUntilAnswering(base: string, child: ChildProcess, output: () => string): Promise<void> {
  const until = Date.now() + PATIENT.timeout
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output()}`)
    if (Date.now() > until) throw new Error(`the server was not ready within ${PATIENT.timeout} ms:\n${output()}`)
    const ready = await fetch(`${base}/collections`).then(
      async (response) => {
        await response.body?.cancel()
        return response.ok
      },
      () => false,
    )
    if (ready) return
    await new Promise((next) => setTimeout(next, 50))
  }
}

/** Returns a free loopback port. */
export function freePort(): Promise<number> {
  return new Promise((found, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => found(port))
    })
  })
}
