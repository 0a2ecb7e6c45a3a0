import type { SubscriptionResource } from '../../model/subscription.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { Side } from '../rights/subscription-caller.ts'
import { subscriptionLinks } from './subscription-links.ts'

/** Representation of a subscription (spec 2.1), without its sequence number and its writer's access. */
export function subscriptionResource(base: string, side: Side, record: SubscriptionRecord): SubscriptionResource {
  return {
    id: record.id,
    created_at: record.created_at,
    modified_at: record.modified_at,
    created_by_admin: record.created_by_admin,
    deleted: record.deleted,
    created_by: record.created_by,
    active: record.active,
    starts_at: record.starts_at,
    expires_at: record.expires_at,
    title: record.title,
    subscription: record.subscription,
    userMetadatas: record.userMetadatas,
    _links: subscriptionLinks(base, side, record),
  }
}
