import { Type } from 'typebox'

/**
 * Geometry filters of the earlier revision of the interface, as parameters and as members of a Filter. Each is
 * equivalent to a triplet of f on a path of the collection.
 */
export const geometryFilters = {
  gwithin: { path: 'geometry_path', op: 'within' },
  notgwithin: { path: 'geometry_path', op: 'notwithin' },
  gintersect: { path: 'geometry_path', op: 'intersects' },
  notgintersect: { path: 'geometry_path', op: 'notintersects' },
  pwithin: { path: 'centroid_path', op: 'within' },
  notpwithin: { path: 'centroid_path', op: 'notwithin' },
} as const

export type GeometryFilterName = keyof typeof geometryFilters

export const geometryFilterNames = Object.keys(geometryFilters) as readonly GeometryFilterName[]

/** Filters on points accept boxes only. */
export const isBoxOnly = (name: GeometryFilterName): boolean => geometryFilters[name].path === 'centroid_path'

function texts(name: GeometryFilterName) {
  const { path, op } = geometryFilters[name]
  const area = isBoxOnly(name) ? 'A bbox `west,south,east,north`' : 'WKT or a bbox `west,south,east,north`'
  const description =
    `Deprecated: use \`f={${path}}:${op}:{area}\`. ${area}, or alternatives joined with \`;\`, of which ` +
    'at least one must match. Several parameters must all match.'
  return Type.Optional(Type.Array(Type.String(), { deprecated: true, description }))
}

/** Schemas of the Filter members and of the query parameters. */
export const geometryFilterSchemas = {
  gwithin: texts('gwithin'),
  notgwithin: texts('notgwithin'),
  gintersect: texts('gintersect'),
  notgintersect: texts('notgintersect'),
  pwithin: texts('pwithin'),
  notpwithin: texts('notpwithin'),
}
