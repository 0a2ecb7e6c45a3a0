import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * Stands in front of a server, notes what it is asked and what it answers, and can keep answers back: whoever asked is
 * then at a place the test has chosen.
 */
export interface WatchingProxy {
  readonly url: string
  /** Calls since the last call of this: method and path, without the query. */
  readonly takeAsked: () => readonly string[]
  /** The same of those that the server has answered. */
  readonly takeAnswered: () => readonly string[]
  /** From now on, answers to calls whose method and path end so are kept. */
  readonly hold: (ending: string) => void
  /** How many answers are kept. */
  readonly held: () => number
  /** Hands out what was kept, and keeps nothing any more. */
  readonly release: () => void
  readonly stop: () => Promise<void>
}

/** `target`: address of the server. */
export async function startWatchingProxy(target: string): Promise<WatchingProxy> {
  // A connection for each call: one that is used again may be closed just then, and calls must not fail for the proxy.
  const agent = new Agent({ keepAlive: false })
  let ending: string | undefined
  let kept: (() => void)[] = []
  const asked = new Calls()
  const answered = new Calls()
  let isStopped = false
  const pass = (call: IncomingMessage, answer: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = call
    const name = `${method} ${url.replace(/\?.*/s, '')}`
    asked.add(name)
    const breakOff = (error: unknown): void => {
      if (!isStopped) console.error(`${name} broke off behind the proxy: ${error}`)
      answer.destroy()
    }
    const handOn = async (response: IncomingMessage): Promise<void> => {
      const body = await buffer(response)
      answered.add(name)
      const { connection: _, ...own } = response.headers
      const send = (): void => void answer.writeHead(response.statusCode ?? 502, own).end(body)
      if (ending !== undefined && name.endsWith(ending)) kept.push(send)
      else send()
    }
    const passed = request(`${target}${url}`, { method, headers, agent }, (response) => {
      handOn(response).catch(breakOff)
    })
    passed.on('error', breakOff)
    call.pipe(passed)
  }
  // as the server behind it: connections are not closed for being idle or slow
  const server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 }, pass)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    takeAsked: () => asked.take(),
    takeAnswered: () => answered.take(),
    hold: (text) => {
      ending = text
    },
    held: () => kept.length,
    release: () => {
      ending = undefined
      for (const send of kept) send()
      kept = []
    },
    stop: async () => {
      isStopped = true
      agent.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

class Calls {
  #names: string[] = []

  add(name: string): void {
    this.#names.push(name)
  }

  take(): readonly string[] {
    const taken = this.#names
    this.#names = []
    return taken
  }
}
