import { isAsWide, type StoredAccess } from '../../access/rights/stored-access.ts'
import { problem } from '../../errors.ts'
import type { Delivery } from '../record/delivery-record.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'

type Viewed = Pick<SubscriptionRecord, 'access'>

/**
 * Throws 403 unless the caller sees everything the subscription may report. API keys of one user may have different
 * views.
 */
export function checkWholeView({ access }: Viewed, caller: StoredAccess): void {
  if (isAsWide(caller, access)) return
  throw problem('FORBIDDEN', { reason: 'The subscription was written with a wider view than the caller has' })
}

/** Throws 403 for a delivery made before the view of its subscription was narrowed. */
export function checkMadeForView(subscription: Viewed, delivery: Delivery): void {
  if (isMadeForView(subscription, delivery)) return
  throw problem('FORBIDDEN', { reason: 'The delivery was created with a wider view than the subscription has now' })
}

/** True if a caller may see which document a delivery is about. */
export const showsDocument = (subscription: Viewed, caller: StoredAccess, delivery: Delivery): boolean =>
  isAsWide(caller, subscription.access) && isMadeForView(subscription, delivery)

const isMadeForView = ({ access: { narrowedAt } }: Viewed, { createdAt }: Delivery): boolean =>
  narrowedAt === undefined || createdAt > narrowedAt
