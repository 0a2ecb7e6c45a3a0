import type { Settings } from '../config/settings.ts'

/** All prefixes under which some routes are registered a second time. */
export function routePrefixes({ server, tagging, subscriptions }: Settings): readonly string[] {
  return [...new Set([...server.aliases, ...tagging.aliases, ...subscriptions.aliases])]
}
