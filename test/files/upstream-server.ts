import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface SeenRequest {
  /** The URL as received, not decoded. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Resolves when the client disconnects before the response is complete. */
  readonly abandoned: Promise<void>
}

/** Handler of the requests for the images of one id. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

/** An image server whose behaviour is set by a test, by the first segment of the path. */
export interface Upstream {
  readonly host: string
  readonly requests: readonly SeenRequest[]
  readonly on: (segment: string, behaviour: Behaviour) => void
  readonly forget: () => void
  /** Number of open connections. */
  readonly connections: () => Promise<number>
  readonly stop: () => Promise<void>
}

export async function startUpstream(): Promise<Upstream> {
  const behaviours = new Map<string, Behaviour>()
  const requests: SeenRequest[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const abandoned = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve()
      })
    })
    requests.push({ path, headers: request.headers, abandoned })
    const behave = behaviours.get(path.split('/')[1] ?? '')
    if (behave === undefined) response.writeHead(404).end('no such image')
    else behave(response, request)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    requests,
    on: (segment, behaviour) => behaviours.set(segment, behaviour),
    forget: () => {
      behaviours.clear()
      requests.length = 0
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}

/** Responds with these bytes. */
export const answering =
  (bytes: Uint8Array, type = 'image/png'): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': type }).end(bytes)
  }

export const refusing =
  (status: number): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end('no')
  }

export const redirecting =
  (location: string, status = 302): Behaviour =>
  (response) => {
    response.writeHead(status, { location }).end()
  }

/** Never responds. */
export const silent: Behaviour = () => undefined

/** Starts a response with these bytes and never ends it. */
export const stalling =
  (bytes: Uint8Array): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length })
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
  }

/** Resets the connection. */
export const resetting: Behaviour = (response) => {
  response.socket?.resetAndDestroy()
}
