/** The mapping of an index, in the form Elasticsearch clients write it. */

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

/** Types that indices of a cluster may have too: their fields are described and returned, and never used. */
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

/** Types of a cluster that count as another one (spec 2.1.4). */
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
 * Marks fields whose values a cluster reads in ways of its own (analysers, normalisers, limits, stand-ins for null):
 * what they match can be told by the cluster alone. No text of a mapping shows it.
 */
export const readOtherwise: unique symbol = Symbol('read otherwise')

export interface MappingField {
  readonly type?: MappingType | ForeignType
  readonly properties?: Readonly<Record<string, MappingField>>
  /** Date formats, `||`-separated (spec 2.1.9). */
  readonly format?: string
  /** false: stored and returned, not searchable. */
  readonly index?: boolean
  /** false on an object: stored and returned, nothing below it is a field. */
  readonly enabled?: boolean
  readonly dynamic?: Dynamic
  /** Paths of fields that also receive this field's values (`internal.fulltext`). */
  readonly copy_to?: readonly string[]
  /** The same values indexed in other ways, where the engine has that: named `<path>.<name>`, and not described. */
  readonly fields?: Readonly<Record<string, MappingField>>
  readonly [readOtherwise]?: true
}

export interface Mapping {
  readonly dynamic?: Dynamic
  readonly properties: Readonly<Record<string, MappingField>>
}
