import type { AuthSettings } from '../../config/settings.ts'
import { listOf } from '../access-texts.ts'
import type { Identity } from '../identity.ts'

type Claims = Readonly<Record<string, unknown>>

/** Returns the caller described by a verified token, using the configured claim names. */
export function identityOfClaims(claims: Claims, settings: AuthSettings['jwt']): Identity {
  const user = claimOf(claims, settings.userClaim)
  const { organisationsClaim } = settings
  return {
    mode: 'jwt',
    ...(typeof user === 'string' && user !== '' ? { user } : {}),
    roles: settings.rolesClaims.flatMap((name) => names(claimOf(claims, name))),
    permissions: permissions(claimOf(claims, settings.permissionsClaim)),
    ...(organisationsClaim === undefined ? {} : { organisations: names(claimOf(claims, organisationsClaim)) }),
  }
}

/** Looks up a claim by its full name first, then as a dotted path. Names that are URLs contain dots. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>((inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), claims)
}

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Accepts a list, or one string separated by commas or spaces. */
function names(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return listOf(claim.replaceAll(/\s+/g, ','))
  return texts(claim)
}

/** Permissions contain commas, so a string is one permission. */
const permissions = (claim: unknown): readonly string[] => (typeof claim === 'string' ? [claim] : texts(claim))

const texts = (claim: unknown): readonly string[] =>
  Array.isArray(claim) ? claim.filter((item): item is string => typeof item === 'string' && item.trim() !== '') : []
