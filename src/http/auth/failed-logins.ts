import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Settings } from '../../config/settings.ts'
import { type Problem, problem } from '../../errors.ts'
import { callerAddress } from './caller-limits.ts'

interface Account {
  left: number
  countedAt: number
}

const MINUTE = 60_000
/** Upper bound of addresses. Above it, each new one evicts the oldest, so that memory stays bounded. */
const MOST_ADDRESSES = 100_000
/** Upper bound of secrets that succeeded before. Above it, the least recently used are evicted. */
const MOST_SECRETS = 10_000

/**
 * Throttles guessing of credentials. Each address has a budget of failures that refills evenly. When it is used up,
 * guessable credentials are refused unchecked (429). Secrets that succeeded before are still checked, so that others
 * behind the same address are not locked out.
 */
export class FailedLogins {
  readonly #limits: Settings['auth']['failedLogins']
  readonly #proxies: readonly string[]
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  /** Digests of secrets. Bounded by size, because `max` would allocate all entries at once. */
  readonly #known = new LRUCache<string, true>({ maxSize: MOST_SECRETS, sizeCalculation: () => 1 })

  constructor({ auth, server }: Pick<Settings, 'auth' | 'server'>, now: () => number) {
    this.#limits = auth.failedLogins
    this.#proxies = server.trustedProxies
    this.#now = now
  }

  /** Runs `identify` on a guessable secret; throws if the address failed too often. */
  async guard<T>(request: FastifyRequest, secret: string, identify: () => Promise<T | undefined>) {
    const digest = hash('sha256', secret, 'base64')
    if (!this.#known.has(digest)) this.#refuseUsedUp(this.#addressOf(request))
    const found = await identify()
    if (found === undefined) {
      this.#known.delete(digest)
      this.count(request)
    } else this.#known.set(digest, true)
    return found
  }

  /** Counts wrong credentials; throws if the budget of the address was used up before. */
  count(request: FastifyRequest): void {
    const address = this.#addressOf(request)
    this.#refuseUsedUp(address)
    const account = this.#accounts.get(address) ?? { left: this.#limits.atOnce, countedAt: this.#now() }
    account.left--
    if (!this.#accounts.has(address)) this.#forgetOldest()
    this.#accounts.set(address, account)
  }

  #refuseUsedUp(address: string): void {
    const account = this.#accounts.get(address)
    if (account === undefined) return
    this.#replenish(account)
    if (account.left < 1) throw this.#tooMany(account)
  }

  #replenish(account: Account): void {
    const time = this.#now()
    const gained = (Math.max(0, time - account.countedAt) * this.#limits.perMinute) / MINUTE
    account.left = Math.min(this.#limits.atOnce, account.left + gained)
    account.countedAt = time
  }

  #tooMany({ left }: Account): Problem {
    const seconds = Math.max(1, Math.ceil(((1 - left) * 60) / this.#limits.perMinute))
    const reason = 'Too many invalid credentials from this address'
    return problem(
      'TOO_MANY_REQUESTS',
      { reason, setting: 'auth.failedLogins.perMinute' },
      { 'Retry-After': `${seconds}` },
    )
  }

  /** Evicts the oldest address if its budget is full again, or if there are too many. */
  #forgetOldest(): void {
    const [oldest] = this.#accounts
    if (oldest === undefined) return
    const [address, account] = oldest
    this.#replenish(account)
    const isLikeNew = account.left >= this.#limits.atOnce
    if (isLikeNew || this.#accounts.size >= MOST_ADDRESSES) this.#accounts.delete(address)
  }

  #addressOf(request: FastifyRequest): string {
    return networkOf(callerAddress(request, this.#proxies))
  }
}

/**
 * Returns the /64 network of an IPv6 address, because one customer usually has a whole /64. Other addresses unchanged.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail === undefined ? [] : tail.split(':'))]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
