/** Compares JSON values by the rules of the vectors: key order is ignored, arrays are ordered. */

type JsonMap = Readonly<Record<string, unknown>>

export const isMap = (v: unknown): v is JsonMap => typeof v === 'object' && v !== null && !Array.isArray(v)

export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => equal(x, b[i]))
  if (!isMap(a) || !isMap(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]))
}

/** Compares numbers within `tolerance`, at every depth of `expected`. */
export function near(actual: unknown, expected: unknown, tolerance: number): boolean {
  if (typeof expected === 'number') return typeof actual === 'number' && Math.abs(actual - expected) <= tolerance
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false
    return expected.every((x, i) => near(actual[i], x, tolerance))
  }
  if (isMap(expected)) {
    return isMap(actual) && Object.entries(expected).every(([k, v]) => near(actual[k], v, tolerance))
  }
  return equal(actual, expected)
}

export const kindOf = (v: unknown): string => (v === null ? 'null' : Array.isArray(v) ? 'array' : typeof v)

export const sizeOf = (v: unknown): number => {
  if (typeof v === 'string' || Array.isArray(v)) return v.length
  return isMap(v) ? Object.keys(v).length : Number.NaN
}

/** Yields all positions in a GeoJSON object or coordinate array. */
export function positionsOf(v: unknown): readonly (readonly number[])[] {
  if (Array.isArray(v)) return typeof v[0] === 'number' ? [v] : v.flatMap(positionsOf)
  if (!isMap(v)) return []
  return ['coordinates', 'geometry', 'geometries', 'features'].flatMap((key) => positionsOf(v[key]))
}
