import { networkInterfaces } from 'node:os'
import { type IpBytes, innerIpv4, ipKey, readIp } from './ip-bytes.ts'

/** True if an address belongs to a current network interface of this machine (rule 9). */
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
