import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import {
  countedAs,
  type Dynamic,
  foreignTypes,
  type Mapping,
  type MappingField,
  mappingTypes,
  readOtherwise,
} from '../../../model/mapping.ts'
import { dynamicAt, isOurs, type MappingMeta, readMeta } from './mapping-meta.ts'

/** Converts a cluster mapping to ours (spec 2.1.4). Unsupported parts are left out. */
export function readMapping(root: WireObject): Mapping {
  const meta = readMeta(root)
  const reading: Reading = { root, ours: isOurs(root), meta }
  const dynamic = dynamicOf(root, '', reading)
  const properties = isFalse(root.enabled) ? {} : readProperties(root.properties, '', reading)
  return {
    ...(dynamic === undefined ? {} : { dynamic }),
    properties: { ...properties, ...readRuntime(root.runtime) },
  }
}

interface Reading {
  readonly root: WireObject
  readonly ours: boolean
  readonly meta: MappingMeta
}

type Fields = Readonly<Record<string, MappingField>>

const KNOWN: ReadonlySet<string> = new Set([...mappingTypes, ...foreignTypes])

const isKnown = (type: string): type is NonNullable<MappingField['type']> => KNOWN.has(type)

function readType(type: WireJson | undefined): NonNullable<MappingField['type']> {
  // `passthrough`: an object whose fields can also be accessed without its name.
  if (type === undefined || type === 'passthrough') return 'object'
  if (typeof type !== 'string') return 'unknown'
  if (isKnown(type)) return type
  return Object.hasOwn(countedAs, type) ? (countedAs[type] ?? 'unknown') : 'unknown'
}

function readProperties(value: WireJson | undefined, prefix: string, reading: Reading): Fields {
  return Object.fromEntries(
    members(value).map(([name, field]) => [name, readField(resolveAlias(field, reading), prefix + name, reading)]),
  )
}

/** Replaces a field alias with its target; it keeps the path of the alias. */
function resolveAlias(field: WireObject, { root }: Reading): WireObject {
  if (field.type !== 'alias') return field
  const target = typeof field.path === 'string' ? find(root, field.path.split('.')) : undefined
  return target === undefined ? { type: 'unknown' } : { ...target, path: field.path ?? '' }
}

function find(parent: WireObject, [name, ...rest]: readonly string[]): WireObject | undefined {
  if (name === undefined) return parent
  for (const below of [parent.properties, parent.fields]) {
    const child = members(below).find(([key]) => key === name)?.[1]
    if (child !== undefined) return find(child, rest)
  }
  return undefined
}

function readField(field: WireObject, path: string, reading: Reading): MappingField {
  const type = readType(field.type)
  if (type === 'object' || type === 'nested') return readObject(field, type, path, reading)
  const { format, copy_to: copies } = field
  const fields = readSubFields(field.fields, reading)
  return {
    type,
    ...(type === 'date' && typeof format === 'string' ? { format } : {}),
    ...(isIndexed(field, type, reading) ? {} : { index: false }),
    ...(copies === undefined ? {} : { copy_to: texts(copies) }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    ...(isReadOtherwise(field, type, reading) ? { [readOtherwise]: true } : {}),
  }
}

/**
 * Options that change the values of a field. `path` is included because documents hold nothing under the path of an
 * alias.
 */
const OWN_READING = ['normalizer', 'ignore_above', 'null_value', 'ignore_malformed', 'coerce', 'path']

function isReadOtherwise(field: WireObject, type: MappingField['type'], { ours }: Reading): boolean {
  if (ours) return false
  // The analyzer may also be a setting of the whole index.
  return type === 'text' || field.type !== type || OWN_READING.some((name) => field[name] !== undefined)
}

function readObject(field: WireObject, type: 'object' | 'nested', path: string, reading: Reading): MappingField {
  if (isFalse(field.enabled)) return { type, enabled: false }
  const dynamic = dynamicOf(field, path, reading)
  return {
    type,
    ...(dynamic === undefined ? {} : { dynamic }),
    properties: readProperties(field.properties, `${path}.`, reading),
  }
}

/**
 * OpenSearch does not print `index: false` for geo fields. Where Periplus created such a field, it has no doc values
 * either.
 */
function isIndexed(field: WireObject, type: MappingField['type'], { ours }: Reading): boolean {
  const isPlace = type === 'geo_point' || type === 'geo_shape'
  return !isFalse(field.index) && !(ours && isPlace && isFalse(field.doc_values))
}

function readSubFields(value: WireJson | undefined, reading: Reading): Fields {
  return Object.fromEntries(members(value).map(([name, field]) => [name, readField(field, '', reading)]))
}

/** Reads runtime fields: computed on access and not stored, but used like any other field. */
function readRuntime(value: WireJson | undefined): Fields {
  return Object.fromEntries(
    members(value).map(([path, field]) => {
      const type: MappingField['type'] = RUNTIME.has(String(field.type)) ? readType(field.type) : 'unknown'
      const format = type === 'date' && typeof field.format === 'string' ? { format: field.format } : {}
      return [path, { type, ...format, [readOtherwise]: true }]
    }),
  )
}

const RUNTIME = new Set(['keyword', 'long', 'double', 'date', 'boolean', 'ip', 'geo_point', 'geo_shape'])

function dynamicOf(field: WireObject, path: string, { ours, meta }: Reading): Dynamic | undefined {
  return ours ? dynamicAt(meta, path) : readDynamic(field.dynamic)
}

function readDynamic(value: WireJson | undefined): Dynamic | undefined {
  if (value === undefined || value === null) return undefined
  const text = String(value)
  return text.startsWith('strict') ? 'strict' : !text.startsWith('false')
}

/** Clusters sometimes print flags as strings. */
const isFalse = (value: WireJson | undefined): boolean => value === false || value === 'false'

const texts = (value: WireJson): readonly string[] => (isList(value) ? value : [value]).map(String)

const isList = (value: WireJson): value is readonly WireJson[] => Array.isArray(value)

const isObject = (value: WireJson | undefined): value is WireObject =>
  typeof value === 'object' && value !== null && !isList(value)

function members(value: WireJson | undefined): readonly (readonly [string, WireObject])[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (isObject(member) ? [[name, member] as const] : []))
}
