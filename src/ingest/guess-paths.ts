import { rankCentroid, rankGeometry, rankId, rankTimestamp } from '../mapping/field-names.ts'
import type { JsonObject } from '../model/json/document.ts'
import { valueAt } from '../model/json/json-object.ts'
import type { Mapping, MappingField } from '../model/mapping.ts'

/** The four paths of a collection, as far as they could be inferred from the mapping and the sample. */
export interface CollectionPaths {
  readonly id?: string
  readonly geometry?: string
  readonly centroid?: string
  readonly timestamp?: string
}

interface Leaf {
  readonly path: string
  readonly type: string
}

/**
 * Infers the paths that are obvious: the id by its name (and distinct values in the sample), the timestamp by its name
 * or as the only date, geometries by name or as the only ones. Ambiguous paths are left out.
 */
export function guessPaths(mapping: Mapping, sample: readonly JsonObject[]): CollectionPaths {
  const leaves = listLeaves(mapping.properties)
  const ofType = (...types: readonly string[]) => leaves.filter((leaf) => types.includes(leaf.type))
  const ids = ofType('keyword', 'long', 'integer', 'short', 'byte').filter((leaf) => isDistinct(leaf.path, sample))
  const id = best(ids, rankId)
  const timestamp = best(ofType('date'), rankTimestamp) ?? only(ofType('date'))
  const centroid = best(ofType('geo_point'), rankCentroid) ?? only(ofType('geo_point'))
  const geometry = best(ofType('geo_shape'), rankGeometry) ?? only(ofType('geo_shape')) ?? centroid
  return {
    ...(id === undefined ? {} : { id }),
    ...(geometry === undefined ? {} : { geometry }),
    // A shape is accepted as centroid_path: the engine computes its planar centroid.
    ...((centroid ?? geometry) === undefined ? {} : { centroid: centroid ?? geometry ?? '' }),
    ...(timestamp === undefined ? {} : { timestamp }),
  }
}

function listLeaves(properties: Readonly<Record<string, MappingField>>, prefix = ''): readonly Leaf[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    if (field.type === 'nested' || field.enabled === false) return []
    if (field.properties !== undefined) return listLeaves(field.properties, `${path}.`)
    return field.type === undefined || field.index === false ? [] : [{ path, type: field.type }]
  })
}

function best(leaves: readonly Leaf[], rank: (name: string) => number): string | undefined {
  const ranked = leaves
    .map(({ path }) => ({ path, rank: rank(path.slice(path.lastIndexOf('.') + 1)), depth: path.split('.').length }))
    .filter((leaf) => leaf.rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.depth - b.depth || a.rank - b.rank)
  return ranked[0]?.path
}

const only = (leaves: readonly Leaf[]): string | undefined => (leaves.length === 1 ? leaves[0]?.path : undefined)

function isDistinct(path: string, sample: readonly JsonObject[]): boolean {
  const values = sample.map((document) => valueAt(document, path))
  if (values.some((value) => typeof value !== 'string' && typeof value !== 'number')) return false
  return new Set(values.map(String)).size === values.length
}
