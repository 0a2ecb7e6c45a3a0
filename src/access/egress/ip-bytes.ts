import { isIP } from 'node:net'

/** An address as its 4 or 16 bytes. */
export type IpBytes = Uint8Array

/** The address a text means; undefined for anything else, zones included. */
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

/** Of a text that is known to be an address. */
function ipv6Bytes(text: string): IpBytes {
  const [head = '', tail] = text.split('::')
  const front = groupsOf(head)
  const back = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: 16 - front.length - back.length }, () => 0)
  return Uint8Array.from([...front, ...zeros, ...back])
}

/** `ffff:127.0.0.1` and the like as bytes. */
function groupsOf(text: string): readonly number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

/** Equal for equal addresses, however they were written. */
export const ipKey = (bytes: IpBytes): string => Buffer.from(bytes).toString('hex')

/** The addresses that begin with some bits. */
export interface IpRange {
  readonly bytes: IpBytes
  readonly bits: number
}

/** `10.0.0.0/8`; undefined when it is no range. */
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

/** The IPv4 address inside an IPv6 one that leads to it. */
export function innerIpv4(address: IpBytes): IpBytes | undefined {
  return isInRange(address, MAPPED) || isInRange(address, NAT64) ? address.slice(12) : undefined
}
