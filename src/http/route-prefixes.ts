import type { Settings } from '../config/settings.ts'

/** Every prefix under which some routes answer too; what a path means is told by the rest of it. */
export function routePrefixes({ server, tagging, subscriptions }: Settings): readonly string[] {
  return [...new Set([...server.aliases, ...tagging.aliases, ...subscriptions.aliases])]
}
