import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { SettingsFault } from '../../config/setting-value.ts'
import type { Settings } from '../../config/settings.ts'
import { isPublicAddress } from './address-table.ts'
import { EgressDenied, type EgressRule, NameNotResolved } from './egress-denied.ts'
import { readExceptions } from './egress-exceptions.ts'
import { type EgressTarget, isLocalName, readTarget } from './egress-target.ts'
import { type IpBytes, innerIpv4, ipKey, readIp } from './ip-bytes.ts'

/** A target that may be called, at these addresses only. */
export interface CheckedTarget extends EgressTarget {
  readonly addresses: readonly string[]
}

/** Returns all addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>

export interface EgressGuardOptions {
  readonly settings: Settings['egress']
  readonly resolve?: ResolveName
  readonly isOwn?: (address: IpBytes) => boolean
  /** Called for each refusal, for the metrics. */
  readonly onDenied?: (rule: EgressRule) => void
}

/** Decides which user-given URLs may be called, and at which addresses (spec 4.6). */
export interface EgressGuard {
  /** Applies rules 1 to 3, which need only the text. Throws EgressDenied. */
  read(text: string): EgressTarget
  /** Applies all rules before a connection. Rejects with EgressDenied or NameNotResolved. */
  check(text: string): Promise<CheckedTarget>
}

export function createEgressGuard(options: EgressGuardOptions): EgressGuard {
  const { settings, isOwn = isOwnAddress, onDenied = () => undefined } = options
  const resolve = sharing(options.resolve ?? resolveName)
  const exceptions = readExceptions(settings.allow)
  const isPort = portList(settings.ports)

  const read = (text: string): EgressTarget => {
    const target = readTarget(text)
    if (settings.httpsOnly && target.scheme === 'http' && !exceptions.namesTarget(target)) {
      // A name may still resolve to an address in an allowed range.
      if (target.address !== undefined || !exceptions.hasRanges) throw new EgressDenied('scheme')
    }
    return target
  }

  /** Returns which of rules 2, 4 and 5 an unlisted target breaks. */
  const brokenRule = (target: EgressTarget): EgressRule | undefined => {
    if (settings.httpsOnly && target.scheme === 'http') return 'scheme'
    if (!isPort(target.port)) return 'port'
    if (target.address === undefined && isLocalName(target.host)) return 'host'
    return settings.only ? 'address' : undefined
  }

  /** Resolves a name. A target that breaks a rule is reported as refused even if its name does not resolve. */
  const resolveUnless = async (broken: EgressRule | undefined, name: string): Promise<readonly string[]> => {
    try {
      const addresses = await resolve(name)
      if (addresses.length > 0) return addresses
    } catch (error) {
      if (broken === undefined || !(error instanceof NameNotResolved)) throw error
    }
    throw broken === undefined ? new NameNotResolved() : new EgressDenied(broken)
  }

  const check = async (text: string): Promise<CheckedTarget> => {
    const target = read(text)
    const isNamed = exceptions.namesTarget(target)
    const broken = isNamed ? undefined : brokenRule(target)
    // Only an allowed range can still lift the refusal, and only for a name: `namesTarget` has checked literal
    // addresses.
    if (broken !== undefined && (target.address !== undefined || !exceptions.hasRanges)) throw new EgressDenied(broken)
    const addresses = target.address === undefined ? await resolveUnless(broken, target.host) : [target.host]
    const isAllowed = (address: IpBytes): boolean =>
      isNamed ||
      exceptions.holdsAddress(address) ||
      (broken === undefined && isPublicAddress(address) && !isOwn(address))
    for (const text of addresses) {
      const address = readIp(text)
      if (address === undefined || !isAllowed(address)) throw new EgressDenied(broken ?? 'address')
    }
    return { ...target, addresses }
  }

  return {
    read,
    check: async (text) => {
      try {
        return await check(text)
      } catch (error) {
        if (error instanceof EgressDenied) onDenied(error.rule)
        throw error
      }
    },
  }
}

async function resolveName(name: string): Promise<readonly string[]> {
  try {
    const found = await lookup(name, { all: true, order: 'verbatim' })
    return found.map(({ address }) => address)
  } catch (error) {
    throw new NameNotResolved(error)
  }
}

/** Concurrent lookups of a name share one result, so that a slow name occupies one thread only. */
function sharing(resolve: ResolveName): ResolveName {
  const running = new Map<string, Promise<readonly string[]>>()
  return (name) => {
    const known = running.get(name)
    if (known !== undefined) return known
    const asked = resolve(name).finally(() => running.delete(name))
    running.set(name, asked)
    return asked
  }
}

/** Parses `egress.ports` (numbers and ranges) into a test for ports. */
function portList(texts: readonly string[]): (port: number) => boolean {
  const ranges = texts.map((text) => {
    const [first = Number.NaN, last = first] = text.split('-').map(Number)
    if (!(first <= last && last <= 65_535))
      throw new SettingsFault(`egress.ports must contain port numbers and ranges, got '${text}'`)
    return { first, last }
  })
  return (port) => ranges.some(({ first, last }) => port >= first && port <= last)
}

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
