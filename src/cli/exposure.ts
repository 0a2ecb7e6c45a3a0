import { addressList } from '../config/address-range.ts'
import type { Settings } from '../config/settings.ts'

const isLoopback = addressList(['127.0.0.0/8', '::1'])

/** Whether callers from other machines need not show who they are. */
export function isExposed({ server, auth }: Pick<Settings, 'server' | 'auth'>): boolean {
  const isLocal = server.host.toLowerCase() === 'localhost' || isLoopback(server.host)
  return !isLocal && auth.modes.includes('none')
}

export const EXPOSED_WARNING = `Warning: the server can be reached from other machines and asks nobody who they are. Whoever reaches it can read, change
and delete everything. Set auth.modes, or listen on 127.0.0.1 behind a proxy that does; docs/access.md tells how.
`
