import { isAsWide, type StoredAccess } from '../../access/stored-access.ts'
import { problem } from '../../errors.ts'
import type { Delivery } from '../record/delivery-record.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'

type Viewed = Pick<SubscriptionRecord, 'access'>

/** 403 for a caller who does not see all that a subscription was written to tell of: keys of a user may differ. */
export function checkWholeView({ access }: Viewed, caller: StoredAccess): void {
  if (isAsWide(caller, access)) return
  throw problem('FORBIDDEN', { reason: 'The subscription was written with a wider view than the caller has' })
}

/** 403 for a delivery that was made before its subscription was given a narrower view. */
export function checkMadeForView(subscription: Viewed, delivery: Delivery): void {
  if (isMadeForView(subscription, delivery)) return
  throw problem('FORBIDDEN', { reason: 'The delivery was made for a wider view than the subscription has now' })
}

/** Whether a caller may know which document a delivery tells of. */
export const showsDocument = (subscription: Viewed, caller: StoredAccess, delivery: Delivery): boolean =>
  isAsWide(caller, subscription.access) && isMadeForView(subscription, delivery)

const isMadeForView = ({ access: { narrowedAt } }: Viewed, { createdAt }: Delivery): boolean =>
  narrowedAt === undefined || createdAt > narrowedAt
