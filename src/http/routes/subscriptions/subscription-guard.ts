import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../../config/settings.ts'
import {
  admitCaller,
  admitEventCaller,
  type CallerSigns,
  identifyCaller,
  type Side,
  type SubscriptionCaller,
} from '../../../subscriptions/rights/subscription-caller.ts'
import { headerText } from '../../auth/access-headers.ts'
import { callerIdentity } from '../../request/caller.ts'
import { peerAddress } from '../../request/peer-address.ts'
import { isTrustedProxy } from '../../request/trusted-proxy.ts'

/** Peers trusted to name callers if no proxy is configured: this machine. */
const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1']

const callers = new WeakMap<FastifyRequest, SubscriptionCaller>()

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Returns the `onRequest` hook of the routes below /subscriptions and /admin/subscriptions. Runs early because 401 and
 * 403 precede errors in the body (spec 2.4).
 */
export function guardSubscriptions(settings: Settings, side: Side): Guard {
  return guard(settings, (request, signs) => {
    const caller = identifyCaller(signs, settings)
    admitCaller(caller, side)
    callers.set(request, caller)
  })
}

/** Returns the same hook for the event routes. */
export function guardEvents(settings: Settings): Guard {
  return guard(settings, (_request, signs) => admitEventCaller(signs, settings))
}

/** Returns the caller of a request that passed a guard. */
export function subscriptionCaller(request: FastifyRequest): SubscriptionCaller {
  const caller = callers.get(request)
  if (caller === undefined) throw new Error(`${request.routeOptions.url} has no access check`)
  return caller
}

function guard(settings: Settings, admit: (request: FastifyRequest, signs: CallerSigns) => void): Guard {
  const { header } = settings.subscriptions.identity
  return async (request, reply) => {
    // Prevents caches from sharing an answer between callers.
    if (header !== '') reply.header('vary', [reply.getHeader('vary'), header].filter(Boolean).join(', '))
    admit(request, signsOf(request, settings))
  }
}

function signsOf(request: FastifyRequest, { server, subscriptions }: Settings): CallerSigns {
  const { header } = subscriptions.identity
  const identity = callerIdentity(request)
  if (header === '') return { identity }
  const trusted = server.trustedProxies.length === 0 ? LOOPBACK : server.trustedProxies
  const isBelieved = isTrustedProxy(peerAddress(request), trusted)
  return { identity, named: isBelieved ? headerText(request.raw.headers, header.toLowerCase())?.trim() : undefined }
}
