import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import { type Problem, problem } from '../../errors.ts'
import { callerIdentity } from '../request/caller.ts'
import { onRequestEnd } from '../request/request-end.ts'
import { isTrustedProxy } from '../request/trusted-proxy.ts'

/** What is known of a caller: how many requests it may still send now, and how many are being served. */
interface Account {
  left: number
  countedAt: number
  running: number
}

const MINUTE = 60_000
/** Beyond so many the oldest is forgotten for every new one: whoever calls from ever new addresses costs no more memory. */
const MOST_ACCOUNTS = 100_000

/**
 * Bounds how many requests a caller sends and has served at once (429). A caller may use a minute's worth of requests at
 * once; they come back evenly. Answers the function that counts a request once its caller is known.
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
      throw tooMany(`At most ${mostRunning} requests of a caller are served at once`, 'limits.concurrentRequests', 1)
    }
    if (most !== undefined && account.left < 1) {
      const seconds = Math.ceil((1 - account.left) / perMs / 1000)
      throw tooMany(`At most ${most} requests of a caller are served in a minute`, 'limits.requestsPerMinute', seconds)
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

  /** The oldest account, when it is full again and so like a new one, or when there are too many. */
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

/** Callers are told apart by who they are, else by where they call from. */
export function callerKey(request: FastifyRequest, proxies: readonly string[]): string {
  const { user, key } = callerIdentity(request) ?? {}
  if (key !== undefined) return `key ${key}`
  return user === undefined ? `address ${callerAddress(request, proxies)}` : `user ${user}`
}

/** Behind trusted proxies, the nearest address that is none of them. */
export function callerAddress(request: FastifyRequest, proxies: readonly string[]): string {
  const peer = request.raw.socket.remoteAddress ?? 'unknown'
  if (!isTrustedProxy(peer, proxies)) return peer
  const forwarded = String(request.raw.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
  return forwarded.findLast((address) => !isTrustedProxy(address, proxies)) ?? peer
}
