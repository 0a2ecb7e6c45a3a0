import { BlockList, isIP } from 'node:net'

/** True if the text is an IP address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** Returns a membership test for addresses and ranges. */
export function addressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (written) => {
    const address = plainAddress(written)
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Strips the IPv6 prefix of IPv4 peers on a dual-stack socket: `::ffff:10.0.0.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

const isLoopbackAddress = addressList(['127.0.0.0/8', '::1'])

/** True if a host, as in a URL or a setting, is this machine: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isLoopbackAddress(name)
}
