import { isLoopbackHost } from './loopback.ts'
import type { Settings } from './settings.ts'

/** Decides which pages of other origins may use the server. */
export interface CorsOrigins {
  /** Every origin is allowed. */
  readonly any: boolean
  readonly allows: (origin: string) => boolean
}

/**
 * The origins of `server.cors`, with the defaults that depend on `auth.modes`. Keys and tokens are sent by the page
 * itself, never by the browser on its own, so pages that have none gain nothing: any origin may call. Otherwise a page
 * could act for whoever has opened it: pages of this machine may call, and those that are configured.
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
