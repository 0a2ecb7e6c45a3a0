import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Outcome, WarmCli } from './warm-cli.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = path.join(ROOT, 'src', 'cli', 'main.ts')

/** A temporary working directory of a test, with a data directory. */
export interface Workplace {
  readonly directory: string
  readonly data: string
  path(name: string): string
  /**
   * Runs the CLI in the directory. Adds `--data` unless it is among the arguments. Commands that read standard input, and
   * those that run beside another one, get a process of their own.
   */
  run(args: readonly string[], stdin?: string): Promise<Outcome>
  /** Same, with a standard output that is closed before it is read. */
  runUnread(args: readonly string[]): Promise<Outcome>
  /** Starts a server on a free port with the same data directory. */
  serve(args?: readonly string[]): Promise<RunningServer>
  remove(): void
}

export interface RunningServer {
  readonly url: string
  readonly process: ChildProcess
  output(): string
  /** Stops the server and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export function makeWorkplace(): Workplace {
  const directory = mkdtempSync(path.join(tmpdir(), 'periplus-cli-'))
  const data = path.join(directory, 'data')
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compiled') }
  const start = (args: readonly string[]): ChildProcess =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], { cwd: directory, env })
  const complete = (args: readonly string[]): readonly string[] =>
    args.includes('--data') || args.includes('--help') ? args : [...args, '--data', data]
  let warm: WarmCli | undefined
  const runAlone = async (args: readonly string[], stdin: string, isRead: boolean): Promise<Outcome> => {
    const child = start(complete(args))
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    if (!isRead) child.stdout?.destroy()
    child.stdin?.end(stdin)
    const [code]: unknown[] = await once(child, 'close')
    return { code: typeof code === 'number' ? code : null, stdout: stdout(), stderr: stderr() }
  }
  return {
    directory,
    data,
    path: (name) => path.join(directory, name),
    run: (args, stdin) => {
      warm ??= new WarmCli(env)
      return stdin === undefined && warm.isFree
        ? warm.run(directory, complete(args))
        : runAlone(args, stdin ?? '', true)
    },
    runUnread: (args) => runAlone(args, '', false),
    serve: async (args = []) => {
      const child = start(['serve', '--port', '0', '--data', data, '--log-level', 'warn', ...args])
      const stdout = collect(child.stdout)
      const stderr = collect(child.stderr)
      const exited = once(child, 'exit')
      const url = await waitForAddress(child, stdout, stderr)
      return {
        url,
        process: child,
        output: stdout,
        stop: async (signal = 'SIGTERM') => {
          child.kill(signal)
          const [code]: unknown[] = await exited
          return typeof code === 'number' ? code : null
        },
      }
    },
    remove: () => {
      warm?.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: string[] = []
  stream?.setEncoding('utf8')
  stream?.on('data', (chunk: string) => chunks.push(chunk))
  return () => chunks.join('')
}

function waitForAddress(child: ChildProcess, stdout: () => string, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = /is ready: open (\S+?)\/\n/.exec(stdout())?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on('data', look)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${stdout()}${stderr()}`)))
  })
}
