import { problem } from '../errors.ts'
import { isRecord } from '../model/json/json-object.ts'
import {
  countedAs,
  type Dynamic,
  type Mapping,
  type MappingField,
  type MappingType,
  mappingTypes,
} from '../model/mapping.ts'
import { parseFieldFormat } from '../query/date/field-date.ts'

/** A parsed mapping, and the parts of it that were ignored. */
interface ParsedMapping {
  readonly mapping: Mapping
  readonly notes: readonly string[]
}

const TYPES: ReadonlySet<string> = new Set(mappingTypes)

/** Named Elasticsearch formats that the default ISO parser reads as well. */
const ISO_FORMATS = new Set([
  'date_optional_time',
  'strict_date_optional_time_nanos',
  'iso8601',
  'strict_date',
  'strict_date_time',
  'strict_date_time_no_millis',
  'strict_date_hour_minute_second',
  'date_time',
  'date_time_no_millis',
  'date_hour_minute_second',
])

const READ = new Set(['type', 'properties', 'format', 'index', 'enabled', 'dynamic', 'copy_to'])
/** Tuning parameters of Elasticsearch that do not affect results here. */
const HARMLESS = new Set(
  'store norms doc_values eager_global_ordinals index_options similarity meta coerce ignore_malformed ignore_above orientation tree precision strategy ignore_z_value boost scaling_factor fielddata term_vector locale'.split(
    ' ',
  ),
)
const DEEPEST = 50

type Unchecked = Readonly<Record<string, unknown>>

interface MappingParserOptions {
  /** True if the engine supports sub-fields (`fields`); otherwise they are left out and noted. */
  readonly subFields?: boolean
}

/** State of a parse. */
interface Reading {
  readonly notes: string[]
  readonly subFields: boolean
}

/**
 * Parses the `mappings` of an index as written by Elasticsearch clients; throws INVALID_INDEX with the invalid part.
 */
export function parseMapping(value: unknown, { subFields = false }: MappingParserOptions = {}): ParsedMapping {
  const notes: string[] = []
  const reading: Reading = { notes, subFields }
  if (value === undefined || value === null) return { mapping: { properties: {} }, notes }
  const root = unwrap(asObject(value, 'mappings'))
  const dynamic = parseDynamic(root.dynamic, 'mappings.dynamic', notes)
  for (const key of Object.keys(root)) {
    if (key !== 'properties' && key !== 'dynamic') notes.push(`mappings.${key} is ignored`)
  }
  const properties = parseProperties(root.properties, 'mappings.properties', '', reading, 0)
  return { mapping: { ...(dynamic === undefined ? {} : { dynamic }), properties }, notes }
}

/** Old clients, written for mapping types, wrap the mapping in `_doc`. */
function unwrap(root: Unchecked): Unchecked {
  const { _doc: inner } = root
  return Object.keys(root).length === 1 && inner !== undefined ? asObject(inner, 'mappings._doc') : root
}

type Fields = Record<string, MappingField>

function parseProperties(value: unknown, at: string, parent: string, reading: Reading, depth: number): Fields {
  if (value === undefined || value === null) return {}
  if (depth > DEEPEST) throw invalid(at, `must not be nested deeper than ${DEEPEST} levels`)
  const fields = new Map<string, MappingField>()
  for (const [key, member] of Object.entries(asObject(value, at))) {
    const [name = '', ...rest] = key.split('.')
    if (name === '' || rest.includes('')) throw invalid(`${at}.${key}`, 'must have a name without empty parts')
    const path = `${parent}${key}`
    const leaf = parseField(asObject(member, `${at}.${key}`), `${at}.${key}`, path, reading, depth)
    // A name with dots is a path of nested objects.
    const field = rest.reduceRight<MappingField>(
      (inner, part) => ({ type: 'object', properties: { [part]: inner } }),
      leaf,
    )
    fields.set(name, merge(fields.get(name), field, `${at}.${key}`))
  }
  return Object.fromEntries(fields)
}

function merge(known: MappingField | undefined, added: MappingField, at: string): MappingField {
  if (known === undefined) return added
  if (known.properties === undefined || added.properties === undefined) throw invalid(at, 'must not be given twice')
  const properties = new Map(Object.entries(known.properties))
  for (const [name, field] of Object.entries(added.properties)) {
    properties.set(name, merge(properties.get(name), field, at))
  }
  return { ...known, ...added, properties: Object.fromEntries(properties) }
}

