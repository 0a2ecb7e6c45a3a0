import type { Json } from './document.ts'

/** Prints JSON with sorted keys, so that equal values give the same text. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
