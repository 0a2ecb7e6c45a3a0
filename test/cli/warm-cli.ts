import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const ENTRY = fileURLToPath(new URL('warm-process.ts', import.meta.url))

/** A process that runs commands one after the other: loading all modules takes longer than most commands. */
export class WarmCli {
  readonly #child: ChildProcess
  #commands = 0
  #isBusy = false

  constructor(env: NodeJS.ProcessEnv) {
    this.#child = fork(ENTRY, { execArgv: ['--disable-warning=ExperimentalWarning'], env, silent: true })
    this.#child.stdout?.setEncoding('utf8')
    this.#child.stderr?.setEncoding('utf8')
  }

  /** False while a command is running. */
  get isFree(): boolean {
    return !this.#isBusy
  }

  async run(cwd: string, args: readonly string[]): Promise<Outcome> {
    this.#isBusy = true
    this.#commands += 1
    const end = `\0end of command ${this.#commands}\0`
    const waiting = new AbortController()
    const { signal } = waiting
    try {
      const done = Promise.all([
        readUntil(this.#child.stdout, end),
        readUntil(this.#child.stderr, end),
        once(this.#child, 'message', { signal }),
      ])
      const crashed = once(this.#child, 'exit', { signal }).then(() => undefined)
      this.#child.send({ cwd, args, end })
      const outcome = await Promise.race([done, crashed])
      if (outcome === undefined) throw new Error(`periplus ${args.join(' ')} ended its process`)
      const [stdout, stderr, [code]] = outcome
      return { code: typeof code === 'number' ? code : null, stdout, stderr }
    } finally {
      this.#isBusy = false
      waiting.abort()
    }
  }

  stop(): void {
    this.#child.kill()
  }
}

function readUntil(stream: NodeJS.ReadableStream | null, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const read = (chunk: string): void => {
      text += chunk
      if (!text.endsWith(end)) return
      stream?.off('data', read)
      resolve(text.slice(0, -end.length))
    }
    stream?.on('data', read)
  })
}
