import { literalExpression } from './path-pattern.ts'

/**
 * The permissions to explore some collections and no other: rules for their paths, and columns, so that lists leave the
 * others out. None when no collection is named.
 */
export function scopedPermissions(collections: readonly string[], verbs: string): readonly string[] {
  if (collections.length === 0) return []
  const names = collections.map(literalExpression).join('|')
  return [
    `rule:explore/(${names})/.*:${verbs}`,
    `rule:explore/ogc/opensearch/(${names}):${verbs}`,
    `rule:explore/_list:${verbs}`,
    `rule:collections(/(${names}))?:GET`,
    `header:column-filter:${collections.map((name) => `${name}:*`).join(',')}`,
  ]
}
