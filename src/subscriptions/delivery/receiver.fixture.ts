import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Answer = (response: ServerResponse, request: Received) => void

/** A webhook receiver on loopback with configurable responses. */
export interface Receiver {
  readonly port: number
  readonly url: string
  readonly received: Received[]
  answer: Answer
  close(): Promise<void>
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end()
  }

export async function openReceiver(answer: Answer = status(200)): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      receiver.answer(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
