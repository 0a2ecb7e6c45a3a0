/** The mapping of an index, in the form Elasticsearch clients write it. */

export type MappingType =
  | 'keyword'
  | 'text'
  | 'long'
  | 'integer'
  | 'short'
  | 'byte'
  | 'double'
  | 'float'
  | 'date'
  | 'boolean'
  | 'ip'
  | 'geo_point'
  | 'geo_shape'
  | 'object'
  | 'nested'

export type Dynamic = boolean | 'strict'

export interface MappingField {
  readonly type?: MappingType
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
}

export interface Mapping {
  readonly dynamic?: Dynamic
  readonly properties: Readonly<Record<string, MappingField>>
}
