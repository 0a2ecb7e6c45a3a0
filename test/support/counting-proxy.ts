import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** Stands in front of a server and notes what it is asked. */
export interface CountingProxy {
  readonly url: string
  /** What was asked since the last call of this: method and path, without the query. */
  readonly takeCalls: () => readonly string[]
  readonly stop: () => Promise<void>
}

/** `target`: address of the server. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true })
  let calls: string[] = []
  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = asked
    calls.push(`${method} ${url.replace(/\?.*/s, '')}`)
    const passed = request(`${target}${url}`, { method, headers, agent }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
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
    takeCalls: () => {
      const taken = calls
      calls = []
      return taken
    },
    stop: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
