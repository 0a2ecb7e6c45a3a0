import type { Field } from '../../query/schema/field.ts'
import type { Schema } from '../../query/schema/schema.ts'

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

/** The same columns beside one more that a format adds: a field of its name gets another. Readers may ignore case. */
export function columnsBeside(added: string, columns: readonly ExportColumn[]): readonly ExportColumn[] {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  return columns.map((column) => {
    if (column.name.toLowerCase() !== added.toLowerCase()) return column
    let name = `${column.name}_`
    while (taken.has(name.toLowerCase())) name += '_'
    taken.add(name.toLowerCase())
    return { ...column, name }
  })
}
