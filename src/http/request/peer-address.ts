import type { FastifyRequest } from 'fastify'

const noted = new WeakMap<object, string | undefined>()

/** Keeps the address of the peer of an HTTP/2 request, which Node forgets when the request ends. */
export function notePeer(request: object, address: string | undefined): void {
  noted.set(request, address)
}

/** Address at the other end of the connection; undefined if it was closed early. */
export const peerAddress = ({ raw }: FastifyRequest): string | undefined => noted.get(raw) ?? raw.socket.remoteAddress
