import type { FieldType } from '../../model/field-type.ts'

export type { FieldType }

/** A field of an index, resolved against its schema: the only way a caller's path reaches an engine. */
export interface Field {
  readonly path: string
  readonly type: FieldType
  /** Date formats as the mapping states them; absent when it states none. */
  readonly format?: string
  readonly indexed: boolean
  /** Where documents hold the values, when that is another path: a sub-field is read from its field. */
  readonly source?: string
  /** True below a NESTED field: can be returned, not used. */
  readonly nested: boolean
}

const INTEGERS: ReadonlySet<FieldType> = new Set(['LONG', 'INTEGER', 'SHORT', 'BYTE'])
const NUMBERS: ReadonlySet<FieldType> = new Set([...INTEGERS, 'DOUBLE', 'FLOAT'])

export const isInteger = (type: FieldType): boolean => INTEGERS.has(type)
export const isNumber = (type: FieldType): boolean => NUMBERS.has(type)
export const isGeo = (type: FieldType): boolean => type === 'GEO_POINT' || type === 'GEO_SHAPE'
