import { rankCentroid, rankGeometry, rankId, rankTimestamp } from '../mapping/field-names.ts'
import type { Json, JsonObject } from '../model/document.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { Mapping, MappingField } from '../model/mapping.ts'

/** The four paths of a collection, those that could be told from the mapping and the sample. */
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
 * Guesses the paths that are obvious: an identifier by its name (and distinct in the sample), a timestamp by its name or
 * as the only date, places by name or as the only ones. What is not obvious is left out.
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
    // a shape serves as its own centroid: the engine takes the planar one
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

/** The value of one path, when every step is an object; a key may spell several steps with dots. */
export function valueAt(document: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(document, path)) return document[path]
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot)
    const inner = Object.hasOwn(document, key) ? document[key] : undefined
    if (isJsonObject(inner)) return valueAt(inner, path.slice(dot + 1))
  }
  return undefined
}
