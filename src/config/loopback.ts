import { addressList } from './address-range.ts'

const isLoopbackAddress = addressList(['127.0.0.0/8', '::1'])

/** True if a host, as in a URL or a setting, is this machine: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isLoopbackAddress(name)
}
