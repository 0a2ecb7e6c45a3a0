import type { DuckDBValue } from '@duckdb/node-api'
import type { Json, JsonObject } from '../../model/document.ts'
import type { Dynamic, Mapping, MappingField } from '../../model/mapping.ts'
import { fieldValues, UnreadableValue } from './document-columns.ts'
import { withExactIntegers } from './exact-json.ts'
import { columnsOf, type FieldLayout, listColumnOf, type TableLayout } from './table-layout.ts'

interface Node {
  readonly path: string
  readonly children: ReadonlyMap<string, Node>
  readonly leaf?: Leaf
  /** Stored but no fields below: nested, disabled, not indexed. */
  readonly opaque: boolean
  readonly dynamic: Dynamic
}

/** Gathers the raw values of one field while a document is walked. */
interface Leaf {
  readonly field: FieldLayout
  readonly firstColumn: number
  readonly copyTo: Leaf[]
  raw: Json | undefined
}

/** Rows of one write, column by column, as the appender wants them. */
export class RowBatch {
  readonly #root: Node
  readonly #width: number
  readonly #rows: (DuckDBValue[] | undefined)[] = []
  readonly #lists: Map<string, DuckDBValue>[] = []
  readonly #touched: Leaf[] = []
  /** Paths that need a list column because a document has several values. */
  readonly several = new Set<string>()
  /** Documents that hold keys the mapping does not know, where it is open to new ones. */
  readonly unmapped: JsonObject[] = []
  #sawUnmapped = false

  constructor(mapping: Mapping, layout: TableLayout) {
    this.#width = layout.columns.length
    this.#root = buildTree(mapping, layout)
  }

  /** Adds a row and returns its number; throws UnreadableValue when the document does not fit the mapping. */
  add(id: string, text: string, source: JsonObject): number {
    this.#sawUnmapped = false
    const row = new Array<DuckDBValue>(this.#width).fill(null)
    row[1] = id
    row[2] = text
    const lists = new Map<string, DuckDBValue>()
    try {
      this.#walk(withExactIntegers(text, source), this.#root)
      for (const leaf of this.#touched) this.#store(leaf, row, lists)
    } finally {
      for (const leaf of this.#touched) leaf.raw = undefined
      this.#touched.length = 0
    }
    if (this.#sawUnmapped) this.unmapped.push(source)
    this.#lists.push(lists)
    return this.#rows.push(row) - 1
  }

  /** A later operation of the same write replaced or deleted the document. */
  remove(row: number): void {
    this.#rows[row] = undefined
  }

  /** The rows that remain, numbered from `firstSeq`, with the list columns of `layout` filled in. */
  rows(layout: TableLayout, firstSeq: number): DuckDBValue[][] {
    const listColumns = layout.fields
      .filter((f) => f.several)
      .map((f) => ({ path: f.path, at: layout.columns.findIndex((c) => c.name === listColumnOf(f)?.name) }))
    const kept: DuckDBValue[][] = []
    this.#rows.forEach((row, i) => {
      if (!row) return
      row[0] = BigInt(firstSeq + kept.length)
      for (let at = row.length; at < layout.columns.length; at++) row.push(null)
      for (const { path, at } of listColumns) row[at] = this.#lists[i]?.get(path) ?? null
      kept.push(row)
    })
    return kept
  }

  #store(leaf: Leaf, row: DuckDBValue[], lists: Map<string, DuckDBValue>): void {
    if (leaf.raw === undefined) return
    const values = fieldValues(leaf.field, leaf.raw)
    if (!values) return
    values.single.forEach((value, i) => {
      row[leaf.firstColumn + i] = value
    })
    if (values.several !== undefined) {
      this.several.add(leaf.field.path)
      lists.set(leaf.field.path, values.several)
    }
  }

  #walk(object: JsonObject, node: Node): void {
    for (const key in object) {
      const value = object[key]
      if (value === null || value === undefined) continue
      const child = node.children.get(key)
      if (child) this.#visit(value, child)
      else this.#visitUnknown(key, value, node)
    }
  }

  #visit(value: Json, node: Node): void {
    if (node.opaque) return
    if (node.leaf) {
      this.#collect(node.leaf, value)
    } else if (Array.isArray(value)) {
      for (const item of value) if (item !== null) this.#visit(item, node)
    } else if (typeof value === 'object' && value !== null) {
      this.#walk(value as JsonObject, node)
    } else {
      throw new UnreadableValue(
        `object mapping for [${node.path}] tried to parse as object, but found a concrete value`,
      )
    }
  }

  /** A source key that contains dots names the same path as nested objects do. */
  #visitUnknown(key: string, value: Json, node: Node): void {
    if (key.includes('.')) {
      const [head = '', ...rest] = key.split('.')
      const child = node.children.get(head)
      if (child && !child.leaf) {
        this.#visit({ [rest.join('.')]: value }, child)
        return
      }
    }
    if (node.dynamic === 'strict') {
      throw new UnreadableValue(
        `mapping set to strict, dynamic introduction of [${key}] within [${node.path || '_doc'}] is not allowed`,
      )
    }
    if (node.dynamic === true) this.#sawUnmapped = true
  }

  #collect(leaf: Leaf, value: Json): void {
    if (leaf.raw === undefined) {
      leaf.raw = value
      this.#touched.push(leaf)
    } else {
      // Several objects of an array bring a value each, or a field is a target of copy_to.
      leaf.raw = [...asSeveral(leaf.raw, leaf.field), ...asSeveral(value, leaf.field)]
    }
    for (const target of leaf.copyTo) this.#collect(target, value)
  }
}

/** A pair of numbers is one point, not two values. */
function asSeveral(value: Json, field: FieldLayout): readonly Json[] {
  const onePoint = field.type === 'GEO_POINT' && Array.isArray(value) && typeof value[0] === 'number'
  return Array.isArray(value) && !onePoint ? value : [value]
}

function buildTree(mapping: Mapping, layout: TableLayout): Node {
  const fields = new Map(layout.fields.map((f) => [f.path, f]))
  const positions = new Map(layout.columns.map((c, i) => [c.name, i]))
  const leaves = new Map<string, Leaf>()
  const copies: { from: Leaf; to: readonly string[] }[] = []
  const build = (name: string, prefix: string, mapped: MappingField, inherited: Dynamic): Node => {
    const path = prefix + name
    const dynamic = mapped.dynamic ?? inherited
    const field = fields.get(path)
    const type = mapped.type ?? 'object'
    if (field) {
      const firstColumn = positions.get(columnsOf(field.type, field.column)[0]?.name ?? '') ?? 0
      const leaf: Leaf = { field, firstColumn, copyTo: [], raw: undefined }
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
  const root: Node = { path: '', children: children('', mapping.properties, dynamic), opaque: false, dynamic }
  for (const { from, to } of copies) from.copyTo.push(...to.flatMap((path) => leaves.get(path) ?? []))
  return root
}
