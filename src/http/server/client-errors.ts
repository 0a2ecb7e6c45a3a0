import type { IncomingMessage, Server } from 'node:http'
import { Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Limits } from '../../config/settings.ts'
import { type ErrorCode, type Problem, problem } from '../../errors.ts'
import { JSON_CONTENT_TYPE } from '../answer/send-json.ts'
import { type DiscardLimits, discard } from '../request/early-answer.ts'

const answered = new WeakSet<Duplex>()

interface SocketError extends Error {
  readonly code?: string | undefined
}

type Headers = Readonly<Record<string, string>>

interface RefusedSocket {
  readonly log: FastifyBaseLogger
  readonly error: SocketError
  readonly socket: Duplex
  readonly limits: Limits
  /** Headers of every answer. */
  readonly security: Headers
}

interface SocketAnswer {
  readonly status: number
  readonly phrase: string
  readonly message: string
  readonly error: ErrorCode
}

/**
 * Answers requests that fail before they reach Fastify: malformed HTTP, headers over the limit, a request that arrives
 * too slowly. Writes to the socket directly, since no reply object exists.
 */
export function answerClientError({ log, error, socket, limits, security }: RefusedSocket): void {
  // The parser reports an error for each further chunk of a request it gave up on.
  if (answered.has(socket)) return
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = socketAnswer(error, limits)
  log.info({ code: error.code, status: answer.status }, 'request rejected before routing')
  writeAnswer(socket, answer, limits, security)
}

/** Takes over requests that Node would answer without a body. */
export function answerSpecialRequests(server: Server, limits: DiscardLimits, security: Headers): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const refused = problem('METHOD_NOT_ALLOWED', { value: 'CONNECT', name: request.url ?? '' })
    const answer = coded(refused, 'Method Not Allowed')
    const headers = { ...security, allow: 'GET, HEAD, OPTIONS' }
    if (socket instanceof Http2ServerResponse) writeStreamAnswer(socket, answer, headers)
    else writeAnswer(socket, answer, limits, headers)
  })
}

/** The body of a 431: a limit like the others, but HTTP has a dedicated status for it. */
export function headersTooLarge(limits: Limits): { status: 431; message: string; error: ErrorCode } {
  const message = `The headers must not be larger than ${limits.headerBytes} bytes (setting limits.headerBytes)`
  return { status: 431, message, error: 'LIMIT_EXCEEDED' }
}

function socketAnswer(error: SocketError, limits: Limits): SocketAnswer {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return { ...headersTooLarge(limits), phrase: 'Request Header Fields Too Large' }
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return coded(problem('REQUEST_TIMEOUT', { value: limits.arrivalMs }), 'Request Timeout')
  }
  return coded(problem('INVALID_PARAMETER', { parameter: 'request', reason: 'must be valid HTTP/1.1' }), 'Bad Request')
}

function coded({ status, message, code }: Problem, phrase: string): SocketAnswer {
  return { status, message, error: code, phrase }
}

function bodyOf({ status, message, error }: SocketAnswer): string {
  return JSON.stringify({ status, message, error })
}

function writeStreamAnswer(response: Http2ServerResponse, answer: SocketAnswer, headers: Headers): void {
  response.writeHead(answer.status, { 'content-type': JSON_CONTENT_TYPE, ...headers }).end(bodyOf(answer))
}

function writeAnswer(socket: Duplex, answer: SocketAnswer, limits: DiscardLimits, headers: Headers): void {
  answered.add(socket)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const body = bodyOf(answer)
  socket.end(
    `HTTP/1.1 ${answer.status} ${answer.phrase}\r\nContent-Type: application/json;charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${lines.join('')}\r\n${body}`,
  )
  socket.on('error', () => socket.destroy())
  // Closing at once would reset the connection before the client reads the answer.
  discard(socket, socket, limits)
}
