import { isLoopbackHost } from './address-range.ts'
import type { Settings } from './settings.ts'

/** Origins whose pages may use the server. */
interface CorsOrigins {
  /** True if every origin is allowed. */
  readonly any: boolean
  readonly allows: (origin: string) => boolean
}

/**
 * Returns the origins of `server.cors`, with defaults that depend on `auth.modes`. With keys or tokens any origin may
 * call: the page sends them, never the browser automatically, so a page without them gains nothing. Otherwise a page
 * could act on behalf of its visitor, so only pages of this machine and configured origins may call.
 */
export function corsOrigins({ server, auth }: Pick<Settings, 'server' | 'auth'>): CorsOrigins {
  const { enabled, origins } = server.cors
  if (!enabled) return { any: false, allows: () => false }
  const needsKey = auth.modes.every((mode) => mode === 'apikey' || mode === 'jwt')
  const named = new Set(origins ?? (needsKey ? ['*'] : []))
  if (named.has('*')) return { any: true, allows: () => true }
  return { any: false, allows: (origin) => named.has(origin) || (!needsKey && isLoopbackOrigin(origin)) }
}

function isLoopbackOrigin(origin: string): boolean {
  const host = /^https?:\/\/(\[[^\]]*\]|[^:/]*)(?::[0-9]{1,5})?$/i.exec(origin)?.[1]
  return host !== undefined && isLoopbackHost(host)
}
