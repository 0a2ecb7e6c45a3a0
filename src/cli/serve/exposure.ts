import { networkInterfaces } from 'node:os'
import { isLoopbackHost } from '../../config/address-range.ts'
import { ownUrl } from '../../config/own-address.ts'
import type { Settings } from '../../config/settings.ts'

/** True if other machines can call without authentication. */
export function isExposed({ server, auth }: Pick<Settings, 'server' | 'auth'>): boolean {
  return !isLoopbackHost(server.host) && auth.modes.includes('none')
}

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Returns the URLs at which other machines can reach the server. */
export function reachableUrls(settings: Settings, port: number): readonly string[] {
  const { host } = settings.server
  if (!isWildcard(host)) return [ownUrl(settings, host, port)]
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return addresses
    .filter(({ internal, family, scopeid }) => !internal && !scopeid && (host === '::' || family === 'IPv4'))
    .map(({ address }) => ownUrl(settings, address, port))
}

/** Warning that names the exposed URLs and how to restrict access. */
export function exposureWarning(urls: readonly string[]): string {
  const where = urls.length === 0 ? 'all networks of this machine' : urls.join(', ')
  return `Warning: the server has no authentication (auth.modes is none) and other machines can reach it.

  where      ${where}
  who        everyone who can connect to it
  what       read, change and delete all documents, collections, tags and subscriptions
  solution   set auth.modes to apikey, jwt or header; or listen on this machine only (server.host 127.0.0.1),
             behind a proxy that authenticates. See docs/access.md.
`
}
