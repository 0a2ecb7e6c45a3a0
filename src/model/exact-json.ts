import type { Json, JsonObject } from './document.ts'

const LONG_NUMBER = /[0-9]{16}/
/** Whether a JSON text may hold an integer beyond 2^53. */
export const hasLongNumber = (text: string): boolean => LONG_NUMBER.test(text)

/** Such a number where a value may begin; a text with many digits is rarely taken for one. */
const LONG_VALUE = /(?:^|[:[,])\s*-?[0-9]{16}/
const INTEGER = /^-?[0-9]+$/

/** What a reviver is told beside key and value; the runtime has it, TypeScript's library not yet. */
interface Context {
  readonly source?: string
}

/** A number that a double cannot hold: its digits as the text has them. */
function exactDigits(value: unknown, context: Context): string | undefined {
  const lossy = typeof value === 'number' && !Number.isSafeInteger(value)
  return lossy && context.source !== undefined && INTEGER.test(context.source) ? context.source : undefined
}

/** The document with integers beyond 2^53 as texts of their digits, which fields of every type read exactly. */
export function withExactIntegers(text: string): JsonObject {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context: Context = {}) => exactDigits(value, context) ?? value)
}

/** An integer literal whose digits a double cannot hold. */
class LargeInteger {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

export interface PlacedInteger {
  /** `object.ids[2]` */
  readonly path: string
  readonly digits: string
}

/** The first integer of a JSON text beyond 2^53, and where it stands. */
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

/** True when a number, or one of an array, may have lost digits in parsing. */
export function holdsLargeInteger(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(holdsLargeInteger)
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
}

/** Parses a document so that printing it again writes every integer as it was. */
export function parseRewritable(text: string): JsonObject {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context: Context = {}) => {
    const digits = exactDigits(value, context)
    return digits === undefined ? value : rawJson(digits)
  })
}

/** Parses JSON with the integers that a double cannot hold as bigints. */
export function parseWithBigints(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context: Context = {}) => {
    const digits = exactDigits(value, context)
    return digits === undefined ? value : BigInt(digits)
  })
}

/** `JSON.rawJSON` is in the runtime but not yet in TypeScript's library. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
