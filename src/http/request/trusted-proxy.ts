import { addressList } from '../../config/address-range.ts'

const lists = new WeakMap<readonly string[], (address: string) => boolean>()

/** True if the peer is in the configured addresses or ranges, so that its X-Forwarded-* headers are trusted. */
export function isTrustedProxy(peer: string | undefined, trusted: readonly string[]): boolean {
  if (peer === undefined || trusted.length === 0) return false
  let contains = lists.get(trusted)
  if (contains === undefined) {
    contains = addressList(trusted)
    lists.set(trusted, contains)
  }
  return contains(peer)
}
