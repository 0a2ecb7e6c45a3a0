import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import { MOST_FIELDS } from '../../../model/field-limit.ts'
import type { Mapping, MappingField } from '../../../model/mapping.ts'
import type { NewIndex } from '../request/cluster-context.ts'
import { writeMeta } from './mapping-meta.ts'

/** Patterns of `limits.patternLength` characters become longer when compiled for a cluster. */
const LONGEST_REGEX = 20_000
/** Ensures that our own field limit is reached before that of the cluster. */
const SPARE_FIELDS = 10_000
const DEEPEST = 100

/** Characters. Ensures that a text fits into a term (32,766 bytes), at up to three bytes per character. */
const LONGEST_KEYWORD = 10_922

type Fields = Readonly<Record<string, MappingField>>

/** Returns the request body that creates an index which reads documents like the embedded engine. */
export function writeIndex(
  mapping: Mapping,
  { shards, replicas, mostFields = MOST_FIELDS }: NewIndex = {},
): WireObject {
  return {
    settings: {
      index: {
        ...(shards === undefined ? {} : { number_of_shards: shards }),
        ...(replicas === undefined ? {} : { number_of_replicas: replicas }),
        max_regex_length: LONGEST_REGEX,
        mapping: { total_fields: { limit: SPARE_FIELDS + mostFields }, depth: { limit: DEEPEST } },
      },
    },
    mappings: { dynamic: false, _meta: writeMeta(mapping), properties: writeProperties(mapping.properties) },
  }
}

interface WritingManner {
  /** True if objects get a `dynamic` setting in the cluster: in indices not created by Periplus. */
  readonly statesDynamic?: boolean
}

/** Settings inherited from the enclosing objects. */
interface Around {
  readonly indexed: boolean
  readonly nested: boolean
}

export function writeProperties(properties: Fields, manner: WritingManner = {}): WireObject {
  return writeFields(properties, manner, { indexed: true, nested: false })
}

function writeFields(properties: Fields, manner: WritingManner, around: Around): WireObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, writeField(field, manner, around)]),
  )
}

function writeField(field: MappingField, manner: WritingManner, around: Around): WireObject {
  const { type = 'object' } = field
  if (type === 'object' || type === 'nested') return writeObject(field, type, manner, around)
  const { format, copy_to: copies, fields } = field
  const indexed = around.indexed && field.index !== false
  return {
    type,
    ...readingOf(field),
    ...(format === undefined ? {} : writeFormat(format)),
    ...(indexed ? {} : unindexed(type)),
    // Values that cannot be searched must not cause a document to be rejected.
    ...((!indexed || around.nested) && IGNORES.has(type) ? { ignore_malformed: true } : {}),
    ...(copies === undefined ? {} : { copy_to: copies }),
    ...(fields === undefined ? {} : { fields: writeFields(fields, {}, { indexed: true, nested: around.nested }) }),
  }
}

function writeObject(
  { properties = {}, dynamic, enabled, index }: MappingField,
  type: 'object' | 'nested',
  { statesDynamic = false }: WritingManner,
  around: Around,
): WireObject {
  const below = { indexed: around.indexed && index !== false, nested: around.nested || type === 'nested' }
  const isOpen = enabled !== false
  return {
    type,
    ...(isOpen ? {} : { enabled: false }),
    ...(statesDynamic && dynamic !== undefined ? { dynamic } : {}),
    ...(isOpen ? { properties: writeFields(properties, { statesDynamic }, below) } : {}),
  }
}

/** Returns the settings that make the cluster read values like the embedded engine. */
function readingOf({ type }: MappingField): WireObject {
  switch (type) {
    case 'keyword':
      return { ignore_above: LONGEST_KEYWORD }
    case 'geo_point':
      return { ignore_malformed: true }
    case 'geo_shape':
      return { ignore_malformed: true, coerce: true }
    default:
      return {}
  }
}

/** Names of months and days are English on every engine. */
const writeFormat = (format: string): WireObject => ({
  format,
  ...(/MMM|E/.test(format.replace(/'[^']*'/g, '')) ? { locale: 'en' } : {}),
})

/** Types that support `ignore_malformed`. */
const IGNORES: ReadonlySet<string> = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'date',
  'ip',
  'geo_point',
  'geo_shape',
])

const unindexed = (type: string): WireObject =>
  type === 'text' ? { index: false } : { index: false, doc_values: false }
