import type { DuckDBResult, DuckDBVector } from '@duckdb/node-api'

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

/** Rows of columns of doubles. */
export interface DoubleChunk {
  /** Told once: the driver asks the database each time. */
  readonly rowCount: number
  readonly doubles: (column: number) => Float64Array
}

/** A result whose columns are all doubles, as it comes. */
export async function* doubleChunks(result: DuckDBResult): AsyncIterable<DoubleChunk> {
  for (let chunk = await result.fetchChunk(); chunk; chunk = await result.fetchChunk()) {
    const found = chunk
    const { rowCount } = found
    if (rowCount === 0) return
    yield { rowCount, doubles: (column) => doublesOf(found.getColumnVector(column)) }
  }
}
