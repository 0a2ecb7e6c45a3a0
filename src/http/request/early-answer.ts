import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { Limits } from '../../config/settings.ts'

export type DiscardLimits = Pick<Limits, 'discardBytes' | 'discardMs'>

/** Requests with `Expect: 100-continue` that have not got a `100 Continue` yet. */
const uninvited = new WeakMap<IncomingMessage, ServerResponse>()

/** Defers `100 Continue` until the body is read. Node would send it before the request is checked. */
export function holdInvitations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    uninvited.set(request, response)
    server.emit('request', request, response)
  })
}

/** Sends `100 Continue` if the client waits for it. */
export function inviteBody(request: IncomingMessage): void {
  uninvited.get(request)?.writeContinue()
  uninvited.delete(request)
}

/**
 * Response class of the server. An answer may be sent before the body has arrived: 401, 404, 413. Many clients write
 * the whole body before they read; closing the connection at that point resets it and loses the answer. So the rest of
 * the body is read and discarded, up to `limits.discardBytes` and `limits.discardMs`, before the connection is reused
 * or closed.
 */
export function earlyAnswerResponse(limits: DiscardLimits): typeof ServerResponse {
  return class EarlyAnswerResponse<R extends IncomingMessage> extends ServerResponse<R> {
    constructor(...args: ConstructorParameters<typeof ServerResponse<R>>) {
      super(...args)
      // Runs before Node's listener, which closes the connection and is added later.
      this.once('finish', () => {
        if (hasBody(this.req) && this.socket !== null) discardRest(this.req, this.socket, limits)
      })
    }

    override writeHead(...args: unknown[]): this {
      if (!this.shouldKeepAlive || leavesBody(this.req, limits)) this.setHeader('connection', 'close')
      return super.writeHead(...(args as Parameters<ServerResponse<R>['writeHead']>))
    }
  }
}

/** Reads and discards what the client still sends; destroys the connection at the first limit. */
export function discard(source: Readable, socket: Duplex, limits: DiscardLimits): void {
  let left = limits.discardBytes
  source.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  const timer = setTimeout(() => socket.destroy(), limits.discardMs)
  source.once('close', () => clearTimeout(timer))
  source.once('end', () => clearTimeout(timer))
  source.resume()
}

function discardRest(request: IncomingMessage, socket: Socket, limits: DiscardLimits): void {
  // A decoder that failed leaves the stream paused.
  request.unpipe()
  if (request.complete) {
    request.resume()
    return
  }
  // Node discards an unread body without limits. Reading once prevents that.
  request.read()
  discard(request, socket, limits)
  // Called if the answer says `Connection: close`. Ends only the sending side until the rest has arrived.
  socket.destroySoon = () => socket.end()
  request.once('close', () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (socket.writableEnded) socket.destroySoon()
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** True if the connection cannot be reused: the rest of the body may exceed the limit, or may never arrive. */
function leavesBody(request: IncomingMessage, { discardBytes }: DiscardLimits): boolean {
  const { complete, headers } = request
  if (complete || !hasBody(request)) return false
  const isBounded = headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= discardBytes
  return !isBounded || uninvited.has(request)
}
