import { type IpBytes, type IpRange, innerIpv4, isInRange, readIpRange } from './ip-bytes.ts'

const ranges = (...texts: readonly string[]): readonly IpRange[] =>
  texts.flatMap((text) => {
    const range = readIpRange(text)
    return range === undefined ? [] : [range]
  })

/** Non-public IPv4 ranges: this host, private, shared, loopback, link-local, documentation, multicast, reserved. */
const REFUSED_IPV4 = ranges(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
)

/** All global IPv6 addresses are in this range. It also contains Teredo and similar, documentation and 6to4 ranges. */
const GLOBAL_IPV6 = ranges('2000::/3')
const REFUSED_IPV6 = ranges('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/** True if an address belongs to the public internet (table of spec 4.6). */
export function isPublicAddress(address: IpBytes): boolean {
  const ipv4 = address.length === 4 ? address : innerIpv4(address)
  if (ipv4 !== undefined) return !isInAny(ipv4, REFUSED_IPV4)
  return isInAny(address, GLOBAL_IPV6) && !isInAny(address, REFUSED_IPV6)
}

const isInAny = (address: IpBytes, list: readonly IpRange[]): boolean => list.some((range) => isInRange(address, range))
