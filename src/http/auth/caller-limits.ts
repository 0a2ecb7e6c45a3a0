import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import { readingCaller } from '../../engine/reading-caller.ts'
import { type Problem, problem } from '../../errors.ts'
import { callerIdentity } from '../request/caller.ts'
import { peerAddress } from '../request/peer-address.ts'
import { onRequestEnd } from '../request/request-end.ts'
import { isTrustedProxy } from '../request/trusted-proxy.ts'

/** Requests that a caller has left, and requests in progress. */
interface Account {
  left: number
  countedAt: number
  running: number
}

const MINUTE = 60_000
/** Upper bound of accounts. Above it, each new one evicts the oldest, so that many addresses do not exhaust memory. */
const MOST_ACCOUNTS = 100_000

/**
 * Limits the rate and concurrency of requests per caller (429). A caller may spend the requests of a minute in one
 * burst; they refill evenly. Returns the function that counts a request once its caller is known.
 */
export function limitCallers(
  app: FastifyInstance,
  { limits, server }: Settings,
  now: () => number,
): (request: FastifyRequest) => void {
  const { requestsPerMinute: most, concurrentRequests: mostRunning } = limits
  const accounts = new Map<string, Account>()
  const counted = new WeakMap<FastifyRequest, Account>()
  const perMs = (most ?? 0) / MINUTE

  onRequestEnd(app, (request) => {
    const account = counted.get(request)
    if (account !== undefined) account.running--
  })

  return (request) => {
    const account = accountOf(callerKey(request, server.trustedProxies))
    if (account.running >= mostRunning) {
      throw tooMany(`A caller may have at most ${mostRunning} concurrent requests`, 'limits.concurrentRequests', 1)
    }
    if (most !== undefined && account.left < 1) {
      const seconds = Math.ceil((1 - account.left) / perMs / 1000)
      throw tooMany(`A caller may send at most ${most} requests per minute`, 'limits.requestsPerMinute', seconds)
    }
    if (most !== undefined) account.left--
    account.running++
    counted.set(request, account)
  }

  function accountOf(key: string): Account {
    const time = now()
    const known = accounts.get(key)
    if (known === undefined) {
      forgetOne(time)
      const fresh = { left: most ?? 0, countedAt: time, running: 0 }
      accounts.set(key, fresh)
      return fresh
    }
    replenish(known, time)
    return known
  }

  function replenish(account: Account, time: number): void {
    account.left = Math.min(most ?? 0, account.left + Math.max(0, time - account.countedAt) * perMs)
    account.countedAt = time
  }

  /** Evicts the oldest account if it is full again, hence equal to a new one, or if there are too many. */
  function forgetOne(time: number): void {
    const [oldest] = accounts
    if (oldest === undefined) return
    const [key, account] = oldest
    replenish(account, time)
    const isLikeNew = account.running === 0 && account.left >= (most ?? 0)
    if (isLikeNew || accounts.size >= MOST_ACCOUNTS) accounts.delete(key)
  }
}

function tooMany(reason: string, setting: string, seconds: number): Problem {
  return problem('TOO_MANY_REQUESTS', { reason, setting }, { 'Retry-After': String(Math.max(1, seconds)) })
}

/** Makes the caller of a request known to the engine, which limits the share of its reads that one caller gets. */
export function markReadingCallers(app: FastifyInstance, proxies: readonly string[]): void {
  app.addHook('preHandler', (request, _reply, done) => readingCaller.run(callerKey(request, proxies), done))
}

/** Returns the key that identifies a caller: its identity, else its address. */
function callerKey(request: FastifyRequest, proxies: readonly string[]): string {
  const { user, key } = callerIdentity(request) ?? {}
  if (key !== undefined) return `key ${key}`
  return user === undefined ? `address ${callerAddress(request, proxies)}` : `user ${user}`
}

/**
 * Returns the address of the peer; behind trusted proxies, the nearest forwarded address that is not a trusted proxy.
 */
export function callerAddress(request: FastifyRequest, proxies: readonly string[]): string {
  const peer = peerAddress(request) ?? 'unknown'
  if (!isTrustedProxy(peer, proxies)) return peer
  const forwarded = String(request.raw.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
  return forwarded.findLast((address) => !isTrustedProxy(address, proxies)) ?? peer
}
