import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'

/** Stored form of an API key, without the secret. */
export const ApiKeyRecord = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_-]+$' }),
    /** SHA-256 of the secret, hexadecimal. The secret is long and random, so the hash does not reveal it. */
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    user: Type.String({ minLength: 1 }),
    roles: Type.Array(Type.String()),
    permissions: Type.Array(Type.String()),
    /** Absent: organisations are not checked for this key. */
    organisations: Type.Optional(Type.Array(Type.String())),
    created: Type.String(),
    /** Absent: valid until revoked. */
    expires: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type ApiKeyRecord = Static<typeof ApiKeyRecord>

const SECRET_BYTES = 32
const ID_BYTES = 9

interface NewApiKey {
  readonly record: ApiKeyRecord
  /** `<id>.<secret>`. Shown once, it cannot be recovered. */
  readonly key: string
}

export function createApiKey(rights: Omit<ApiKeyRecord, 'id' | 'hash'>): NewApiKey {
  // An id that could begin with a dash would be an option on the command line.
  const id = randomBytes(ID_BYTES).toString('hex')
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { record: { id, hash: digestOf(secret), ...rights }, key: `${id}.${secret}` }
}

/** True if the secret belongs to the record. An unknown key takes as long as a wrong secret. */
export function isSecretOf(secret: string, record: Pick<ApiKeyRecord, 'hash'> | undefined): boolean {
  const known = Buffer.from(record?.hash ?? '0'.repeat(64), 'hex')
  const isEqual = timingSafeEqual(Buffer.from(digestOf(secret), 'hex'), known)
  return isEqual && record !== undefined
}

/** An invalid date counts as expired. */
export function hasExpired({ expires }: ApiKeyRecord, now: number): boolean {
  return expires !== undefined && !(now < Date.parse(expires))
}

const digestOf = (secret: string): string => hash('sha256', secret, 'hex')
