import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * A proxy that records the calls and responses of a server and can hold responses back, so that a test can stop a
 * caller at a chosen point.
 */
export interface WatchingProxy {
  readonly url: string
  /** Returns the calls since the previous call of this function: method and path, without the query. */
  readonly takeAsked: () => readonly string[]
  /** Same for calls that the server has answered. */
  readonly takeAnswered: () => readonly string[]
  /** Holds the responses of later calls whose method and path end with this text. */
  readonly hold: (ending: string) => void
  /** Returns the number of held responses. */
  readonly held: () => number
  /** Sends the held responses and stops holding. */
  readonly release: () => void
  readonly stop: () => Promise<void>
}

/** `target`: URL of the server. */
export async function startWatchingProxy(target: string): Promise<WatchingProxy> {
  // One connection per call: a reused connection may be closed at that moment, and calls must not fail because of the
  // proxy.
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
      if (!isStopped) console.error(`${name} failed behind the proxy: ${error}`)
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
  // Like the server: idle or slow connections are not closed.
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
