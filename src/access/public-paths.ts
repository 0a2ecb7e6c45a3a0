import { SettingsFault } from '../config/setting-value.ts'
import { pathMatcher } from './path-pattern.ts'
import { coversVerb, PermissionFault, parseVerbs } from './permission.ts'

/** True if a request needs no credentials. */
export type PublicPaths = (method: string, path: string) => boolean

/**
 * Parses entries `expression` or `expression:verbs`. Text after the last colon that is not a verb belongs to the
 * expression.
 */
export function publicPaths(entries: readonly string[]): PublicPaths {
  const rules = entries.map((entry) => {
    const colon = entry.lastIndexOf(':')
    const verbs = colon < 0 ? undefined : parseVerbs(entry.slice(colon + 1))
    const matches = pathMatcher(verbs === undefined ? entry : entry.slice(0, colon))
    return { verbs: verbs ?? ('all' as const), matches }
  })
  return (method, path) => rules.some(({ verbs, matches }) => coversVerb(verbs, method) && matches(path))
}

/** Parses `auth.publicPaths`. Throws SettingsFault for an invalid entry. */
export function readPublicPaths(entries: readonly string[]): PublicPaths {
  try {
    return publicPaths(entries)
  } catch (error) {
    if (error instanceof PermissionFault) throw new SettingsFault(`auth.publicPaths: ${error.message}`)
    throw error
  }
}
