import { literalExpression } from '../path-pattern.ts'

/**
 * Returns permissions to explore the given collections only: rules for their paths, and a column filter so that lists
 * omit all others. Returns none if no collection is given.
 */
export function scopedPermissions(collections: readonly string[], verbs: string): readonly string[] {
  if (collections.length === 0) return []
  const names = collections.map(literalExpression).join('|')
  return [
    `rule:explore/(${names})/.*:${verbs}`,
    `rule:explore/ogc/opensearch/(${names}):${verbs}`,
    `rule:explore/_list:${verbs}`,
    `rule:ogc(/(api|conformance|tileMatrixSets(/.*)?|collections(/(${names})(/.*)?)?))?:GET`,
    `rule:stac(/(api|conformance|queryables|search|aggregate|aggregations|collections(/(${names})(/.*)?)?))?:${verbs}`,
    `rule:collections(/(${names}))?:GET`,
    `header:column-filter:${collections.map((name) => `${name}:*`).join(',')}`,
  ]
}
