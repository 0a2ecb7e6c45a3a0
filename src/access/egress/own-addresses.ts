import { networkInterfaces } from 'node:os'
import { type IpBytes, innerIpv4, ipKey, readIp } from './ip-bytes.ts'

/** Whether an address is one of this machine's own, as its interfaces are now (rule 9). */
export function isOwnAddress(address: IpBytes): boolean {
  const keys = new Set([ipKey(address), ipKey(innerIpv4(address) ?? address)])
  for (const list of Object.values(networkInterfaces())) {
    for (const own of list ?? []) {
      const bytes = readIp(own.address.replace(/%.*$/, ''))
      if (bytes !== undefined && keys.has(ipKey(bytes))) return true
    }
  }
  return false
}
