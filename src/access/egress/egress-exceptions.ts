import { SettingsFault } from '../../config/setting-value.ts'
import type { EgressTarget } from './egress-target.ts'
import { type IpBytes, type IpRange, innerIpv4, ipKey, isInRange, readIp, readIpRange } from './ip-bytes.ts'

/** Parsed entries of `egress.allow`. */
interface EgressExceptions {
  /** True if the target is listed by its host, or if its literal address is in a listed range. */
  namesTarget(target: EgressTarget): boolean
  /** True if the address is in a listed range. */
  holdsAddress(address: IpBytes): boolean
  /** True if some entries are ranges. A name can then only be judged once it is resolved. */
  readonly hasRanges: boolean
}

interface NamedTarget {
  readonly scheme?: string
  readonly host: string
  /** `*.suffix`: matches all names below the suffix. */
  readonly isSuffix: boolean
  readonly address?: IpBytes
  readonly port?: number
}

const NAMED = /^(?:(https?):\/\/)?(\*\.)?(\[[0-9a-f:.]+\]|[^\s/:@?#*[\]]+)(?::([0-9]{1,5}))?$/i

/** Parses `[scheme://]host[:port]`, `*.suffix` and CIDR ranges. Throws SettingsFault for anything else. */
export function readExceptions(texts: readonly string[]): EgressExceptions {
  const ranges = texts.flatMap((text) => readIpRange(text) ?? [])
  const named = texts.filter((text) => readIpRange(text) === undefined).map(readNamed)
  const holdsAddress = (address: IpBytes): boolean => isInAny(address, ranges)
  return {
    hasRanges: ranges.length > 0,
    holdsAddress,
    namesTarget: (target) =>
      named.some((one) => matches(one, target)) || (target.address !== undefined && holdsAddress(target.address)),
  }
}

function isInAny(address: IpBytes, ranges: readonly IpRange[]): boolean {
  const inner = innerIpv4(address)
  return ranges.some((range) => isInRange(address, range) || (inner !== undefined && isInRange(inner, range)))
}

function readNamed(text: string): NamedTarget {
  const [, scheme, suffix, written = '', port] = NAMED.exec(text) ?? []
  // The URL parser normalises case, other alphabets, and octal and hexadecimal addresses.
  const url = written === '' ? null : URL.parse(`http://${written}`)
  if (url === null || Number(port ?? 0) > 65_535) {
    const rule = '[scheme://]host[:port], *.suffix or a CIDR range'
    throw new SettingsFault(`egress.allow must contain entries of the form ${rule}, got '${text}'`)
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const address = readIp(host)
  return {
    host,
    isSuffix: suffix !== undefined,
    ...(scheme === undefined ? {} : { scheme: scheme.toLowerCase() }),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(address === undefined ? {} : { address }),
  }
}

function matches(one: NamedTarget, target: EgressTarget): boolean {
  if (one.scheme !== undefined && one.scheme !== target.scheme) return false
  if (one.port !== undefined && one.port !== target.port) return false
  if (one.address !== undefined) return target.address !== undefined && ipKey(one.address) === ipKey(target.address)
  return one.isSuffix ? target.host.endsWith(`.${one.host}`) : target.host === one.host
}
