import { isIP } from 'node:net'

/** An IP address as 4 or 16 bytes. */
export type IpBytes = Uint8Array

/** Parses an IP address. Returns undefined for anything else, and for addresses with a zone. */
export function readIp(text: string): IpBytes | undefined {
  if (text.includes('%')) return undefined
  switch (isIP(text)) {
    case 4:
      return Uint8Array.from(text.split('.'), Number)
    case 6:
      return ipv6Bytes(text)
    default:
      return undefined
  }
}

/** Parses a valid IPv6 address. */
function ipv6Bytes(text: string): IpBytes {
  const [head = '', tail] = text.split('::')
  const front = groupsOf(head)
  const back = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: 16 - front.length - back.length }, () => 0)
  return Uint8Array.from([...front, ...zeros, ...back])
}

/** Parses groups such as `ffff:127.0.0.1` into bytes. */
function groupsOf(text: string): readonly number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

/** Map key of an address, independent of its spelling. */
export const ipKey = (bytes: IpBytes): string => Buffer.from(bytes).toString('hex')

/** Addresses that share the first `bits` bits. */
export interface IpRange {
  readonly bytes: IpBytes
  readonly bits: number
}

/** Parses a CIDR range such as `10.0.0.0/8`. Returns undefined if the text is not one. */
export function readIpRange(text: string): IpRange | undefined {
  const [address = '', length = '', ...rest] = text.split('/')
  const bytes = readIp(address)
  if (bytes === undefined || rest.length > 0 || !/^[0-9]{1,3}$/.test(length)) return undefined
  const bits = Number(length)
  return bits <= bytes.length * 8 ? { bytes, bits } : undefined
}

export function isInRange(address: IpBytes, { bytes, bits }: IpRange): boolean {
  if (address.length !== bytes.length) return false
  for (let i = 0; i * 8 < bits; i++) {
    const mask = (0xff << Math.max(0, 8 - (bits - i * 8))) & 0xff
    if (((address[i] ?? 0) & mask) !== ((bytes[i] ?? 0) & mask)) return false
  }
  return true
}

const MAPPED: IpRange = { bytes: ipv6Bytes('::ffff:0:0'), bits: 96 }
const NAT64: IpRange = { bytes: ipv6Bytes('64:ff9b::'), bits: 96 }

/** Returns the IPv4 address embedded in an IPv4-mapped or NAT64 IPv6 address. */
export function innerIpv4(address: IpBytes): IpBytes | undefined {
  return isInRange(address, MAPPED) || isInRange(address, NAT64) ? address.slice(12) : undefined
}
