import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'

/** What is kept of an API key: everything but its secret. */
export const ApiKeyRecord = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_-]+$' }),
    /** SHA-256 of the secret, hexadecimal. The secret is random and long, so it cannot be guessed from it. */
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    user: Type.String({ minLength: 1 }),
    roles: Type.Array(Type.String()),
    permissions: Type.Array(Type.String()),
    /** Absent: organisations are not looked at for this key. */
    organisations: Type.Optional(Type.Array(Type.String())),
    created: Type.String(),
    /** Absent: until it is revoked. */
    expires: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type ApiKeyRecord = Static<typeof ApiKeyRecord>

const SECRET_BYTES = 32
const ID_BYTES = 9

export interface NewApiKey {
  readonly record: ApiKeyRecord
  /** `<id>.<secret>`: to be shown once, it cannot be had again. */
  readonly key: string
}

export function createApiKey(rights: Omit<ApiKeyRecord, 'id' | 'hash'>): NewApiKey {
  const id = randomBytes(ID_BYTES).toString('base64url')
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { record: { id, hash: digestOf(secret), ...rights }, key: `${id}.${secret}` }
}

/** Whether the secret is that of the record. An unknown key takes as long as a wrong secret. */
export function isSecretOf(secret: string, record: Pick<ApiKeyRecord, 'hash'> | undefined): boolean {
  const known = Buffer.from(record?.hash ?? '0'.repeat(64), 'hex')
  const isEqual = timingSafeEqual(Buffer.from(digestOf(secret), 'hex'), known)
  return isEqual && record !== undefined
}

/** A date that cannot be read has passed. */
export function hasExpired({ expires }: ApiKeyRecord, now: number): boolean {
  return expires !== undefined && !(now < Date.parse(expires))
}

const digestOf = (secret: string): string => hash('sha256', secret, 'hex')
