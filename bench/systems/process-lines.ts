import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const KEPT_ERRORS = 20_000
const ENDS_WITHIN_MS = 30_000

/** A child process that answers JSON lines: `{id, ...}` on its input, `{id, ...}` or `{id, error}` on its output. */
export interface LineProcess {
  readonly pid: number
  /** Rejects with the error of the reply, or with the output of a process that ended. */
  readonly request: (body: object) => Promise<LineReply>
  /** Closes the input, upon which the process ends. */
  readonly stop: () => Promise<void>
}

export interface LineReply {
  readonly reply: Readonly<Record<string, unknown>>
  /** Length of the line. */
  readonly bytes: number
}

interface Waiting {
  readonly resolve: (reply: LineReply) => void
  readonly reject: (error: Error) => void
}

/** Starts the process; the first request waits until it is ready. It ends with this process, which closes its input. */
export function startLineProcess(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): LineProcess {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting = new Map<number, Waiting>()
  let errors = ''
  let lastId = 0
  let ended: Error | undefined
  const end = (reason: string): void => {
    ended ??= new Error(`${command} ${reason}:\n${errors}`)
    for (const one of waiting.values()) one.reject(ended)
    waiting.clear()
  }
  const closed = once(child, 'close').then(
    ([code, signal]) => end(`ended with ${code ?? signal}`),
    (error: unknown) => end(`could not be started: ${String(error)}`),
  )
  // A process that ends while it is written to is reported when it closes.
  child.stdin.on('error', () => undefined)
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-KEPT_ERRORS)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply: Readonly<Record<string, unknown>> = JSON.parse(line)
    const one = waiting.get(Number(reply.id))
    waiting.delete(Number(reply.id))
    if (reply.error === undefined) one?.resolve({ reply, bytes: line.length })
    else one?.reject(new Error(String(reply.error)))
  })
  return {
    pid: child.pid ?? 0,
    request: (body) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        child.stdin.write(`${JSON.stringify({ ...body, id })}\n`)
      }),
    stop: async () => {
      const forced = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS)
      child.stdin.end()
      await closed
      clearTimeout(forced)
    },
  }
}