function parseField(field: Unchecked, at: string, path: string, reading: Reading, depth: number): MappingField {
  const { notes } = reading
  const type = parseType(field, at, path, notes)
  noteUnused(field, path, reading)
  const nests = type === 'object' || type === 'nested'
  if (!nests && field.properties !== undefined) throw invalid(at, `is of type ${type} and cannot have properties`)
  const dynamic = nests ? parseDynamic(field.dynamic, `${at}.dynamic`, notes) : undefined
  const index = parseFlag(field.index, `${at}.index`)
  const enabled = nests ? parseFlag(field.enabled, `${at}.enabled`) : undefined
  const copies = parseCopies(field.copy_to, `${at}.copy_to`)
  const fields = nests ? {} : parseSubFields(field.fields, at, path, reading)
  return {
    type,
    ...(nests && (field.properties !== undefined || type === 'object')
      ? { properties: parseProperties(field.properties, `${at}.properties`, `${path}.`, reading, depth + 1) }
      : {}),
    ...(type === 'date' && field.format !== undefined ? { format: parseFormat(field.format, at, path, notes) } : {}),
    ...(index === undefined ? {} : { index }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(dynamic === undefined ? {} : { dynamic }),
    ...(copies.length === 0 ? {} : { copy_to: copies }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  }
}

function parseSubFields(value: unknown, at: string, path: string, reading: Reading): Fields {
  if (!reading.subFields || value === undefined || value === null) return {}
  const fields = Object.entries(asObject(value, `${at}.fields`)).map(([name, member]): [string, MappingField] => {
    const place = `${at}.fields.${name}`
    if (name === '' || name.includes('.')) throw invalid(place, 'must have a name without dots')
    const field = asObject(member, place)
    if (field.type === 'murmur3') return [name, { type: 'murmur3' }]
    const { type, format, index, ...rest } = parseField(field, place, `${path}.${name}`, reading, 0)
    if (type === 'object' || type === 'nested') throw invalid(`${place}.type`, 'must not be an object', type)
    const unused = Object.keys(rest)[0]
    if (unused !== undefined) throw invalid(place, `must not have ${unused}`)
    return [
      name,
      {
        type: type ?? 'keyword',
        ...(format === undefined ? {} : { format }),
        ...(index === undefined ? {} : { index }),
      },
    ]
  })
  return Object.fromEntries(fields)
}

function parseType(field: Unchecked, at: string, path: string, notes: string[]): MappingType {
  const { type } = field
  if (type === undefined || type === null) {
    if (field.properties !== undefined || field.enabled !== undefined || field.dynamic !== undefined) return 'object'
    throw invalid(`${at}.type`, 'is missing')
  }
  if (typeof type !== 'string') throw invalid(`${at}.type`, 'must be a string', type)
  const known = isMappingType(type) ? type : Object.hasOwn(countedAs, type) ? countedAs[type] : undefined
  if (known === undefined) throw invalid(`${at}.type`, `must be one of ${[...TYPES].join(', ')}`, type)
  if (known !== type) notes.push(`${path}: type ${type} is stored as ${known}`)
  return known
}

const isMappingType = (type: string): type is MappingType => TYPES.has(type)

function noteUnused(field: Unchecked, path: string, { notes, subFields }: Reading): void {
  for (const key of Object.keys(field)) {
    if (READ.has(key) || HARMLESS.has(key) || (subFields && key === 'fields')) continue
    notes.push(key === 'fields' ? `${path}: its sub-fields are ignored` : `${path}: ${key} is ignored`)
  }
}

function parseFormat(value: unknown, at: string, path: string, notes: string[]): string {
  if (typeof value !== 'string' || value.trim() === '') throw invalid(`${at}.format`, 'must be a date format', value)
  const formats = value.split('||').map((one) => {
    if (!ISO_FORMATS.has(one.trim())) return one.trim()
    notes.push(`${path}: format ${one.trim()} is stored as strict_date_optional_time`)
    return 'strict_date_optional_time'
  })
  const format = [...new Set(formats)].join('||')
  try {
    parseFieldFormat(format)
  } catch (error) {
    const why = error instanceof Error && 'reason' in error ? String(error.reason) : 'is not a date format'
    throw invalid(`${at}.format`, why, value)
  }
  return format
}

function parseDynamic(value: unknown, at: string, notes: string[]): Dynamic | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 'strict') return 'strict'
  if (value === 'runtime') {
    notes.push(`${at}: runtime is stored as true`)
    return true
  }
  return parseFlag(value, at, 'must be true, false or strict')
}

function parseFlag(value: unknown, at: string, reason = 'must be true or false'): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalid(at, reason, value)
}

function parseCopies(value: unknown, at: string): readonly string[] {
  if (value === undefined || value === null) return []
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value]
  return paths.map((path) => {
    if (typeof path !== 'string' || path.split('.').includes('')) throw invalid(at, 'must be a field path', path)
    return path
  })
}

function asObject(value: unknown, at: string): Unchecked {
  if (!isRecord(value)) throw invalid(at, 'must be an object', value)
  return value
}

function invalid(parameter: string, reason: string, value?: unknown): Error {
  return problem('INVALID_INDEX', { parameter, reason, ...(value === undefined ? {} : { value }) })
}
