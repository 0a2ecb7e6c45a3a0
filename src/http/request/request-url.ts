import type { FastifyRequest } from 'fastify'
import { ownScheme } from '../../config/own-address.ts'
import type { Settings } from '../../config/settings.ts'
import { rawQuery } from './parameters.ts'
import { peerAddress } from './peer-address.ts'
import { isTrustedProxy } from './trusted-proxy.ts'

export interface RequestUrl {
  /** Absolute URL that precedes the route path, without trailing slash: `http://localhost:9999/arlas`. */
  readonly base: string
  /** Route path as sent by the client, without the alias prefix and without trailing slash. */
  readonly path: string
  /** Raw query string, without the question mark. */
  readonly query: string
}

/** Returns the URL of the request as seen by the client (spec 1.7.1), to build links from. */
export function requestUrl(request: FastifyRequest, settings: Settings): RequestUrl {
  const target = request.raw.url ?? '/'
  const { alias, path } = splitAlias(target.split('?', 1)[0] ?? '/', settings.server.aliases)
  const base = settings.server.publicUrl?.replace(/\/+$/, '') ?? `${requestOrigin(request, settings)}${alias}`
  return { base, path, query: rawQuery(target) }
}

/** Splits the alias prefix off a path; `alias` is empty at the root. */
export function splitAlias(path: string, aliases: readonly string[]): { alias: string; path: string } {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const alias = aliases.find((prefix) => trimmed === prefix || trimmed.startsWith(`${prefix}/`)) ?? ''
  return { alias, path: trimmed.slice(alias.length) || '/' }
}

function requestOrigin(request: FastifyRequest, settings: Settings): string {
  const own = request.headers.host ?? `${settings.server.host}:${settings.server.port}`
  const scheme = ownScheme(settings)
  if (!isTrustedProxy(peerAddress(request), settings.server.trustedProxies)) return `${scheme}://${own}`

  const told = forwarded(request, 'x-forwarded-proto')?.toLowerCase()
  const proto = told === 'https' || told === 'http' ? told : scheme
  const host = forwarded(request, 'x-forwarded-host') ?? own
  const port = forwarded(request, 'x-forwarded-port')
  const prefix = forwarded(request, 'x-forwarded-prefix')?.replace(/^\/*/, '/').replace(/\/+$/, '') ?? ''
  return `${proto}://${withPort(host, port, proto)}${prefix}`
}

/** X-Forwarded-Port replaces the port of the host, because proxies often send their internal port there. */
function withPort(host: string, port: string | undefined, proto: 'http' | 'https'): string {
  if (port === undefined || !/^[0-9]{1,5}$/.test(port)) return host
  const bare = host.replace(/:[0-9]*$/, '')
  return port === (proto === 'https' ? '443' : '80') ? bare : `${bare}:${port}`
}

function forwarded(request: FastifyRequest, name: string): string | undefined {
  const header = request.headers[name]
  const first = (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim()
  return first === undefined || first === '' ? undefined : first
}
