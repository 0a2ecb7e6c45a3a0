import type { AuthSettings } from '../config/settings.ts'
import { listOf } from './access-texts.ts'
import type { Identity } from './identity.ts'

type Claims = Readonly<Record<string, unknown>>

/** The caller a verified token speaks of, by the claims the settings name. */
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

/** A claim by its whole name; else dots lead into objects. Names that are URLs have dots of their own. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name
    .split('.')
    .reduce<unknown>((inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), claims)
}

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list of texts, or one text with commas or blanks between them. */
function names(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return listOf(claim.replaceAll(/\s+/g, ','))
  return texts(claim)
}

/** Permissions have commas in them: a text is one permission. */
const permissions = (claim: unknown): readonly string[] => (typeof claim === 'string' ? [claim] : texts(claim))

const texts = (claim: unknown): readonly string[] =>
  Array.isArray(claim) ? claim.filter((item): item is string => typeof item === 'string' && item.trim() !== '') : []
