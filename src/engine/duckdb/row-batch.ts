import type { DuckDBValue } from '@duckdb/node-api'
import type { Json, JsonObject } from '../../model/document.ts'
import { holdsLargeInteger, withExactIntegers } from '../../model/exact-json.ts'
import type { Dynamic, Mapping, MappingField } from '../../model/mapping.ts'
import { type FieldValues, readField, type StoredField, UnreadableValue } from './document-columns.ts'
import { columnsOf, type FieldLayout, listColumnOf, type TableLayout } from './table-layout.ts'

interface Node {
  readonly path: string
  readonly children: ReadonlyMap<string, Node>
  readonly leaf?: Leaf
  /** Stored but no fields below: nested, disabled, not indexed. */
  readonly opaque: boolean
  readonly dynamic: Dynamic
}

/** Gathers the values of one field while a document is walked. */
interface Leaf {
  readonly field: StoredField
  readonly firstColumn: number
  readonly copyTo: Leaf[]
  raw: Json | undefined
  /** What `raw` was read into. */
  readonly values: FieldValues
  present: boolean
}

/** Some rows of a batch: their numbers, and by column the values at these numbers; a missing one is NULL. */
export interface ColumnChunk {
  readonly rows: readonly number[]
  readonly columns: readonly (readonly DuckDBValue[])[]
}

/** The documents of one write, column by column, as the appender wants them. */
export class RowBatch {
  readonly #root: Node
  /** By position in the table; a missing entry is NULL. */
  readonly #columns: DuckDBValue[][]
  /** Lists of the fields that have several values in a document, by path. */
  readonly #lists = new Map<string, DuckDBValue[]>()
  readonly #removed = new Set<number>()
  #rows = 0
  readonly #touched: Leaf[] = []
  /** Documents that hold keys the mapping does not know, where it is open to new ones. */
  readonly unmapped: JsonObject[] = []
  #sawUnmapped = false

  constructor(mapping: Mapping, layout: TableLayout) {
    this.#columns = layout.columns.map(() => [])
    this.#root = buildTree(mapping, layout)
  }

  /** Paths that need a list column because a document has several values. */
  get several(): ReadonlySet<string> {
    return new Set(this.#lists.keys())
  }

  /** Adds a row and returns its number; throws UnreadableValue when the document does not fit the mapping. */
  add(id: string, text: string, source: JsonObject): number {
    this.#sawUnmapped = false
    try {
      this.#read(source, text)
      const row = this.#rows++
      this.#set(1, row, id)
      this.#set(2, row, text)
      for (const leaf of this.#touched) if (leaf.present) this.#store(leaf, row)
      if (this.#sawUnmapped) this.unmapped.push(source)
      return row
    } finally {
      this.#forgetValues()
    }
  }

  /** A later operation of the same write replaced or deleted the document. */
  remove(row: number): void {
    this.#removed.add(row)
  }

  /** How many rows remain. */
  get size(): number {
    return this.#rows - this.#removed.size
  }

  /** Gives every value of the rows that remain, numbered from `firstSeq`, to chunks of at most `most` rows. */
  *chunks(layout: TableLayout, firstSeq: number, most: number): Generator<ColumnChunk> {
    const columns: DuckDBValue[][] = layout.columns.map((_, i) => this.#columns[i] ?? [])
    for (const field of layout.fields) {
      const list = this.#lists.get(field.path)
      if (list) columns[layout.columns.findIndex((c) => c.name === listColumnOf(field)?.name)] = list
    }
    const kept: number[] = []
    for (let row = 0; row < this.#rows; row++) if (!this.#removed.has(row)) kept.push(row)
    for (let start = 0; start < kept.length; start += most) {
      const rows = kept.slice(start, start + most)
      columns[0] = []
      for (const [i, row] of rows.entries()) columns[0][row] = BigInt(firstSeq + start + i)
      yield { rows, columns }
    }
  }

  /** Everything is read before anything is stored, so a refused document leaves no trace. */
  #read(source: JsonObject, text: string): void {
    this.#walk(source, this.#root)
    if (this.#touched.some((leaf) => holdsLargeInteger(leaf.raw))) {
      this.#forgetValues()
      this.#walk(withExactIntegers(text), this.#root)
    }
    for (const leaf of this.#touched) {
      leaf.present = leaf.raw !== undefined && readField(leaf.field, leaf.raw, leaf.values)
    }
  }

  #forgetValues(): void {
    for (const leaf of this.#touched) leaf.raw = undefined
    this.#touched.length = 0
  }

  #store({ field, firstColumn, values: { single, several } }: Leaf, row: number): void {
    for (let i = 0; i < single.length; i++) this.#set(firstColumn + i, row, single[i] ?? null)
    if (several === undefined) return
    const list = this.#lists.get(field.path) ?? []
    list[row] = several
    this.#lists.set(field.path, list)
  }

  #set(column: number, row: number, value: DuckDBValue): void {
    const values = this.#columns[column]
    if (values) values[row] = value
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
      const leaf: Leaf = {
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
  const root: Node = { path: '', children: children('', mapping.properties, dynamic), opaque: false, dynamic }
  for (const { from, to } of copies) from.copyTo.push(...to.flatMap((path) => leaves.get(path) ?? []))
  return root
}
