import type { Mapping, MappingField } from '../../../model/mapping.ts'
import { columnsOf, listColumnOf, systemColumns, type TableLayout } from '../index/table-layout.ts'

/** The columns affected by an edit of one path. */
export interface EditedFields {
  /** Paths whose values change: the edited one, and those it is copied to. */
  readonly paths: ReadonlySet<string>
  /** System columns and the columns of the fields that must be read to compute these values. */
  readonly layout: TableLayout
  /** True if the values also depend on other parts of a document. */
  readonly needsWhole: boolean
}

/** If the mapping uses copy_to, values may come from other fields, so all fields are read. */
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

/** Names of the columns of the edited paths. */
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

/** True if a mapping contains a path, whatever its type. */
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
