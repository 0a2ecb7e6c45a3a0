const user = ['rule:explore/.*:GET,POST', 'rule:collections(/[^_/][^/]*)?:GET', 'rule:subscriptions(/.*)?:*']
const builder = [...user, 'rule:collections/.*:GET,PUT,PATCH,DELETE,POST']
const tagger = ['rule:write/.*:POST', 'rule:status/.*:GET']

/** The rights of callers without credentials, on public paths. */
export const PUBLIC_ROLE = 'group/public'
export const ADMIN_ROLE = 'role/periplus/admin'

/** Names for lists of permissions (spec 9.6). */
export const builtInRoles: Readonly<Record<string, readonly string[]>> = {
  'role/arlas/user': user,
  'role/arlas/builder': builder,
  'role/arlas/tagger': tagger,
  'role/arlas/owner': [...builder, ...tagger],
  [ADMIN_ROLE]: ['rule:.*:*'],
  [PUBLIC_ROLE]: [],
}

/** The permissions behind roles, in their order; a role of the settings replaces the built-in one of its name. */
export function permissionsOfRoles(
  roles: readonly string[],
  configured: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const known = new Map([...Object.entries(builtInRoles), ...Object.entries(configured)])
  return [...new Set(roles)].flatMap((role) => known.get(role) ?? [])
}
