import { BlockList, isIP } from 'node:net'

const lists = new WeakMap<readonly string[], BlockList>()

/** True when the peer is one of the configured addresses or ranges, whose X-Forwarded-* headers count. */
export function isTrustedProxy(peer: string | undefined, trusted: readonly string[]): boolean {
  if (peer === undefined || trusted.length === 0) return false
  const address = plainAddress(peer)
  const family = isIP(address)
  if (family === 0) return false
  let list = lists.get(trusted)
  if (list === undefined) {
    list = blockList(trusted)
    lists.set(trusted, list)
  }
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** True when the text is an address or a range in CIDR form. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** A dual-stack socket shows IPv4 peers as `::ffff:10.0.0.1`. */
function plainAddress(peer: string): string {
  return peer.startsWith('::ffff:') && isIP(peer.slice(7)) === 4 ? peer.slice(7) : peer
}
