import {
  BLOB,
  BOOLEAN,
  type DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBListValue,
  DuckDBScalarFunction,
  type DuckDBVector,
  INTEGER,
  LIST,
  UBIGINT,
  VARCHAR,
} from '@duckdb/node-api'
import type { Shape } from '../../geo/shape.ts'
import { decodeShape } from '../../geo/wkb.ts'
import { registerH3 } from './h3-function.ts'

/**
 * What SQL cannot express, run by DuckDB on the rows that survive the cheap conditions around it. What it throws fails
 * the statement, with its message in that of DuckDB.
 */
export interface Matcher {
  readonly text?: (text: string) => boolean
  /** The keys of the cells a shape lies in; undefined when these are too many. */
  readonly cells?: (shape: Shape) => readonly bigint[] | undefined
}

/** Cells of the shapes of one chunk, which are all in memory at once: a hundred megabytes of them. */
const MOST_CELLS_AT_ONCE = 4_000_000

const CALLS = /\b(?:match_text|shape_cells|h3_cell)\(/

/** Whether a statement calls functions of this file. */
export const callsJavaScript = (sql: string): boolean => CALLS.test(sql)

/**
 * Rows for functions of this file, which run on the main thread. Node serves such calls for as long as one is waiting,
 * before anything else. The limit makes DuckDB read the rows with one thread, which has nothing waiting while its last
 * call is served; `near`, which must hold for all rows wanted, is left to the scan.
 */
export const rowsForCalls = (table: string, near: string): string => `(SELECT * FROM ${table} WHERE ${near} OFFSET 0)`

/** The matchers of the running queries, by the number their SQL carries. */
export class Matchers {
  readonly #live = new Map<number, Matcher>()
  readonly #mostCellsAtOnce: number
  #next = 1

  constructor(mostCellsAtOnce: number = MOST_CELLS_AT_ONCE) {
    this.#mostCellsAtOnce = mostCellsAtOnce
  }

  add(matcher: Matcher): number {
    const id = this.#next++
    this.#live.set(id, matcher)
    return id
  }

  remove(ids: Iterable<number>): void {
    for (const id of ids) this.#live.delete(id)
  }

  /** Makes match_text, shape_cells and h3_cell known to the database. */
  register(connection: DuckDBConnection): void {
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name: 'match_text',
        returnType: BOOLEAN,
        parameterTypes: [INTEGER, VARCHAR],
        mainFunction: (_info, chunk, out) => this.#testTexts(chunk, out),
      }),
    )
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name: 'shape_cells',
        returnType: LIST(UBIGINT),
        parameterTypes: [INTEGER, BLOB],
        mainFunction: (_info, chunk, out) => this.#listCells(chunk, out),
      }),
    )
    registerH3(connection)
  }

  /** NULL for a shape in too many cells, by itself or after others of the chunk. */
  #listCells(chunk: DuckDBDataChunk, out: DuckDBVector): void {
    const ids = chunk.getColumnVector(0)
    const shapes = chunk.getColumnVector(1)
    const { rowCount } = chunk
    let count = 0
    for (let row = 0; row < rowCount; row++) {
      const find = this.#live.get(ids.getItem(row) as number)?.cells
      const wkb = shapes.getItem(row) as DuckDBBlobValue | null
      const cells = find && wkb ? find(decodeShape(wkb.bytes)) : []
      count += cells?.length ?? 0
      const isTooMany = cells === undefined || (cells.length > 0 && count > this.#mostCellsAtOnce)
      out.setItem(row, isTooMany ? null : new DuckDBListValue(cells))
    }
    out.flush()
  }

  #testTexts(chunk: DuckDBDataChunk, out: DuckDBVector): void {
    const ids = chunk.getColumnVector(0)
    const texts = chunk.getColumnVector(1)
    // Each time it is asked of the chunk is a call into DuckDB.
    const { rowCount } = chunk
    for (let row = 0; row < rowCount; row++) {
      // A row whose statement is over belongs to an interrupted query; nobody reads its answer.
      const test = this.#live.get(ids.getItem(row) as number)?.text
      const text = texts.getItem(row)
      out.setItem(row, test !== undefined && text !== null && test(text as string))
    }
    out.flush()
  }
}
