import type { Json, JsonObject } from './document.ts'

const LONG_NUMBER = /[0-9]{16}/
/** True if a JSON text may contain an integer beyond 2^53. */
export const hasLongNumber = (text: string): boolean => LONG_NUMBER.test(text)

/** Matches such a number at the start of a value, so strings with many digits rarely match. */
const LONG_VALUE = /(?:^|[:[,])\s*-?[0-9]{16}/
const INTEGER = /^-?[0-9]+$/

/** Third argument of a reviver; missing in the type definitions of TypeScript. */
interface Context {
  readonly source?: string
}

/** Returns the original digits of an integer that a double cannot represent; undefined for other values. */
function exactDigits(value: unknown, context: Context): string | undefined {
  const lossy = typeof value === 'number' && !Number.isSafeInteger(value)
  return lossy && context.source !== undefined && INTEGER.test(context.source) ? context.source : undefined
}

/** Parses a document with integers beyond 2^53 as strings of digits, which all field types read exactly. */
export function withExactIntegers(text: string): JsonObject {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context: Context = {}) => exactDigits(value, context) ?? value)
}

/** An integer literal that a double cannot represent. */
class LargeInteger {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

interface PlacedInteger {
  /** `object.ids[2]` */
  readonly path: string
  readonly digits: string
}

/** Returns the first integer beyond 2^53 in a JSON text, with its path. */
export function findLargeInteger(text: string): PlacedInteger | undefined {
  if (!LONG_VALUE.test(text)) return undefined
  const marked: unknown = JSON.parse(text, (_key: string, value: unknown, context: Context = {}) => {
    const digits = exactDigits(value, context)
    return digits === undefined ? value : new LargeInteger(digits)
  })
  return placeOf(marked, '')
}

function placeOf(value: unknown, path: string): PlacedInteger | undefined {
  if (value instanceof LargeInteger) return { path, digits: value.digits }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = placeOf(member, place)
    if (found !== undefined) return found
  }
  return undefined
}

/** True if a number, or one in an array, may have lost digits in parsing. */
export function holdsLargeInteger(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(holdsLargeInteger)
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
}

/** Parses JSON so that printing it reproduces every integer exactly. */
export function parseRewritable(text: string): Json {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context: Context = {}) => {
    const digits = exactDigits(value, context)
    return digits === undefined ? value : JSON.rawJSON(digits)
  })
}

/** Parses JSON; integers that a double cannot represent become bigints. */
export function parseWithBigints(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context: Context = {}) => {
    const digits = exactDigits(value, context)
    return digits === undefined ? value : BigInt(digits)
  })
}
