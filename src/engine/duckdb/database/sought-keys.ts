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

/** The keys of a part, given its SQL: `_sought_seq`, `_sought_key`. `distinct`: where the same may be found repeatedly. */
export const soughtKeys = (part: string, distinct: boolean): string =>
  `(SELECT ${distinct ? 'DISTINCT ' : ''}CAST(seq AS BIGINT) AS _sought_seq, key AS _sought_key FROM ${TABLE} WHERE part = ${part})`

/** Rows of a chunk of the database. */
const CHUNK = 2048
/** The database writes what was appended now and then, all at once: often enough to be quick. */
const CHUNKS_PER_FLUSH = 10

/** Keys of rows, as they are gathered. */
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

  /** Not while a result is read from the connection: that would end without a word. */
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

/** In the snapshot of the connection, and gone with it. */
export const createKeysTable = (connection: DuckDBConnection): Promise<unknown> =>
  connection.run(`CREATE TEMP TABLE ${TABLE} (part INTEGER, seq DOUBLE, key UBIGINT)`)

export const dropKeysTable = (connection: DuckDBConnection): Promise<unknown> =>
  connection.run(`DROP TABLE temp.${TABLE}`)
