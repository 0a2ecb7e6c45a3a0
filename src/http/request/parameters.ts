import type { FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'

/** Query parameters under the rules of spec 1.2. Parsed lazily: an error is thrown only when a parameter is read. */
export interface Parameters {
  /** The value of a parameter; undefined if absent or blank. Throws INVALID_PARAMETER for two different values. */
  text(name: string): string | undefined
  /** Names of all parameters in lower case, also of blank ones. */
  names(): readonly string[]
  /** All non-blank values of a repeatable parameter, in order. */
  all(name: string): readonly string[]
  integer(name: string, range: IntegerRange): number | undefined
  boolean(name: string): boolean | undefined
}

export interface IntegerRange {
  readonly min: number
  readonly max?: number
  /** A configurable upper bound. Above it the answer is LIMIT_EXCEEDED and names the setting. */
  readonly limit?: { readonly max: number; readonly setting: string }
}

const INT32_MIN = -2147483648
const INT32_MAX = 2147483647
const INTEGER = /^[+-]?[0-9]+$/

const cache = new WeakMap<FastifyRequest, Parameters>()

export function readParameters(request: FastifyRequest): Parameters {
  let parameters = cache.get(request)
  if (parameters === undefined) {
    parameters = parseParameters(rawQuery(request.raw.url ?? ''))
    cache.set(request, parameters)
  }
  return parameters
}

/** Returns the query string of a request target, unparsed, without the question mark. */
export function rawQuery(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? '' : target.slice(mark + 1)
}

/** `query` is the raw query string. Parsed at the first lookup, so that a route decides when it may fail. */
export function parseParameters(query: string): Parameters {
  let values: ReadonlyMap<string, readonly string[]> | undefined
  const all = (name: string): readonly string[] => {
    values ??= splitQuery(query)
    return values.get(name.toLowerCase()) ?? []
  }
  const text = (name: string): string | undefined => {
    const given = all(name)
    const other = given.find((value) => value !== given[0])
    if (other !== undefined) {
      throw problem('INVALID_PARAMETER', { parameter: name, reason: 'must not be given twice', value: other })
    }
    return given[0]
  }
  return {
    names: () =>
      query.split('&').flatMap((part) => (part === '' ? [] : [decode(part.split('=', 1)[0] ?? '').toLowerCase()])),
    all,
    text,
    integer: (name, range) => {
      const value = text(name)
      return value === undefined ? undefined : parseInteger(name, value, range)
    },
    boolean: (name) => {
      const value = text(name)
      return value === undefined ? undefined : parseBoolean(name, value)
    },
  }
}

/** Parses an integer of the query or the path: optional sign and decimal digits, within int32 and the range. */
export function parseInteger(name: string, text: string, range: IntegerRange): number {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN
  const max = range.max ?? range.limit?.max
  const inside = value >= Math.max(range.min, INT32_MIN) && value <= INT32_MAX
  if (!inside || (range.max !== undefined && value > range.max)) {
    throw problem('INVALID_PARAMETER', { parameter: name, value: text, reason: integerRule(range.min, max) })
  }
  if (range.limit !== undefined && value > range.limit.max) {
    const reason = `must be at most ${range.limit.max}; request less or raise the limit`
    throw problem('LIMIT_EXCEEDED', { parameter: name, value: text, reason, setting: range.limit.setting })
  }
  return value === 0 ? 0 : value
}

/** Parses `true` or `false`, case-insensitive. */
function parseBoolean(name: string, text: string): boolean {
  const lower = text.toLowerCase()
  if (lower === 'true') return true
  if (lower === 'false') return false
  throw problem('INVALID_PARAMETER', { parameter: name, value: text, reason: 'must be true or false' })
}

function integerRule(min: number, max: number | undefined): string {
  if (max !== undefined && max < INT32_MAX) return `must be an integer from ${min} to ${max}`
  return `must be an integer of at least ${min}`
}

function splitQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const part of query.split('&')) {
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals)).toLowerCase()
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    if (value.trim() === '') continue
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    const reason = 'must be percent-encoded UTF-8'
    throw problem('INVALID_PARAMETER', { parameter: 'query', value: text, reason })
  }
}
