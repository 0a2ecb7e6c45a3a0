/** The mapping of an index, in the form Elasticsearch clients write. */

export const mappingTypes = [
  'keyword',
  'text',
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'date',
  'boolean',
  'ip',
  'geo_point',
  'geo_shape',
  'object',
  'nested',
] as const

export type MappingType = (typeof mappingTypes)[number]

/** Types used only by cluster indices: their fields are described and returned, but cannot be used. */
export const foreignTypes = [
  'binary',
  'integer_range',
  'float_range',
  'long_range',
  'double_range',
  'date_range',
  'completion',
  'token_count',
  'murmur3',
  'unknown',
] as const

export type ForeignType = (typeof foreignTypes)[number]

/** Cluster types treated as another type (spec 2.1.4). */
export const countedAs: Readonly<Record<string, MappingType>> = {
  half_float: 'float',
  scaled_float: 'double',
  unsigned_long: 'long',
  date_nanos: 'date',
  wildcard: 'keyword',
  constant_keyword: 'keyword',
  match_only_text: 'text',
}

export type Dynamic = boolean | 'strict'

/**
 * Marks fields that a cluster indexes in a special way (analysers, normalisers, limits, null values), so only the
 * cluster knows what they match. Not part of the JSON of a mapping.
 */
export const readOtherwise: unique symbol = Symbol('read otherwise')

export type MappingField = {
  readonly type?: MappingType | ForeignType
  readonly properties?: Readonly<Record<string, MappingField>>
  /** Date formats, `||`-separated (spec 2.1.9). */
  readonly format?: string
  /** false: stored and returned, but not searchable. */
  readonly index?: boolean
  /** false on an object: stored and returned, but nothing below it is a field. */
  readonly enabled?: boolean
  readonly dynamic?: Dynamic
  /** Paths of fields that also receive this field's values (`internal.fulltext`). */
  readonly copy_to?: readonly string[]
  /** The same values indexed in other ways, if the engine supports it; named `<path>.<name>`, not described. */
  readonly fields?: Readonly<Record<string, MappingField>>
  readonly [readOtherwise]?: true
}

export interface Mapping {
  readonly dynamic?: Dynamic
  readonly properties: Readonly<Record<string, MappingField>>
}
