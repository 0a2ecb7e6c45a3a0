import { problem } from '../../errors.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { isExactInteger } from '../../model/json/exact-integer.ts'
import { SubscriptionBody } from '../../model/subscription.ts'
import type { SubscriptionContent } from '../record/subscription-record.ts'

/** Members set by the server. Ignored in a body. */
const IGNORED = new Set(['id', 'created_at', 'modified_at', 'created_by_admin', 'deleted', '_links'])

/** Spelling used by a public client. */
const ALIAS = 'user_metadatas'

/** The parts of a JSON Schema used here. */
interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}

/** Shape errors of a body, as dotted paths of the keys. */
interface ShapeFaults {
  readonly missing: string[]
  readonly unknown: string[]
  readonly mistyped: string[]
}

/**
 * Parses the body of POST and PUT (spec 2.1). Throws INVALID_BODY naming every key that is missing, unknown or of a
 * wrong type. Null members count as absent at every depth. Integers beyond 2^53 arrive as `ExactInteger`.
 */
export function readSubscriptionBody(value: unknown): SubscriptionContent {
  if (!isObject(value)) throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be an object', value })
  const body = withoutNulls(value)
  const { [ALIAS]: alias, userMetadatas = alias, ...rest } = body
  if (alias !== undefined && body.userMetadatas !== undefined) {
    throw problem('INVALID_BODY', { parameter: ALIAS, reason: 'must not be given together with userMetadatas' })
  }
  const own = Object.entries(rest).filter(([key]) => !IGNORED.has(key))
  const given = Object.fromEntries([...own, ...(userMetadatas === undefined ? [] : [['userMetadatas', userMetadatas]])])
  const faults: ShapeFaults = { missing: [], unknown: [], mistyped: [] }
  compare(SubscriptionBody as Shape, given, '', faults)
  throwFaults(faults)
  // The shape was validated above.
  return complete(given as Sent)
}

type Sent = Omit<SubscriptionContent, 'userMetadatas'> & { readonly userMetadatas?: JsonObject }

/** Members in the order of resources in responses. */
function complete(sent: Sent): SubscriptionContent {
  const { created_by, active, starts_at, expires_at, title, userMetadatas = {} } = sent
  const { trigger, callback, hits } = sent.subscription
  const { filter, projection = '' } = hits
  const subscription = { trigger, callback, hits: { filter, projection } }
  return { created_by, active, starts_at, expires_at, title, subscription, userMetadatas }
}

function compare(shape: Shape, value: Json, path: string, faults: ShapeFaults): void {
  if (!hasType(shape.type, value)) {
    faults.mistyped.push(`${path} (must be ${typeName(shape.type)})`)
    return
  }
  if (shape.properties === undefined || !isObject(value)) return
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`)
  const members = Object.entries(shape.properties)
  for (const [key, inner] of members) {
    const member = Object.hasOwn(value, key) ? value[key] : undefined
    if (member !== undefined) compare(inner, member, at(key), faults)
    else if (shape.required?.includes(key) === true) faults.missing.push(at(key))
  }
  const { properties } = shape
  faults.unknown.push(
    ...Object.keys(value)
      .filter((key) => !Object.hasOwn(properties, key))
      .map(at),
  )
}

function hasType(type: string | undefined, value: Json): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value) || isExactInteger(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}

const typeName = (type = ''): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

function throwFaults({ missing, unknown, mistyped }: ShapeFaults): void {
  const clauses: readonly (readonly [string, readonly string[]])[] = [
    ['Missing required keys:', missing],
    ['Unknown keys:', unknown],
    ['Keys of the wrong type:', mistyped],
  ]
  const [first, ...others] = clauses.filter(([, keys]) => keys.length > 0)
  if (first === undefined) return
  const [title, keys] = first
  const rest = others.map(([name, more]) => `; ${name.charAt(0).toLowerCase()}${name.slice(1)} ${more.join(', ')}`)
  throw problem('INVALID_BODY', { parameter: title, reason: `${keys.join(', ')}${rest.join('')}` })
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value)

/** Removes null members. Array elements stay, to keep the indices of the others. */
function withoutNulls(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(([, member]) => member !== null)
  // fromEntries defines members, so a key named __proto__ stays a key.
  return Object.fromEntries(kept.map(([key, member]) => [key, cleaned(member)]))
}

function cleaned(value: Json): Json {
  if (Array.isArray(value)) return value.map(cleaned)
  return isObject(value) ? withoutNulls(value) : value
}
