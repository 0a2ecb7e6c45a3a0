import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Limits } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import { requestPath, unroutedProblem } from '../allowed-methods.ts'
import { JSON_CONTENT_TYPE } from '../answer/send-json.ts'
import { onArrival } from '../on-arrival.ts'
import { preferredType } from '../request/accept.ts'
import { REQUEST_ID_HEADER } from '../request/request-id.ts'
import { headersTooLarge } from './client-errors.ts'

/** Sets the headers of every answer, including errors. */
export function markAnswers(app: FastifyInstance, security: Readonly<Record<string, string>>): void {
  onArrival(app, (request, reply) => {
    reply.headers(security).header(REQUEST_ID_HEADER, request.id)
  })
}

/** First checks of every request, in the order of spec 1.5, before the body is read. */
export function checkRequests(app: FastifyInstance, limits: Limits): void {
  onArrival(app, (request, reply) => {
    const { url = '', httpVersion, headers } = request.raw
    if (Buffer.byteLength(url) > limits.urlBytes) {
      throw problem('URI_TOO_LONG', { reason: `must not be longer than ${limits.urlBytes} bytes` })
    }
    if (headerBytes(request.raw.rawHeaders) > limits.headerBytes) {
      reply
        .code(431)
        .header('content-type', JSON_CONTENT_TYPE)
        .send(JSON.stringify(headersTooLarge(limits)))
      return
    }
    if (httpVersion !== '1.0' && headers.host === undefined) {
      throw problem('INVALID_PARAMETER', { parameter: 'Host', reason: 'is a required header' })
    }
    const authority = headers[':authority']
    if (authority !== undefined && authority !== headers.host) {
      throw problem('INVALID_PARAMETER', { parameter: 'Host', value: headers.host, reason: 'must equal :authority' })
    }
  })
}

/** Checks that a route matches and that the client accepts one of its media types. */
export function checkRoutes(app: FastifyInstance): void {
  onArrival(app, (request) => {
    if (request.is404) throw unroutedProblem(request)
    if (hasEmptySegment(request)) throw problem('ROUTE_NOT_FOUND', { name: requestPath(request) })
  })
  // Runs after all onRequest hooks, including those that refuse a method.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    checkAccepted(request)
    done(null, payload)
  })
}

function checkAccepted(request: FastifyRequest): void {
  const { produces } = request.routeOptions.config
  if (produces === undefined || produces.length === 0) return
  const { accept } = request.headers
  if (preferredType(accept, produces) !== undefined) return
  throw problem('NOT_ACCEPTABLE', {
    parameter: 'Accept',
    value: accept,
    reason: `must accept ${produces.join(' or ')}`,
  })
}

/** Limits body sizes by kind of route: requests that only read have a smaller limit than writes. */
export function limitBodies(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRoute', (route) => {
    route.config = { jsonNodes: limits.jsonNodes, ...route.config }
    if (route.config.readOnly === true) route.bodyLimit ??= Math.min(limits.exploreBytes, limits.bodyBytes)
  })
}

/** A parameter must not match an empty segment: `/collections//` is not a collection. */
function hasEmptySegment(request: FastifyRequest): boolean {
  return Object.values(request.params ?? {}).some((value) => value === '')
}

function headerBytes(rawHeaders: readonly string[]): number {
  // Pseudo-headers of HTTP/2 come first. One of them is the URL, which has a limit of its own.
  const first = rawHeaders.findIndex((text, at) => at % 2 === 0 && !text.startsWith(':'))
  return rawHeaders.slice(Math.max(0, first)).reduce((bytes, text) => bytes + text.length + 2, 0)
}
