import { degrees, near, numerals } from './oracle/matchers.ts'

/** Numbers that may differ, with their tolerance. */
type Exactness = 'rounded' | 'degrees' | 'exact'

/** Members that are copied from stored documents. */
const STORED: ReadonlySet<string> = new Set(['hits', 'data', 'md'])
const DEGREES: ReadonlySet<string> = new Set(['coordinates', 'lat', 'lon'])

/**
 * Rounding error of summands of a few units that cancel out: the sum is only as exact as they are, even if it is small.
 */
const CANCELLED = 1e-12

/** Two or more comma-separated numbers, as in flattened boxes and points. */
const NUMERALS = /^-?\d+(\.\d+)?(e[+-]?\d+)?(,-?\d+(\.\d+)?(e[+-]?\d+)?)+$/i

/**
 * Converts a response to the expectation for another engine: computed numbers may differ in their last digits,
 * locations by a millionth of a degree (spec 2.5, and 10 of aggregations).
 */
export function tolerant(answer: unknown): unknown {
  return loosen(answer, 'rounded')
}

function loosen(value: unknown, exactness: Exactness): unknown {
  if (exactness === 'exact') return value
  if (typeof value === 'number') {
    return exactness === 'degrees' ? degrees(value) : near(value, Math.max(Math.abs(value) * 1e-9, CANCELLED))
  }
  if (typeof value === 'string') return NUMERALS.test(value) ? numerals(value.split(',').map(Number), 1e-6) : value
  if (Array.isArray(value)) return value.map((member) => loosen(member, exactness))
  if (typeof value !== 'object' || value === null) return value
  const raw = isRaw(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      loosen(member, raw && name === 'geometry' ? 'exact' : inside(name, exactness)),
    ]),
  )
}

function inside(name: string, exactness: Exactness): Exactness {
  if (STORED.has(name) || name.startsWith('hits_')) return 'exact'
  return DEGREES.has(name) ? 'degrees' : exactness
}

/** True for the geometry of a document: a raw geometry of a bucket, or the geometry of a hit. */
function isRaw(value: object): boolean {
  if ('is_raw' in value) return value.is_raw === true
  if (!('properties' in value) || typeof value.properties !== 'object' || value.properties === null) return false
  const { feature_type, geometry_type } = value.properties as Readonly<Record<string, unknown>>
  return feature_type === 'hit' || geometry_type === 'raw'
}
