import { readFileSync } from 'node:fs'
import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { SettingsFault } from '../../config/setting-value.ts'
import type { SubscriptionSettings } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { isExactInteger } from '../../model/json/exact-integer.ts'
import { defaultTriggerSchema } from './default-trigger-schema.ts'

/** Throws INVALID_TRIGGER if a trigger violates the schema. */
export type TriggerCheck = (trigger: JsonObject) => void

const SETTING = 'subscriptions.trigger.schema'
/** JSON pointer of the trigger in a body. Messages use pointers from the root. */
export const TRIGGER_POINTER = '/subscription/trigger'
const MOST_FAULTS = 10

/**
 * Checks triggers with the schema of a file, or with the built-in one, which is compiled for the first trigger. Throws
 * SettingsFault if the file has no valid schema.
 */
export function compileTriggerSchema({ schema: file, keys }: SubscriptionSettings['trigger']): TriggerCheck {
  const own = file === undefined ? undefined : compile(readSchema(file))
  let builtIn: ValidateFunction | undefined
  const validator = (): ValidateFunction => {
    if (own !== undefined) return own
    builtIn ??= compile(defaultTriggerSchema(keys), BUILT_IN)
    return builtIn
  }
  return (trigger) => {
    const validate = validator()
    const inexact = [...largeIntegers(trigger, '')]
    if (inexact.length === 0 && validate(trigger)) return
    const faults = inexact.length > 0 ? inexact : faultsOf(validate.errors ?? [])
    const more = faults.length - MOST_FAULTS
    const shown = faults.slice(0, MOST_FAULTS).join('; ')
    const reason = `does not match the trigger schema: ${shown}${more > 0 ? `; and ${more} more` : ''}`
    throw problem('INVALID_TRIGGER', { parameter: 'subscription.trigger', reason })
  }
}

/** Finds integers beyond 2^53. They cannot be compared exactly with values of events, which are doubles. */
function* largeIntegers(value: Json, place: string): Generator<string> {
  if (isExactInteger(value)) {
    const most = Number.MAX_SAFE_INTEGER
    yield `${TRIGGER_POINTER}${place} must be an integer from -${most} to ${most}, or a string`
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* largeIntegers(member, `${place}/${escapeKey(key)}`)
  }
}

function readSchema(file: string): object | boolean {
  const schema = parseFile(file)
  if (typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema))) {
    return schema
  }
  throw new SettingsFault(`${SETTING}: ${file} must contain a JSON Schema`)
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SettingsFault(`${SETTING}: ${file} cannot be read as JSON: ${messageOf(error)}`)
  }
}

/** Compiling the meta-schema takes most of the time, and the built-in schema is known to be valid. */
const BUILT_IN = { meta: false, validateSchema: false }

function compile(schema: object | boolean, options: Options = {}): ValidateFunction {
  // In draft 2020-12, formats and unknown keywords are annotations.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false, ...options })
  try {
    const validate = ajv.compile(schema)
    if ('$async' in validate) throw new Error('schemas with $async are not supported')
    return validate
  } catch (error) {
    throw new SettingsFault(`${SETTING} must be a JSON Schema of draft 2020-12: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Keywords whose errors only summarise more detailed ones. */
const SUMMARIES = new Set(['if', 'anyOf', 'oneOf'])

/** Returns one clause per location, the first found there. */
function faultsOf(errors: readonly ErrorObject[]): readonly string[] {
  const detailed = errors.filter(({ keyword }) => !SUMMARIES.has(keyword))
  const byPlace = new Map<string, string>()
  for (const error of detailed.length === 0 ? errors : detailed) {
    const place = placeOf(error)
    if (!byPlace.has(place)) byPlace.set(place, `${TRIGGER_POINTER}${place} ${ruleOf(error)}`)
  }
  return [...byPlace.values()]
}

/** Errors about a missing or unknown key are reported at the enclosing object, so the key is appended. */
function placeOf({ keyword, instancePath, params }: ErrorObject): string {
  const key: unknown =
    keyword === 'required'
      ? params.missingProperty
      : keyword === 'additionalProperties'
        ? params.additionalProperty
        : keyword === 'unevaluatedProperties'
          ? params.unevaluatedProperty
          : undefined
  return key === undefined ? instancePath : `${instancePath}/${escapeKey(String(key))}`
}

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

function ruleOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known key'
    case 'enum':
      return `must be one of ${JSON.stringify(params.allowedValues)}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'type':
      return `must be of type ${String(params.type).replaceAll(',', ', ')}`
    default:
      return message ?? 'is invalid'
  }
}
