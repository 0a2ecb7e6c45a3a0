import { degrees, near, numerals } from './oracle/matchers.ts'

/** Numbers that may differ, and how much. */
type Exactness = 'rounded' | 'degrees' | 'exact'

/** Members that come from documents as they are stored. */
const STORED: ReadonlySet<string> = new Set(['hits', 'data', 'md'])
const DEGREES: ReadonlySet<string> = new Set(['coordinates', 'lat', 'lon'])

/**
 * What rounding may leave of addends of a few units that cancel each other: their sum is as exact as they are, however
 * small it is itself.
 */
const CANCELLED = 1e-12

/** Two or more numbers between commas, as in the flat texts of boxes and places. */
const NUMERALS = /^-?\d+(\.\d+)?(e[+-]?\d+)?(,-?\d+(\.\d+)?(e[+-]?\d+)?)+$/i

/**
 * An answer as what is expected of another engine: numbers that are computed may differ in their last digits, places
 * by a millionth of a degree (spec 2.5, and 10 of aggregations).
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

/** A geometry of a document: raw in a bucket, or of a feature that is a hit or shows one raw. */
function isRaw(value: object): boolean {
  if ('is_raw' in value) return value.is_raw === true
  if (!('properties' in value) || typeof value.properties !== 'object' || value.properties === null) return false
  const { feature_type, geometry_type } = value.properties as Readonly<Record<string, unknown>>
  return feature_type === 'hit' || geometry_type === 'raw'
}
