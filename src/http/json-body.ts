import type { FastifyRequest } from 'fastify'
import { problem } from '../errors.ts'

/** Deeper bodies have no meaning here, and would let a client exhaust the stack of whatever walks them. */
const DEEPEST = 100

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of a request body. The server keeps bodies as bytes and routes call this, so that a bad body is
 * reported after the checks that come before it (spec 1.5).
 */
export function readJsonBody(request: FastifyRequest): unknown {
  const bytes = rawBody(request)
  if (isBlank(bytes)) throw problem('INVALID_BODY', { parameter: 'body', reason: 'must not be empty' })
  return parseJson(bytes)
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

/** JSON from outside: UTF-8, of bounded depth. `name` says in the message what was read. */
export function parseJson(bytes: Uint8Array, name = 'body'): unknown {
  if (isTooDeep(bytes)) {
    throw problem('INVALID_BODY', { parameter: name, reason: `must not be nested deeper than ${DEEPEST} levels` })
  }
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

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))
}

function isTooDeep(bytes: Uint8Array): boolean {
  // Most bodies are shorter than the depth would need.
  if (bytes.length <= DEEPEST) return false
  let depth = 0
  let quoted = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (quoted) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) quoted = false
    } else if (byte === 0x22) quoted = true
    else if (byte === 0x5b || byte === 0x7b) {
      depth++
      if (depth > DEEPEST) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}
