import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Stands in front of a server and can keep answers back: whoever asked is then at a place the test has chosen. */
export interface HoldingProxy {
  readonly url: string
  /** From now on, answers to calls whose method and path end so are kept. */
  readonly hold: (ending: string) => void
  /** How many answers are kept. */
  readonly held: () => number
  /** Hands out what was kept, and keeps nothing any more. */
  readonly release: () => void
  /** Calls answered by the server since the last call of this: method and path, without the query. */
  readonly takeAnswered: () => readonly string[]
  readonly stop: () => Promise<void>
}

/** `target`: address of the server. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  const agent = new Agent({ keepAlive: true })
  let ending: string | undefined
  let kept: (() => void)[] = []
  let answeredCalls: string[] = []
  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = asked
    const name = `${method} ${url.replace(/\?.*/s, '')}`
    const handOn = async (answered: IncomingMessage): Promise<void> => {
      const body = await buffer(answered)
      answeredCalls.push(name)
      const send = (): void => void answer.writeHead(answered.statusCode ?? 502, answered.headers).end(body)
      if (ending !== undefined && name.endsWith(ending)) kept.push(send)
      else send()
    }
    const passed = request(`${target}${url}`, { method, headers, agent }, (answered) => {
      handOn(answered).catch(() => answer.destroy())
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  }
  // as the server behind it: idle connections are not closed
  const server = createServer({ keepAliveTimeout: 0 }, pass)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    hold: (text) => {
      ending = text
    },
    held: () => kept.length,
    release: () => {
      ending = undefined
      for (const send of kept) send()
      kept = []
    },
    takeAnswered: () => {
      const taken = answeredCalls
      answeredCalls = []
      return taken
    },
    stop: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
