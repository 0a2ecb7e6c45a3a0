import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { Limits } from '../../config/settings.ts'

export type DiscardLimits = Pick<Limits, 'discardBytes' | 'discardMs'>

/** Requests with `Expect: 100-continue` whose body nobody has asked for yet. */
const uninvited = new WeakMap<IncomingMessage, ServerResponse>()

/** Leaves it to whoever reads the body to ask for it: Node would do so before anything is checked. */
export function holdInvitations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    uninvited.set(request, response)
    server.emit('request', request, response)
  })
}

/** Sends `100 Continue` to a client that waits for it before it sends the body. */
export function inviteBody(request: IncomingMessage): void {
  uninvited.get(request)?.writeContinue()
  uninvited.delete(request)
}

/**
 * The response class of the server. An answer may be sent before the body has come: 401, 404, 413. Many clients write
 * the whole body before they read, and a connection closed at that point is reset, and the answer lost. So the rest of
 * the body is read and discarded, within `limits.discardBytes` and `limits.discardMs`, before the connection is used
 * again or closed.
 */
export function earlyAnswerResponse(limits: DiscardLimits): typeof ServerResponse {
  return class EarlyAnswerResponse<R extends IncomingMessage> extends ServerResponse<R> {
    constructor(...args: ConstructorParameters<typeof ServerResponse<R>>) {
      super(...args)
      // Node's own listener, which closes the connection, is added after this one.
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

/** Reads what the client still sends and throws it away; destroys the connection at the first limit. */
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
  // A decoder that gave up leaves the stream paused.
  request.unpipe()
  if (request.complete) {
    request.resume()
    return
  }
  // Node discards a body that was never read by itself, without limits. This makes it one that is read.
  request.read()
  discard(request, socket, limits)
  // Called when the answer says `Connection: close`. Ends only the sending side until the rest has come.
  socket.destroySoon = () => socket.end()
  request.once('close', () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (socket.writableEnded) socket.destroySoon()
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether the connection cannot be used again: the rest may be longer than the limit, or may never come. */
function leavesBody(request: IncomingMessage, { discardBytes }: DiscardLimits): boolean {
  const { complete, headers } = request
  if (complete || !hasBody(request)) return false
  const isBounded = headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= discardBytes
  return !isBounded || uninvited.has(request)
}
