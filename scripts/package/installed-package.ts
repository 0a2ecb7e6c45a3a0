import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { npmCommand } from './make-package.ts'

const run = promisify(execFile)

/** A stock Node of this version from npm: the one of the checkout, or one that is downloaded once. */
export async function stockNode(root: string, version: string): Promise<string> {
  if (version === process.versions.node) return process.execPath
  const home = path.join(root, '.cache', 'node', version)
  const binary = path.join(home, 'node_modules', 'node', 'bin', 'node')
  if (existsSync(binary)) return binary
  mkdirSync(path.dirname(home), { recursive: true })
  const made = mkdtempSync(path.join(path.dirname(home), 'part-'))
  try {
    await npm(['install', '--prefix', made, '--ignore-scripts=false', `node@${version}`])
    renameSync(made, home)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  return binary
}

async function npm(args: readonly string[]): Promise<void> {
  const [command, ...begin] = npmCommand()
  await run(command, [...begin, ...args, '--no-audit', '--no-fund', '--loglevel=error'])
}

/** Environment of a user who has nothing but this Node. */
export const userEnvironment = (node: string, home: string): NodeJS.ProcessEnv => ({
  PATH: `${path.dirname(node)}:/usr/bin:/bin`,
  HOME: home,
})

interface StartedServer {
  readonly url: string
  readonly process: ChildProcess
  output(): string
  /** Asks it to stop; returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts a server and waits for the address it prints. `begin` are arguments of the command before `serve`. */
export async function startServer(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  begin: readonly string[] = [],
): Promise<StartedServer> {
  const child = spawn(command, [...begin, 'serve', '--port', '0', ...args], options)
  const exited = once(child, 'exit')
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
      const found = /is ready: open (\S+?)\/\n/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
  return {
    url,
    process: child,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM')
      const [code]: unknown[] = await exited
      return typeof code === 'number' ? code : null
    },
  }
}
