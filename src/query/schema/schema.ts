import type { FieldType } from '../../model/field-type.ts'
import type { ForeignType, Mapping, MappingField, MappingType } from '../../model/mapping.ts'
import type { Field } from './field.ts'

/** The fields of a collection: the merged mappings of its indices (spec 4.1). */
export interface Schema {
  /** Names of the indices, sorted. */
  readonly indices: readonly string[]
  /** All fields, including OBJECT and NESTED, parents before children, in document order. */
  readonly fields: readonly Field[]
  /** The merged mapping, for descriptions. */
  readonly tree: Mapping
  /** Returns a field, or a sub-field of a cluster mapping, which is not in `fields` (spec 2.1.6). */
  lookup(path: string): Field | undefined
  /** Names of the indices that describe the path. */
  indicesOf(path: string): readonly string[]
}

/** A node of the merged tree while it is built; the first index in name order determines all but the children. */
interface Node {
  readonly definition: Omit<MappingField, 'properties' | 'fields'>
  readonly children: Map<string, Node>
  readonly subFields: Map<string, Node>
  readonly indices: string[]
}

interface MappedIndex {
  readonly name: string
  readonly mapping: Mapping
}

const byName = (a: MappedIndex, b: MappedIndex): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

export function schemaOf(infos: readonly MappedIndex[]): Schema {
  const sorted = [...infos].sort(byName)
  const roots = new Map<string, Node>()
  for (const info of sorted) addProperties(roots, info.mapping.properties, info.name)

  const fields: Field[] = []
  const byPath = new Map<string, Found>()
  const subFields = new Map<string, Found>()
  for (const found of collect(roots, '', { indexed: true, nested: false }, subFields)) {
    fields.push(found.field)
    byPath.set(found.field.path, found)
  }
  const find = (path: string): Found | undefined => byPath.get(path) ?? subFields.get(path)

  const dynamic = sorted[0]?.mapping.dynamic
  return {
    indices: sorted.map((i) => i.name),
    fields,
    tree: { ...(dynamic === undefined ? {} : { dynamic }), properties: toProperties(roots) },
    lookup: (path) => find(path)?.field,
    indicesOf: (path) => find(path)?.indices ?? [],
  }
}

function addProperties(
  into: Map<string, Node>,
  properties: Readonly<Record<string, MappingField>>,
  index: string,
): void {
  for (const [name, field] of Object.entries(properties)) addField(into, name, field, index)
}

function addField(into: Map<string, Node>, name: string, field: MappingField, index: string): void {
  const dot = name.indexOf('.')
  if (dot > 0) {
    // A dotted name is the same path as nested objects (2.1.1).
    const rest = { [name.slice(dot + 1)]: field }
    addField(into, name.slice(0, dot), { properties: rest }, index)
    return
  }
  const { properties, fields, ...definition } = field
  let node = into.get(name)
  if (node === undefined) {
    node = { definition, children: new Map(), subFields: new Map(), indices: [] }
    into.set(name, node)
  }
  if (!node.indices.includes(index)) node.indices.push(index)
  if (fields !== undefined) addProperties(node.subFields, fields, index)
  if (properties !== undefined && isEnabled(definition) && isEnabled(node.definition)) {
    addProperties(node.children, properties, index)
  }
}

const isEnabled = (field: MappingField): boolean => field.enabled !== false

interface Inherited {
  readonly indexed: boolean
  readonly nested: boolean
}

interface Found {
  readonly field: Field
  readonly indices: readonly string[]
}

/** Yields the fields of a level and those below, depth first; sub-fields are collected separately. */
function* collect(
  nodes: ReadonlyMap<string, Node>,
  prefix: string,
  inherited: Inherited,
  subFields: Map<string, Found>,
): Generator<Found> {
  for (const [name, node] of nodes) {
    const found = toField(prefix + name, node, inherited)
    yield found
    // A sub-field is indexed or not regardless of its parent field.
    for (const [sub, subNode] of node.subFields) {
      const path = `${found.field.path}.${sub}`
      const { field, ...rest } = toField(path, subNode, inherited)
      subFields.set(path, { ...rest, field: { ...field, source: found.field.path } })
    }
    const { indexed, type } = found.field
    const below = { indexed, nested: inherited.nested || type === 'NESTED' }
    yield* collect(node.children, `${found.field.path}.`, below, subFields)
  }
}

function toField(path: string, { definition, indices }: Node, inherited: Inherited): Found {
  const { format } = definition
  const indexed = inherited.indexed && definition.index !== false && isEnabled(definition)
  const type = typeOf(definition.type)
  return {
    field: { path, type, ...(format === undefined ? {} : { format }), indexed, nested: inherited.nested },
    indices,
  }
}

const types: Readonly<Record<MappingType, FieldType>> = {
  keyword: 'KEYWORD',
  text: 'TEXT',
  long: 'LONG',
  integer: 'INTEGER',
  short: 'SHORT',
  byte: 'BYTE',
  double: 'DOUBLE',
  float: 'FLOAT',
  date: 'DATE',
  boolean: 'BOOLEAN',
  ip: 'IP',
  geo_point: 'GEO_POINT',
  geo_shape: 'GEO_SHAPE',
  object: 'OBJECT',
  nested: 'NESTED',
}

const fieldTypeByName: ReadonlyMap<string, FieldType> = new Map(Object.entries(types))

/** Returns the field type of a mapping type (spec 2.1.4); without a type it is a plain object. */
export function typeOf(type: MappingType | ForeignType | undefined): FieldType {
  return type === undefined ? 'OBJECT' : (fieldTypeByName.get(type) ?? 'UNKNOWN')
}

function toProperties(nodes: ReadonlyMap<string, Node>): Readonly<Record<string, MappingField>> {
  return Object.fromEntries([...nodes].map(([name, node]) => [name, toDefinition(node)]))
}

function toDefinition({ definition, children, subFields }: Node): MappingField {
  return {
    ...definition,
    ...(children.size === 0 ? {} : { properties: toProperties(children) }),
    ...(subFields.size === 0 ? {} : { fields: toProperties(subFields) }),
  }
}
