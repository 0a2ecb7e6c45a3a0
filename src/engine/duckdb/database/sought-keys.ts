import {
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBVector,
  INTEGER,
  UBIGINT,
} from '@duckdb/node-api'
import type { Turn } from '../../../turn.ts'
import { itemsOf } from './vector-items.ts'

const TABLE = 'sought_keys'

/**
 * Selects the keys of a part, given its SQL, as `_sought_seq` and `_sought_key`. `distinct`: the part may have
 * duplicates.
 */
export const soughtKeys = (part: string, distinct: boolean): string =>
  `(SELECT ${distinct ? 'DISTINCT ' : ''}CAST(seq AS BIGINT) AS _sought_seq, key AS _sought_key FROM ${TABLE} WHERE part = ${part})`

/** Rows of a DuckDB chunk. */
const CHUNK = 2048
/** DuckDB writes appended rows on flush. Flushing this often keeps each flush short. */
const CHUNKS_PER_FLUSH = 10

/** Keys of rows, collected in memory. */
export class GatheredKeys {
  readonly #chunks: { readonly seqs: Float64Array; readonly keys: BigUint64Array }[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(seq: number, key: bigint): void {
    const at = this.#size % CHUNK
    if (at === 0) this.#chunks.push({ seqs: new Float64Array(CHUNK), keys: new BigUint64Array(CHUNK) })
    const chunk = this.#chunks.at(-1)
    if (chunk) {
      chunk.seqs[at] = seq
      chunk.keys[at] = key
    }
    this.#size++
  }

  /** Must not run while a result is streamed from the connection: the stream would end silently. */
  async writeTo(connection: DuckDBConnection, part: number, turn: Turn): Promise<void> {
    if (this.#size === 0) return
    const appender = await connection.createAppender(TABLE, 'main', 'temp')
    try {
      for (const [i, { seqs, keys }] of this.#chunks.entries()) {
        append(appender, part, seqs, keys, Math.min(CHUNK, this.#size - i * CHUNK))
        if (i % CHUNKS_PER_FLUSH === CHUNKS_PER_FLUSH - 1) appender.flushSync()
        if (turn.isOver) await turn.next()
      }
    } finally {
      appender.closeSync()
    }
  }
}

function append(
  appender: DuckDBAppender,
  part: number,
  seqs: Float64Array,
  keys: BigUint64Array,
  rowCount: number,
): void {
  const chunk = DuckDBDataChunk.create([INTEGER, DOUBLE, UBIGINT], rowCount)
  fill(chunk.getColumnVector(0), new Int32Array(rowCount).fill(part), Int32Array)
  fill(chunk.getColumnVector(1), seqs.subarray(0, rowCount), Float64Array)
  fill(chunk.getColumnVector(2), keys.subarray(0, rowCount), BigUint64Array)
  appender.appendDataChunk(chunk)
}

function fill<T extends Int32Array | Float64Array | BigUint64Array>(
  vector: DuckDBVector,
  values: T,
  type: new () => T,
): void {
  const items = itemsOf(vector, type)
  if (items) items.set(values as never)
  else for (const [i, value] of values.entries()) vector.setItem(i, value)
  vector.flush()
}

/** The table exists in the snapshot of the connection and is removed with it. */
export const createKeysTable = (connection: DuckDBConnection): Promise<unknown> =>
  connection.run(`CREATE TEMP TABLE ${TABLE} (part INTEGER, seq DOUBLE, key UBIGINT)`)

export const dropKeysTable = (connection: DuckDBConnection): Promise<unknown> =>
  connection.run(`DROP TABLE temp.${TABLE}`)
