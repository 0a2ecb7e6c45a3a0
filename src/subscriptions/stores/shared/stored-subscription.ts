import { type Static, Type } from 'typebox'
import { parseAccess, type StoredAccess } from '../../../access/rights/stored-access.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import { type ExactInteger, nearestDouble } from '../../../model/json/exact-integer.ts'
import { parseRewritable } from '../../../model/json/exact-json.ts'
import { parseStored } from '../../../model/json/stored-json.ts'
import type { NewSubscription, SubscriptionRecord } from '../../record/subscription-record.ts'

/** Integers beyond 2^53 are objects. */
const Seconds = Type.Unsafe<number | ExactInteger>({ type: ['number', 'object'] })
const FreeObject = Type.Unsafe<JsonObject>({ type: 'object' })

/** The part of a subscription stored as one text: the content sent, and members that lists do not filter by. */
const StoredBody = Type.Object({
  created_by: Type.String(),
  active: Type.Boolean(),
  starts_at: Seconds,
  expires_at: Seconds,
  title: Type.String(),
  subscription: Type.Object({
    trigger: FreeObject,
    callback: Type.String(),
    hits: Type.Object({ filter: Type.String(), projection: Type.Optional(Type.String()) }),
  }),
  userMetadatas: FreeObject,
  modified_at: Type.Number(),
  disabled: Type.Optional(
    Type.Object({ reason: Type.Union([Type.Literal('GONE'), Type.Literal('EXHAUSTED')]), at: Type.Number() }),
  ),
})
type StoredBody = Static<typeof StoredBody>

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
export const parseBody = (id: string, text: string): StoredBody =>
  parseStored(StoredBody, text, `subscription ${id}`, parseRewritable)

/** Parses the stored view of the writer. */
export const accessOf = (id: string, text: string): StoredAccess => parseAccess(text, `subscription ${id}`)

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
