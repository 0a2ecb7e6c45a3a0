import { namesKey, rankCentroid, rankGeometry, rankId, rankTimestamp, rankYear } from '../../mapping/field-names.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { valueAt } from '../../model/json/json-object.ts'
import type { Mapping, MappingField } from '../../model/mapping.ts'

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
  const [id] = idCandidates(mapping, sample)
  const dates = ofType('date')
  const timestamp = best(dates, rankTimestamp) ?? only(dates) ?? best(dates, rankYear)
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

/**
 * Paths of fields that may identify a document, best first: named like an identifier, or like another key (`iata`,
 * `zip_code`), with a value in every document of the sample and no value twice.
 */
export function idCandidates(mapping: Mapping, sample: readonly JsonObject[]): readonly string[] {
  const types = new Set(['keyword', 'long', 'integer', 'short', 'byte'])
  const leaves = listLeaves(mapping.properties).filter((leaf) => types.has(leaf.type))
  const named = (rank: (name: string) => number) => ranked(leaves, rank).map(({ path }) => path)
  const keys = leaves.flatMap(({ path }) => (namesKey(lastName(path)) ? [path] : []))
  return [...new Set([...named(rankId), ...keys])].filter((path) => isDistinct(path, sample))
}

/** Paths of date fields, for messages. */
export const datePaths = (mapping: Mapping): readonly string[] =>
  listLeaves(mapping.properties).flatMap(({ path, type }) => (type === 'date' ? [path] : []))

function listLeaves(properties: Readonly<Record<string, MappingField>>, prefix = ''): readonly Leaf[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    if (field.type === 'nested' || field.enabled === false) return []
    if (field.properties !== undefined) return listLeaves(field.properties, `${path}.`)
    return field.type === undefined || field.index === false ? [] : [{ path, type: field.type }]
  })
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

function ranked(leaves: readonly Leaf[], rank: (name: string) => number): readonly { readonly path: string }[] {
  return leaves
    .map(({ path }) => ({ path, rank: rank(lastName(path)), depth: path.split('.').length }))
    .filter((leaf) => leaf.rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.depth - b.depth || a.rank - b.rank)
}

const best = (leaves: readonly Leaf[], rank: (name: string) => number): string | undefined =>
  ranked(leaves, rank)[0]?.path

const only = (leaves: readonly Leaf[]): string | undefined => (leaves.length === 1 ? leaves[0]?.path : undefined)

function isDistinct(path: string, sample: readonly JsonObject[]): boolean {
  const values = sample.map((document) => valueAt(document, path))
  if (values.some((value) => (typeof value !== 'string' && typeof value !== 'number') || value === '')) return false
  return new Set(values.map(String)).size === values.length
}
