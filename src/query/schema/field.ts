import type { FieldType } from '../../model/field-type.ts'

/** A field of an index, resolved against its schema. Engines only get paths of resolved fields. */
export interface Field {
  readonly path: string
  readonly type: FieldType
  /** Date formats as stated in the mapping; absent if not stated. */
  readonly format?: string
  readonly indexed: boolean
  /** Path of the values in documents, if different: a sub-field uses the values of its parent field. */
  readonly source?: string
  /** True below a NESTED field: can be returned, but not used. */
  readonly nested: boolean
  /** Only of `documentIds`. */
  readonly isId?: true
}

/** The index-level identifiers of documents (`_id`), as if they were a field: for equality and sorting only. */
export const documentIds: Field = { path: '_id', type: 'KEYWORD', indexed: true, nested: false, isId: true }

const INTEGERS: ReadonlySet<FieldType> = new Set(['LONG', 'INTEGER', 'SHORT', 'BYTE'])
const NUMBERS: ReadonlySet<FieldType> = new Set([...INTEGERS, 'DOUBLE', 'FLOAT'])

export const isInteger = (type: FieldType): boolean => INTEGERS.has(type)
export const isNumber = (type: FieldType): boolean => NUMBERS.has(type)
export const isGeo = (type: FieldType): boolean => type === 'GEO_POINT' || type === 'GEO_SHAPE'
