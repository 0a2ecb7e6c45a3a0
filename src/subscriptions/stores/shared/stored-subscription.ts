import type { StoredAccess } from '../../../access/stored-access.ts'
import { type ExactInteger, nearestDouble } from '../../../model/exact-integer.ts'
import { parseRewritable } from '../../../model/exact-json.ts'
import type {
  Disabled,
  NewSubscription,
  SubscriptionContent,
  SubscriptionRecord,
} from '../../record/subscription-record.ts'

/** The part of a subscription stored as one text: the content sent, and members that lists do not filter by. */
interface StoredBody extends SubscriptionContent {
  readonly modified_at: number
  readonly disabled?: Disabled
}

/** Members used for lookups and filters. */
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

/** Times have up to 64 bits. All times beyond 2^53 compare as equal, since no clock reaches them. */
const comparable = (seconds: number | ExactInteger): number => Math.min(nearestDouble(seconds), Number.MAX_SAFE_INTEGER)

/** Serialises the body. Integers of any size keep their exact value. */
export const printBody = (record: NewSubscription): string => JSON.stringify(bodyOf(record))
/** Parses the output of `printBody`. */
export const parseBody = (text: string): StoredBody => parseRewritable(text) as unknown as StoredBody

/** Builds a record from its stored parts. */
export function recordOf(
  keys: Pick<StoredKeys, 'id' | 'created_at' | 'deleted' | 'created_by_admin'>,
  place: { readonly seq: number; readonly version: number },
  body: StoredBody,
  access: StoredAccess,
): SubscriptionRecord {
  const { id, created_at, deleted, created_by_admin } = keys
  return { ...body, id, created_at, deleted, created_by_admin, seq: place.seq, version: place.version, access }
}
