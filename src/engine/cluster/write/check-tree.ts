import type { Dynamic, Mapping, MappingField } from '../../../model/mapping.ts'
import type { Field } from '../../../query/schema/field.ts'
import { typeOf } from '../../../query/schema/schema.ts'

/** Mapping of a key of a document. */
export interface CheckNode {
  readonly path: string
  readonly children: ReadonlyMap<string, CheckNode>
  readonly leaf?: Field
  /** Target fields of `copy_to`. */
  readonly copyTo: readonly Field[]
  /** Stored but never searched: nested, disabled or not indexed. */
  readonly opaque: boolean
  readonly dynamic: Dynamic
}

/** Converts the mapping of an index created by Periplus to a tree of keys. */
export function checkTree(mapping: Mapping): CheckNode {
  const leaves = new Map<string, Field>()
  const copies: { readonly into: Field[]; readonly paths: readonly string[] }[] = []
  const build = (path: string, field: MappingField, inherited: Dynamic): CheckNode => {
    const dynamic = field.dynamic ?? inherited
    const type = typeOf(field.type)
    const copyTo: Field[] = []
    const closed = { path, children: new Map(), copyTo, dynamic }
    if (type === 'NESTED' || type === 'UNKNOWN' || field.enabled === false) return { ...closed, opaque: true }
    if (type === 'OBJECT') {
      return { path, children: below(`${path}.`, field.properties ?? {}, dynamic), copyTo, opaque: false, dynamic }
    }
    if (field.index === false) return { ...closed, opaque: true }
    const { format } = field
    const leaf: Field = { path, type, ...(format === undefined ? {} : { format }), indexed: true, nested: false }
    leaves.set(path, leaf)
    copies.push({ into: copyTo, paths: field.copy_to ?? [] })
    return { ...closed, leaf, opaque: false }
  }
  const below = (prefix: string, properties: Mapping['properties'], dynamic: Dynamic): ReadonlyMap<string, CheckNode> =>
    new Map(Object.entries(properties).map(([name, field]) => [name, build(prefix + name, field, dynamic)]))
  const dynamic = mapping.dynamic ?? true
  const root: CheckNode = {
    path: '',
    children: below('', mapping.properties, dynamic),
    copyTo: [],
    opaque: false,
    dynamic,
  }
  for (const { into, paths } of copies) into.push(...paths.flatMap((path) => leaves.get(path) ?? []))
  return root
}
