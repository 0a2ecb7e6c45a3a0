import type { Mapping, MappingField } from '../../../model/mapping.ts'
import { columnsOf, listColumnOf, systemColumns, type TableLayout } from '../index/table-layout.ts'

/** Which columns an edit of one path concerns. */
export interface EditedFields {
  /** Paths whose values change: the edited one, and those it is copied to. */
  readonly paths: ReadonlySet<string>
  /** What must be read of a document to tell these values: the columns of the table, without all others. */
  readonly layout: TableLayout
  /** Other parts of a document have a share in the values. */
  readonly needsWhole: boolean
}

/** Values may come from other fields by copy_to; then all fields are read. */
export function editedFields(mapping: Mapping, layout: TableLayout, path: string): EditedFields {
  const copies = copiesOf(mapping)
  const paths = new Set([path])
  for (const reached of paths) for (const target of copies.get(reached) ?? []) paths.add(target)
  const fields = layout.fields.filter((field) => copies.size > 0 || paths.has(field.path))
  const columns = fields.flatMap((field) => {
    const list = field.several ? listColumnOf(field) : undefined
    return [...columnsOf(field.type, field.column), ...(list ? [list] : [])]
  })
  return { paths, layout: { columns: [...systemColumns, ...columns], fields }, needsWhole: copies.size > 0 }
}

/** The names of the columns that hold the values of the edited paths. */
export function editedColumns({ paths }: EditedFields, layout: TableLayout): readonly string[] {
  return layout.fields
    .filter((field) => paths.has(field.path))
    .flatMap((field) => {
      const list = field.several ? listColumnOf(field) : undefined
      return [...columnsOf(field.type, field.column), ...(list ? [list] : [])].map(({ name }) => name)
    })
}

function copiesOf(mapping: Mapping): ReadonlyMap<string, readonly string[]> {
  const copies = new Map<string, readonly string[]>()
  const visit = (prefix: string, properties: Readonly<Record<string, MappingField>>): void => {
    for (const [name, field] of Object.entries(properties)) {
      if (field.copy_to) copies.set(prefix + name, field.copy_to)
      if (field.properties) visit(`${prefix}${name}.`, field.properties)
    }
  }
  visit('', mapping.properties)
  return copies
}

/** Whether a mapping knows a path, of whatever type. */
export function isMapped(mapping: Mapping, path: string): boolean {
  let properties: Readonly<Record<string, MappingField>> | undefined = mapping.properties
  let field: MappingField | undefined
  for (const name of path.split('.')) {
    field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!field) return false
    properties = field.properties
  }
  return true
}
