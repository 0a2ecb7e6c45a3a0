import type { StoredAccess } from '../../../access/stored-access.ts'
import { type ExactInteger, nearestDouble } from '../../../model/exact-integer.ts'
import { parseRewritable } from '../../../model/exact-json.ts'
import type {
  Disabled,
  NewSubscription,
  SubscriptionContent,
  SubscriptionRecord,
} from '../../record/subscription-record.ts'

/** What stores keep in one piece: what was sent, and what lists are not filtered by. */
export interface StoredBody extends SubscriptionContent {
  readonly modified_at: number
  readonly disabled?: Disabled
}

/** The members stores look subscriptions up by. */
export interface StoredKeys {
  readonly id: string
  readonly created_at: number
  readonly created_by: string
  readonly active: boolean
  readonly starts_at: number
  readonly expires_at: number
  readonly deleted: boolean
  readonly created_by_admin: boolean
}

function bodyOf(record: NewSubscription): StoredBody {
  const { created_by, active, starts_at, expires_at, title, subscription, userMetadatas, modified_at, disabled } =
    record
  return {
    created_by,
    active,
    starts_at,
    expires_at,
    title,
    subscription,
    userMetadatas,
    modified_at,
    ...(disabled === undefined ? {} : { disabled }),
  }
}

export function keysOf(record: NewSubscription): StoredKeys {
  const { id, created_at, created_by, active, starts_at, expires_at, deleted, created_by_admin } = record
  return {
    id,
    created_at,
    created_by,
    active,
    starts_at: comparable(starts_at),
    expires_at: comparable(expires_at),
    deleted,
    created_by_admin,
  }
}

/** Times may be as large as 64 bits; no clock gets that far, so all of those beyond 2^53 compare alike. */
const comparable = (seconds: number | ExactInteger): number => Math.min(nearestDouble(seconds), Number.MAX_SAFE_INTEGER)

/** The text of a body as it is stored, and back: integers of any size stay what they are. */
export const printBody = (record: NewSubscription): string => JSON.stringify(bodyOf(record))
/** Only what `printBody` wrote is read. */
export const parseBody = (text: string): StoredBody => parseRewritable(text) as unknown as StoredBody

/** The record of what a store holds under a number. */
export function recordOf(
  keys: Pick<StoredKeys, 'id' | 'created_at' | 'deleted' | 'created_by_admin'>,
  place: { readonly seq: number; readonly version: number },
  body: StoredBody,
  access: StoredAccess,
): SubscriptionRecord {
  const { id, created_at, deleted, created_by_admin } = keys
  return { ...body, id, created_at, deleted, created_by_admin, seq: place.seq, version: place.version, access }
}
