import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Limits } from '../config/settings.ts'
import { type ErrorCode, problem } from '../errors.ts'

interface SocketError extends Error {
  readonly code?: string | undefined
  readonly rawPacket?: Buffer | undefined
}

interface SocketAnswer {
  readonly status: number
  readonly phrase: string
  readonly message: string
  readonly error: ErrorCode
}

/**
 * Answers requests that never become one for the framework: malformed HTTP, headers over the limit, a request that
 * takes too long to arrive. Written to the socket by hand, since there is no reply to send.
 */
export function answerClientError(this: FastifyInstance, error: SocketError, socket: Duplex, limits: Limits): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = socketAnswer(error, limits)
  this.log.info({ code: error.code, status: answer.status }, 'request refused at the socket')
  writeAnswer(socket, answer)
}

/** Requests that Node would answer itself, without a body. */
export function answerSpecialRequests(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const {
      status,
      message,
      code: error,
    } = problem('METHOD_NOT_ALLOWED', { value: 'CONNECT', name: request.url ?? '' })
    writeAnswer(socket, { status, phrase: 'Method Not Allowed', message, error }, 'Allow: GET, HEAD, OPTIONS\r\n')
  })
}

function socketAnswer(error: SocketError, limits: Limits): SocketAnswer {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    // No line end in what overflowed: the request line alone was too long.
    if (error.rawPacket !== undefined && !error.rawPacket.includes('\n')) {
      const { status, message, code } = problem('URI_TOO_LONG', {
        reason: `must not be longer than ${limits.urlBytes} bytes`,
      })
      return { status, phrase: 'URI Too Long', message, error: code }
    }
    const message = `The headers must not be larger than ${limits.headerBytes} bytes (setting limits.headerBytes)`
    return { status: 431, phrase: 'Request Header Fields Too Large', message, error: 'LIMIT_EXCEEDED' }
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      status: 408,
      phrase: 'Request Timeout',
      message: 'The request must arrive whole within five minutes',
      error: 'LIMIT_EXCEEDED',
    }
  }
  const { status, message, code } = problem('INVALID_PARAMETER', {
    parameter: 'request',
    reason: 'must be valid HTTP/1.1',
  })
  return { status, phrase: 'Bad Request', message, error: code }
}

function writeAnswer(socket: Duplex, answer: SocketAnswer, headers = ''): void {
  const body = JSON.stringify({ status: answer.status, message: answer.message, error: answer.error })
  socket.end(
    `HTTP/1.1 ${answer.status} ${answer.phrase}\r\nContent-Type: application/json;charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${headers}\r\n${body}`,
  )
}
