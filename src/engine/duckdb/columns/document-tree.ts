import type { Json } from '../../../model/json/document.ts'
import type { Dynamic, Mapping, MappingField } from '../../../model/mapping.ts'
import { columnsOf, type TableLayout } from '../index/table-layout.ts'
import type { FieldValues, StoredField } from './document-columns.ts'

/** Meaning of a document key according to the mapping. */
export interface DocumentNode {
  readonly path: string
  readonly children: ReadonlyMap<string, DocumentNode>
  readonly leaf?: DocumentLeaf
  /** Stored without fields below it: nested, disabled or not indexed. */
  readonly opaque: boolean
  readonly dynamic: Dynamic
}

/** Collects the values of one field while a document is walked. */
export interface DocumentLeaf {
  readonly field: StoredField
  readonly firstColumn: number
  readonly copyTo: DocumentLeaf[]
  raw: Json | undefined
  /** Values read from `raw`. */
  readonly values: FieldValues
  present: boolean
}

interface DocumentTree {
  readonly root: DocumentNode
  /** True if some fields receive values of others (copy_to). */
  readonly copies: boolean
}

export function buildTree(mapping: Mapping, layout: TableLayout): DocumentTree {
  const fields = new Map(layout.fields.map((f) => [f.path, f]))
  const positions = new Map(layout.columns.map((c, i) => [c.name, i]))
  const leaves = new Map<string, DocumentLeaf>()
  const copies: { from: DocumentLeaf; to: readonly string[] }[] = []
  const build = (name: string, prefix: string, mapped: MappingField, inherited: Dynamic): DocumentNode => {
    const path = prefix + name
    const dynamic = mapped.dynamic ?? inherited
    const field = fields.get(path)
    const type = mapped.type ?? 'object'
    if (field) {
      const firstColumn = positions.get(columnsOf(field.type, field.column)[0]?.name ?? '') ?? 0
      const leaf: DocumentLeaf = {
        field: { ...field, indexed: true, nested: false },
        firstColumn,
        copyTo: [],
        raw: undefined,
        values: { single: [], several: undefined },
        present: false,
      }
      leaves.set(path, leaf)
      if (mapped.copy_to) copies.push({ from: leaf, to: mapped.copy_to })
      return { path, children: new Map(), leaf, opaque: false, dynamic }
    }
    if (type !== 'object' || mapped.enabled === false) return { path, children: new Map(), opaque: true, dynamic }
    return { path, children: children(`${path}.`, mapped.properties ?? {}, dynamic), opaque: false, dynamic }
  }
  const children = (prefix: string, properties: Readonly<Record<string, MappingField>>, dynamic: Dynamic) =>
    new Map(Object.entries(properties).map(([name, f]) => [name, build(name, prefix, f, dynamic)]))
  const dynamic = mapping.dynamic ?? true
  const root: DocumentNode = { path: '', children: children('', mapping.properties, dynamic), opaque: false, dynamic }
  for (const { from, to } of copies) from.copyTo.push(...to.flatMap((path) => leaves.get(path) ?? []))
  return { root, copies: copies.length > 0 }
}
