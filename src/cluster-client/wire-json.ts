import type { WireJson, WireObject } from './cluster-client.ts'

/**
 * Matches large integers, or digits in a string that look like one. Most responses have none and are parsed several
 * times faster.
 */
const LARGE_INTEGER = /(?:^|[:,[\s])-?(?:9[0-9]{15}|[1-9][0-9]{16,})(?![0-9.eE])/
const INTEGER = /^-?[0-9]+$/

/** Serializes to JSON, with bigints as plain integers. */
export function printWire(value: WireJson): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member,
  )
}

/** Parses JSON; integers beyond 2^53 become bigints. */
export function parseWire(text: string): WireJson {
  if (!LARGE_INTEGER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context: { readonly source?: string } = {}) => {
    const exact = typeof value !== 'number' || Number.isSafeInteger(value) || context.source === undefined
    return exact || !INTEGER.test(context.source ?? '') ? value : BigInt(context.source ?? '')
  })
}

export const isWireObject = (value: WireJson | undefined): value is WireObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
