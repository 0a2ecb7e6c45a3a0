import type { ErrorObject } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { problem } from '../errors.ts'
import { validatorOf } from './json/schema-validator.ts'
import { normaliseBody } from './normalise-body.ts'

interface BodyOptions {
  /** Prefix of the key paths in messages, for a value that is part of a body or has another name. */
  readonly root?: string
  /**
   * `reject` (the default): an unknown key is an error. `drop`: unknown keys are removed, except below a schema with
   * `additionalProperties: false`, where they are still an error (filters: dropping a key could widen access).
   */
  readonly unknownKeys?: 'reject' | 'drop'
}

/**
 * Validates an untrusted JSON value against a schema (spec 1.3) and returns a copy in canonical form: null members
 * removed, aliases renamed, enumerated words spelled as in the schema. Throws INVALID_BODY with the key, or
 * INVALID_PARAMETER for a number of the right type outside its bounds, as in a query string.
 */
export function checkBody<T extends TSchema>(schema: T, value: unknown, options: BodyOptions = {}): Static<T> {
  const root = options.root ?? ''
  const normal = normaliseBody(schema, value, { path: root, unknownKeys: options.unknownKeys ?? 'reject' })
  const validate = validatorOf(schema)
  // If all alternatives failed, the last error is that of the whole schema.
  if (!validate(normal)) throw fault(validate.errors?.at(-1), normal, root)
  return normal as Static<T>
}

function fault(error: ErrorObject | undefined, value: unknown, root: string): Error {
  if (error === undefined) return problem('INVALID_BODY', { parameter: root || 'body' })
  const path = keyPath(error.instancePath, root)
  const params: Readonly<Record<string, unknown>> = error.params
  switch (error.keyword) {
    case 'required':
      return problem('INVALID_BODY', { parameter: join(path, String(params.missingProperty)), reason: 'is required' })
    case 'additionalProperties':
      return problem('INVALID_BODY', {
        parameter: join(path, String(params.additionalProperty)),
        reason: 'is not a known key',
      })
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return problem('INVALID_PARAMETER', { parameter: path || 'body', value: error.data, reason: boundRule(error) })
    default:
      return problem('INVALID_BODY', {
        parameter: path || 'body',
        value: error.instancePath === '' ? value : error.data,
        reason: rule(error),
      })
  }
}

function boundRule(error: ErrorObject): string {
  const parent = error.parentSchema ?? {}
  const kind = parent.type === 'integer' ? 'an integer' : 'a number'
  if (parent.minimum !== undefined && parent.maximum !== undefined) {
    return `must be ${kind} from ${parent.minimum} to ${parent.maximum}`
  }
  return error.message ?? 'is out of range'
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

function rule(error: ErrorObject): string {
  if (error.keyword === 'type') return `must be ${TYPE_NAMES[String(error.params.type)] ?? error.params.type}`
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  if (error.keyword === 'anyOf') return `must be one of ${alternatives(error.schema)}`
  if (error.keyword === 'const') return `must be ${error.params.allowedValue}`
  return error.message ?? 'is invalid'
}

function alternatives(schemas: unknown): string {
  const options = schemas as readonly { readonly const?: unknown; readonly type?: string }[]
  return options.map(({ const: word, type }) => String(word ?? TYPE_NAMES[String(type)] ?? type)).join(', ')
}

/** Converts the JSON pointer `/filter/f/0/1/op` to `filter.f[0][1].op`. */
function keyPath(pointer: string, root: string): string {
  const keys = pointer.split('/').slice(1)
  return keys.reduce((path, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    return /^[0-9]+$/.test(name) ? `${path}[${name}]` : join(path, name)
  }, root)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
