import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../errors.ts'
import { rawBody } from '../request/body/json-body.ts'
import { isInteropPath } from '../request/interop-path.ts'
import { rawQuery } from '../request/parameters.ts'
import { REQUEST_ID_HEADER } from '../request/request-id.ts'
import { printJson } from './print-json.ts'
import { JSON_CONTENT_TYPE } from './send-json.ts'

/**
 * Headers set for the answer that was replaced by the error. Includes `connection: close`, set by Fastify when it stops
 * reading a body: `EarlyAnswerResponse` decides whether the connection is reused.
 */
const LEFTOVER_HEADERS = [
  'etag',
  'cache-control',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-length',
]

/** Sends a coded error (spec 1.5). */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  for (const name of LEFTOVER_HEADERS) reply.removeHeader(name)
  if (problem.code === 'ENGINE_UNAVAILABLE') reply.header('retry-after', '5')
  return reply
    .code(problem.status)
    .headers({ ...problem.headers })
    .header(REQUEST_ID_HEADER, request.id)
    .header('content-type', JSON_CONTENT_TYPE)
    .send(printJson(bodyOf(request, problem), wantsPretty(request)))
}

/** Clients of OGC API and STAC read `code` and `description`. */
function bodyOf(request: FastifyRequest, problem: Problem): object {
  const body = problem.toBody()
  return isInteropPath(request.raw.url ?? '') ? { ...body, code: body.error, description: body.message } : body
}

/** `pretty` applies to errors too, as far as it can be read from a failed request. */
function wantsPretty(request: FastifyRequest): boolean {
  return queryWantsPretty(request) || bodyWantsPretty(request)
}

/** Looks at this parameter only, since another one may be the cause of the error. */
function queryWantsPretty(request: FastifyRequest): boolean {
  return rawQuery(request.raw.url ?? '')
    .split('&')
    .some((part) => /^pretty=true$/i.test(part))
}

function bodyWantsPretty(request: FastifyRequest): boolean {
  const bytes = rawBody(request)
  if (bytes.length === 0 || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"pretty"'))
    return false
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // Not JSON, so no `form.pretty`.
    return false
  }
  return typeof body === 'object' && body !== null && 'form' in body && formWantsPretty(body.form)
}

function formWantsPretty(form: unknown): boolean {
  return typeof form === 'object' && form !== null && 'pretty' in form && form.pretty === true
}
