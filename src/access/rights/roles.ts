const user = [
  'rule:explore/.*:GET,POST',
  'rule:ogc(/.*)?:GET',
  'rule:stac(/.*)?:GET,POST',
  'rule:collections(/[^_/][^/]*)?:GET',
  'rule:subscriptions(/.*)?:*',
]
const builder = [...user, 'rule:collections/.*:GET,PUT,PATCH,DELETE,POST']
const tagger = ['rule:write/.*:POST', 'rule:status/.*:GET']

/** Role of callers without credentials, on public paths. */
export const PUBLIC_ROLE = 'group/public'
export const ADMIN_ROLE = 'role/periplus/admin'

/** Built-in roles and their permissions (spec 9.6). */
export const builtInRoles: Readonly<Record<string, readonly string[]>> = {
  'role/arlas/user': user,
  'role/arlas/builder': builder,
  'role/arlas/tagger': tagger,
  'role/arlas/owner': [...builder, ...tagger],
  [ADMIN_ROLE]: ['rule:.*:*'],
  [PUBLIC_ROLE]: [],
}

/** Returns the permissions of roles, in order. A configured role replaces the built-in role of the same name. */
export function permissionsOfRoles(
  roles: readonly string[],
  configured: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const known = new Map([...Object.entries(builtInRoles), ...Object.entries(configured)])
  return [...new Set(roles)].flatMap((role) => known.get(role) ?? [])
}
