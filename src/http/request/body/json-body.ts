import type { FastifyRequest } from 'fastify'
import { problem } from '../../../errors.ts'
import { findJsonExcess } from './json-bounds.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Returns the JSON value of a request body. Bodies are kept as bytes and parsed by the route, so that a bad body is
 * reported after the checks that precede it (spec 1.5).
 */
export function readJsonBody(request: FastifyRequest): unknown {
  const bytes = rawBody(request)
  if (isBlank(bytes)) throw problem('INVALID_BODY', { parameter: 'body', reason: 'must not be empty' })
  return parseJson(bytes, 'body', request.routeOptions.config.jsonNodes)
}

/** Returns the body as text; empty if absent. */
export function readTextBody(request: FastifyRequest): string {
  try {
    return utf8.decode(rawBody(request))
  } catch {
    throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be UTF-8 text' })
  }
}

/** Returns the bytes of the body after Content-Encoding is decoded; empty if absent. */
export function rawBody(request: FastifyRequest): Uint8Array {
  return request.body instanceof Uint8Array ? request.body : new Uint8Array()
}

/** Parses untrusted JSON: UTF-8, with limited depth and number of values. `name` is used in error messages. */
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
