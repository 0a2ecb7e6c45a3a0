import type { Field } from '../../query/field.ts'
import type { Schema } from '../../query/schema.ts'

/** A column of a table made from documents: one for each field that has values. */
export interface ExportColumn {
  /** The path of the field. */
  readonly name: string
  readonly field: Field
}

/** Name of the column that holds the geometry of a row. */
export const GEOMETRY_COLUMN = 'geometry'

/** Fields that make columns, in the order of the description; objects are their members. */
export function exportColumns(schema: Schema, isKept: (path: string) => boolean): readonly ExportColumn[] {
  return schema.fields
    .filter((field) => field.type !== 'OBJECT' && field.type !== 'NESTED' && !field.nested && isKept(field.path))
    .map((field) => ({ name: field.path, field }))
}
