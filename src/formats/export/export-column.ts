import type { Field } from '../../query/schema/field.ts'
import type { Schema } from '../../query/schema/schema.ts'

/** A column of an exported table: one per field with values. */
export interface ExportColumn {
  /** Path of the field. */
  readonly name: string
  readonly field: Field
}

/** Column with the geometry of a row. */
export const GEOMETRY_COLUMN = 'geometry'

/** Returns the columns of a schema, in the order of the description; objects are replaced by their members. */
export function exportColumns(schema: Schema, isKept: (path: string) => boolean): readonly ExportColumn[] {
  return schema.fields
    .filter((field) => field.type !== 'OBJECT' && field.type !== 'NESTED' && !field.nested && isKept(field.path))
    .map((field) => ({ name: field.path, field }))
}

/** Renames columns that collide with a column added by a format. Case-insensitive, because some readers ignore case. */
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

/** Returns `wanted`, or a longer name if a column has it. Case-insensitive, because some readers ignore case. */
export function freeName(wanted: string, columns: readonly Pick<ExportColumn, 'name'>[]): string {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  let name = wanted
  while (taken.has(name.toLowerCase())) name += '_'
  return name
}
