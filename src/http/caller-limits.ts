import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { type Problem, problem } from '../errors.ts'
import { callerIdentity } from './caller.ts'
import { onRequestEnd } from './request-end.ts'
import { isTrustedProxy } from './trusted-proxy.ts'

/** What is known of a caller: how many requests it may still send now, and how many are being served. */
interface Account {
  left: number
  countedAt: number
  running: number
}

const MINUTE = 60_000
/** Accounts beyond so many are looked through for those that say nothing any more. */
const MOST_ACCOUNTS = 10_000

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
  if (most === undefined && mostRunning === undefined) return () => undefined
  const accounts = new Map<string, Account>()
  const counted = new WeakMap<FastifyRequest, Account>()
  const perMs = (most ?? 0) / MINUTE

  onRequestEnd(app, (request) => {
    const account = counted.get(request)
    if (account !== undefined) account.running--
  })

  return (request) => {
    const account = accountOf(callerKey(request, server.trustedProxies))
    if (mostRunning !== undefined && account.running >= mostRunning) {
      throw tooMany(`At most ${mostRunning} requests of a caller are served at once`, 'limits.concurrentRequests', 1)
    }
    if (most !== undefined && account.left < 1) {
      const seconds = Math.ceil((1 - account.left) / perMs / 1000)
      throw tooMany(`At most ${most} requests of a caller are served in a minute`, 'limits.requestsPerMinute', seconds)
    }
    account.left--
    account.running++
    counted.set(request, account)
  }

  function accountOf(key: string): Account {
    const time = now()
    const known = accounts.get(key)
    if (known === undefined) {
      if (accounts.size >= MOST_ACCOUNTS) forgetFull(time)
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

  /** An account that is full again is like a new one. */
  function forgetFull(time: number): void {
    for (const [key, account] of accounts) {
      replenish(account, time)
      if (account.running === 0 && account.left >= (most ?? 0)) accounts.delete(key)
    }
  }
}

function tooMany(reason: string, setting: string, seconds: number): Problem {
  return problem('TOO_MANY_REQUESTS', { reason, setting }, { 'Retry-After': String(Math.max(1, seconds)) })
}

/** Callers are told apart by who they are, else by where they call from. */
function callerKey(request: FastifyRequest, proxies: readonly string[]): string {
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
