import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedNotification {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Receives notifications on a free loopback port. Repeated notifications with the same `webhook-id` count once. */
export interface NotificationReceiver {
  readonly base: string
  receivedAt(url: string): readonly ReceivedNotification[]
  stop(): Promise<void>
}

export async function startNotificationReceiver(): Promise<NotificationReceiver> {
  const received = new Map<string, ReceivedNotification[]>()
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await text(request))
    const path = request.url ?? ''
    const known = received.get(path) ?? []
    const id = request.headers['webhook-id']
    if (!known.some(({ headers }) => headers['webhook-id'] === id)) known.push({ headers: request.headers, body })
    received.set(path, known)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    receivedAt: (url) => received.get(new URL(url).pathname) ?? [],
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
