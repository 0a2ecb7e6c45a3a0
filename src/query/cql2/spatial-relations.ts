/** Functions of Part "spatial functions", in lower case as in the JSON form. */
export const spatialRelations = [
  's_intersects',
  's_disjoint',
  's_within',
  's_contains',
  's_equals',
  's_touches',
  's_crosses',
  's_overlaps',
] as const

export type SpatialRelation = (typeof spatialRelations)[number]
