import type { DuckDBVector } from '@duckdb/node-api'

/**
 * Returns the typed array behind a vector, because reading values one by one is slow. It is not part of the driver's
 * API, hence the check.
 */
export function itemsOf<T>(vector: DuckDBVector, type: new () => T): T | undefined {
  const items: unknown = Reflect.get(vector, 'items')
  return items instanceof type ? items : undefined
}

/** Values of a vector of doubles. NULL values may be any number. */
export function doublesOf(vector: DuckDBVector): Float64Array {
  return itemsOf(vector, Float64Array) ?? Float64Array.from(vector.toArray(), Number)
}
