import type { DuckDBVector } from '@duckdb/node-api'

/**
 * The numbers behind a vector: asking for them one by one takes longer than most that is done with them. They are no part
 * of what the driver promises, hence the check.
 */
export function itemsOf<T>(vector: DuckDBVector, type: new () => T): T | undefined {
  const items: unknown = Reflect.get(vector, 'items')
  return items instanceof type ? items : undefined
}

/** Of a vector of doubles; where there is no value it may be any number. */
export function doublesOf(vector: DuckDBVector): Float64Array {
  return itemsOf(vector, Float64Array) ?? Float64Array.from(vector.toArray(), Number)
}
