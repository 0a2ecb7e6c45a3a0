import type { TSchema } from 'typebox'
import { problem } from '../errors.ts'

/** Aliases from the npm typings, accepted where the schema has the documented name (spec 1.3.6). */
const ALIASES: Readonly<Record<string, string>> = {
  partition_filter: 'partitionFilter',
  signed_sort: 'signedSort',
  _public: 'public',
}

interface NormalOptions {
  readonly path: string
  readonly unknownKeys: 'reject' | 'drop'
}

/** The parts of a JSON Schema used here. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: boolean | TSchema
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly maxProperties?: number
  readonly items?: TSchema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
}

/**
 * Returns a copy of a body in canonical form: null members removed, aliases renamed, enumerated words spelled as in the
 * schema, unknown keys dropped or rejected. Types are not checked here.
 */
export function normaliseBody(schema: TSchema, value: unknown, options: NormalOptions): unknown {
  const node = schema as SchemaNode
  if (typeof value === 'string') return canonicalWord(node, value)
  if (Array.isArray(value)) return normaliseArray(node, value, options)
  if (typeof value === 'object' && value !== null) return normaliseObject(node, value, options)
  return value
}

function normaliseArray(node: SchemaNode, value: readonly unknown[], options: NormalOptions): unknown {
  const items = node.items ?? branch(node, 'items')?.items
  if (items === undefined) return value
  return value.map((item, i) => normaliseBody(items, item, { ...options, path: `${options.path}[${i}]` }))
}

function normaliseObject(plain: SchemaNode, value: object, options: NormalOptions): unknown {
  const node = plain.properties === undefined ? (branch(plain, 'properties') ?? plain) : plain
  const members = Object.entries(value)
  const { maxProperties: most = Number.POSITIVE_INFINITY } = node
  if (members.length > most) {
    throw problem('INVALID_BODY', { parameter: options.path || 'body', reason: `must have at most ${most} keys` })
  }
  const entries: [string, unknown][] = []
  const seen = new Set<string>()
  for (const [written, member] of members) {
    if (member === null) continue
    const key = memberName(node, written)
    const path = options.path === '' ? written : `${options.path}.${written}`
    if (seen.has(key)) {
      throw problem('INVALID_BODY', { parameter: path, reason: `must not be given twice, in two spellings of ${key}` })
    }
    seen.add(key)
    const inner = memberSchema(node, key)
    if (inner !== undefined) entries.push([key, normaliseBody(inner, member, { ...options, path })])
    else if (isOpen(node)) entries.push([key, member])
    else if (node.additionalProperties === false || options.unknownKeys === 'reject') {
      throw problem('INVALID_BODY', { parameter: path, reason: 'is not a known key' })
    }
  }
  // fromEntries defines members, so a key named __proto__ stays a key.
  return Object.fromEntries(entries)
}

function memberName(node: SchemaNode, written: string): string {
  const name = Object.hasOwn(ALIASES, written) ? ALIASES[written] : undefined
  const properties = node.properties ?? {}
  return name !== undefined && Object.hasOwn(properties, name) && !Object.hasOwn(properties, written) ? name : written
}

const patterns = new Map<string, RegExp>()

/** No eviction: the patterns come from the schemas, and are few. */
function compiled(pattern: string): RegExp {
  const regex = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, regex)
  return regex
}

function memberSchema(node: SchemaNode, key: string): TSchema | undefined {
  if (node.properties !== undefined && Object.hasOwn(node.properties, key)) return node.properties[key]
  for (const [pattern, schema] of Object.entries(node.patternProperties ?? {})) {
    if (compiled(pattern).test(key)) return schema
  }
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
}

/** True if the schema accepts any key: it names no members or allows additional ones. */
function isOpen(node: SchemaNode): boolean {
  const named = node.properties !== undefined || node.patternProperties !== undefined
  return node.additionalProperties === true || (!named && node.additionalProperties === undefined)
}

function branch(node: SchemaNode, part: 'items' | 'properties'): SchemaNode | undefined {
  return (node.anyOf as readonly SchemaNode[] | undefined)?.find((candidate) => candidate[part] !== undefined)
}

/** Enumerated words match case-insensitively, with `-` equal to `_` (spec 1.3.5). */
function canonicalWord(node: SchemaNode, value: string): string {
  const words = node.enum ?? node.anyOf?.map((option) => (option as { const?: unknown }).const)
  const fold = (word: string): string => word.toLowerCase().replaceAll('-', '_')
  const found = words?.find((word) => typeof word === 'string' && fold(word) === fold(value))
  return typeof found === 'string' ? found : value
}
