import type { IncomingHttpHeaders } from 'node:http'

/** Credentials found in a request, not verified yet. */
export type Credentials =
  | { readonly kind: 'key'; readonly id: string; readonly secret: string }
  | { readonly kind: 'token'; readonly token: string }
  /** Not readable by any enabled mode. */
  | { readonly kind: 'unreadable' }

interface CredentialModes {
  readonly apikey: boolean
  readonly jwt: boolean
}

const unreadable: Credentials = { kind: 'unreadable' }

/** API key headers; CORS has to allow them. */
export const apiKeyHeaders = ['X-API-Key', 'arlas-api-key-id', 'arlas-api-key-secret'] as const

/**
 * Returns the first credentials found, in this order: Authorization, X-API-Key, the pair of headers, the query (spec
 * 9.5).
 */
export function findCredentials(
  headers: IncomingHttpHeaders,
  queryToken: string | undefined,
  modes: CredentialModes,
): Credentials | undefined {
  const { authorization } = headers
  if (authorization !== undefined) {
    const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    return text === undefined ? unreadable : readBearer(text, modes)
  }
  if (modes.apikey) {
    const key = headers['x-api-key']
    if (key !== undefined) return readKey(String(key))
    const id = headers['arlas-api-key-id']
    const secret = headers['arlas-api-key-secret']
    if (id !== undefined && secret !== undefined) return { kind: 'key', id: String(id), secret: String(secret) }
    if (id !== undefined || secret !== undefined) return unreadable
  }
  return queryToken === undefined ? undefined : readBearer(queryToken, modes)
}

/** A token has three parts separated by dots, a key two. */
function readBearer(text: string, modes: CredentialModes): Credentials {
  const parts = text.split('.').length
  if (parts === 3 && modes.jwt) return { kind: 'token', token: text }
  return parts === 2 && modes.apikey ? readKey(text) : unreadable
}

function readKey(text: string): Credentials {
  const dot = text.indexOf('.')
  return dot < 0 ? unreadable : { kind: 'key', id: text.slice(0, dot), secret: text.slice(dot + 1) }
}
