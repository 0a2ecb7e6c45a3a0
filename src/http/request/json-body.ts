import type { FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import { findJsonExcess } from './json-bounds.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of a request body. The server keeps bodies as bytes and routes call this, so that a bad body is
 * reported after the checks that come before it (spec 1.5).
 */
export function readJsonBody(request: FastifyRequest): unknown {
  const bytes = rawBody(request)
  if (isBlank(bytes)) throw problem('INVALID_BODY', { parameter: 'body', reason: 'must not be empty' })
  return parseJson(bytes, 'body', request.routeOptions.config.jsonNodes)
}

/** The body as text; an absent body is the empty text. */
export function readTextBody(request: FastifyRequest): string {
  try {
    return utf8.decode(rawBody(request))
  } catch {
    throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be UTF-8 text' })
  }
}

/** The body as bytes, decoded from its Content-Encoding; empty when there was none. */
export function rawBody(request: FastifyRequest): Uint8Array {
  return request.body instanceof Uint8Array ? request.body : new Uint8Array()
}

/** JSON from outside: UTF-8, of bounded depth and number of values. `name` says in the message what was read. */
export function parseJson(bytes: Uint8Array, name = 'body', mostNodes = Number.POSITIVE_INFINITY): unknown {
  const excess = findJsonExcess(bytes, mostNodes)
  if (excess?.setting !== undefined) throw problem('LIMIT_EXCEEDED', { parameter: name, ...excess })
  if (excess !== undefined) throw problem('INVALID_BODY', { parameter: name, ...excess })
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw problem('MALFORMED_JSON', { parameter: name, reason: 'must be JSON in UTF-8' })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw problem('MALFORMED_JSON', { parameter: name, reason: 'must be JSON', value: text })
  }
}

export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return false
  return true
}
