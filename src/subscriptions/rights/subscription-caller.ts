import type { Identity } from '../../access/identity.ts'
import { ADMIN_ROLE } from '../../access/rights/roles.ts'
import type { Settings } from '../../config/settings.ts'
import { type Problem, problem } from '../../errors.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'

/** The paths in use: `/subscriptions` or `/admin/subscriptions`. */
export type Side = 'user' | 'administrator'

/** A caller of the subscription API (spec 2.3). */
export type SubscriptionCaller =
  /** Identities are off: everyone may use every path. */
  { readonly kind: 'anybody' } | { readonly kind: 'user'; readonly user: string } | { readonly kind: 'administrator' }

/** What a request indicates about its sender. */
export interface CallerSigns {
  /** Value of the header named by `subscriptions.identity.header`, if its sender is trusted. */
  readonly named?: string | undefined
  /** The authenticated caller. */
  readonly identity?: Identity | undefined
}

type IdentitySettings = Pick<Settings, 'auth' | 'subscriptions'>

/** Throws 401 if identities are on and no caller is named. Called by `subscription-guard.ts`. */
export function identifyCaller({ named, identity }: CallerSigns, settings: IdentitySettings): SubscriptionCaller {
  const { header, admin } = settings.subscriptions.identity
  const isAuthenticating = !settings.auth.modes.includes('none')
  if (header === '' && !isAuthenticating) return { kind: 'anybody' }
  const user = header === '' ? identity?.user : named
  if (user === admin || identity?.roles.includes(ADMIN_ROLE) === true) return { kind: 'administrator' }
  if (user !== undefined && user !== '') return { kind: 'user', user }
  throw unidentified(header)
}

function unidentified(header: string): Problem {
  if (header === '') return problem('UNAUTHORIZED', {}, { 'WWW-Authenticate': 'Bearer' })
  return problem('UNAUTHORIZED', { reason: `The header ${header} must name the caller` })
}

/** Throws 403 on the paths of the other side. */
export function admitCaller(caller: SubscriptionCaller, side: Side): void {
  if (caller.kind === 'anybody' || caller.kind === side) return
  const reason =
    side === 'user'
      ? 'Administrators must use the paths below /admin/subscriptions'
      : 'Only an administrator may do this'
  throw problem('FORBIDDEN', { reason })
}

/** Throws 403 if the subscription belongs to someone else. */
export function checkOwner({ created_by }: Pick<SubscriptionRecord, 'created_by'>, caller: SubscriptionCaller): void {
  if (caller.kind !== 'user' || created_by === caller.user) return
  throw problem('FORBIDDEN', { reason: 'The subscription belongs to another user' })
}

export const subscriptionNotFound = (id: string): Problem => problem('SUBSCRIPTION_NOT_FOUND', { name: id })

/**
 * Returns a subscription the caller may read. Throws 404 if it does not exist or, for a user, is deleted; 403 if it
 * belongs to someone else.
 */
export async function readableSubscription(
  store: Pick<SubscriptionStore, 'get'>,
  id: string,
  caller: SubscriptionCaller,
  side: Side,
): Promise<SubscriptionRecord> {
  const found = await store.get(id)
  if (found === undefined || (side === 'user' && found.deleted)) throw subscriptionNotFound(id)
  if (side === 'user') checkOwner(found, caller)
  return found
}

/**
 * Throws unless the caller may post and read events: an administrator, or any authenticated caller, since a permission
 * rule has let it through (spec 3.3).
 */
export function admitEventCaller(signs: CallerSigns, settings: IdentitySettings): void {
  if (signs.identity !== undefined || identifyCaller(signs, settings).kind !== 'user') return
  throw problem('FORBIDDEN', { reason: 'Only an administrator may do this' })
}
