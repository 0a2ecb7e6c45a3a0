import type { IndexInfo } from '../engine/engine.ts'
import type { Mapping, MappingField, MappingType } from '../model/mapping.ts'
import type { Field, FieldType } from './field.ts'

/** The fields behind a collection: what its indices describe, united (spec 4.1). */
export interface Schema {
  /** Names of the indices, in name order. */
  readonly indices: readonly string[]
  /** Every field, OBJECT and NESTED ones included, parents before children, in document order. */
  readonly fields: readonly Field[]
  /** The united mapping, for descriptions. */
  readonly tree: Mapping
  lookup(path: string): Field | undefined
  /** Names of the indices that describe the path. */
  indicesOf(path: string): readonly string[]
}

/** One place of the united tree while it is built; the first index in name order fixes everything but the children. */
interface Node {
  readonly definition: Omit<MappingField, 'properties'>
  readonly children: Map<string, Node>
  readonly indices: string[]
}

const byName = (a: IndexInfo, b: IndexInfo): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

export function schemaOf(infos: readonly IndexInfo[]): Schema {
  const sorted = [...infos].sort(byName)
  const roots = new Map<string, Node>()
  for (const info of sorted) addProperties(roots, info.mapping.properties, info.name)

  const fields: Field[] = []
  const indicesByPath = new Map<string, readonly string[]>()
  collect(roots, '', { indexed: true, nested: false }, fields, indicesByPath)
  const byPath = new Map(fields.map((f) => [f.path, f]))

  const dynamic = sorted[0]?.mapping.dynamic
  return {
    indices: sorted.map((i) => i.name),
    fields,
    tree: { ...(dynamic === undefined ? {} : { dynamic }), properties: toProperties(roots) },
    lookup: (path) => byPath.get(path),
    indicesOf: (path) => indicesByPath.get(path) ?? [],
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
  const { properties, ...definition } = field
  let node = into.get(name)
  if (node === undefined) {
    node = { definition, children: new Map(), indices: [] }
    into.set(name, node)
  }
  if (!node.indices.includes(index)) node.indices.push(index)
  if (properties !== undefined && isEnabled(definition) && isEnabled(node.definition)) {
    addProperties(node.children, properties, index)
  }
}

const isEnabled = (field: MappingField): boolean => field.enabled !== false

interface Inherited {
  readonly indexed: boolean
  readonly nested: boolean
}

function collect(
  nodes: ReadonlyMap<string, Node>,
  prefix: string,
  inherited: Inherited,
  fields: Field[],
  indicesByPath: Map<string, readonly string[]>,
): void {
  for (const [name, node] of nodes) {
    const path = prefix + name
    const type = typeOf(node.definition.type)
    const indexed = inherited.indexed && node.definition.index !== false && isEnabled(node.definition)
    const format = node.definition.format
    fields.push({ path, type, ...(format === undefined ? {} : { format }), indexed, nested: inherited.nested })
    indicesByPath.set(path, node.indices)
    collect(
      node.children,
      `${path}.`,
      { indexed, nested: inherited.nested || type === 'NESTED' },
      fields,
      indicesByPath,
    )
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

/** The field type of a mapping type (spec 2.1.4); no type is a plain object. */
export function typeOf(type: MappingType | undefined): FieldType {
  return type === undefined ? 'OBJECT' : (types[type] ?? 'UNKNOWN')
}

function toProperties(nodes: ReadonlyMap<string, Node>): Readonly<Record<string, MappingField>> {
  return Object.fromEntries(
    [...nodes].map(([name, node]) => [
      name,
      node.children.size === 0 ? node.definition : { ...node.definition, properties: toProperties(node.children) },
    ]),
  )
}
