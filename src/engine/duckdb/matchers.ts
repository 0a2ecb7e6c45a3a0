import {
  BLOB,
  BOOLEAN,
  DOUBLE,
  type DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBListValue,
  DuckDBScalarFunction,
  type DuckDBType,
  type DuckDBValue,
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
  readonly point?: (lon: number, lat: number) => boolean
  readonly shape?: (shape: Shape) => boolean
  readonly text?: (text: string) => boolean
  /** The keys of the cells a shape lies in; undefined when these are too many. */
  readonly cells?: (shape: Shape) => readonly bigint[] | undefined
}

/** Cells of the shapes of one chunk, which are all in memory at once: a hundred megabytes of them. */
const MOST_CELLS_AT_ONCE = 4_000_000

type RowTest = (matcher: Matcher, a: DuckDBValue, b: DuckDBValue) => boolean

const rowTests: readonly { name: string; parameters: readonly DuckDBType[]; test: RowTest }[] = [
  {
    name: 'match_point',
    parameters: [INTEGER, DOUBLE, DOUBLE],
    test: (m, lon, lat) => m.point?.(lon as number, lat as number) === true,
  },
  {
    name: 'match_shape',
    parameters: [INTEGER, BLOB],
    test: (m, wkb) => m.shape?.(decodeShape((wkb as DuckDBBlobValue).bytes)) === true,
  },
  {
    name: 'match_text',
    parameters: [INTEGER, VARCHAR],
    test: (m, text) => m.text?.(text as string) === true,
  },
]

const CALLS = new RegExp(`\\b(?:${[...rowTests.map(({ name }) => name), 'shape_cells', 'h3_cell'].join('|')})\\(`)

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

  /** Makes match_point, match_shape, match_text, shape_cells and h3_cell known to the database. */
  register(connection: DuckDBConnection): void {
    for (const { name, parameters, test } of rowTests) {
      connection.registerScalarFunction(
        DuckDBScalarFunction.create({
          name,
          returnType: BOOLEAN,
          parameterTypes: parameters,
          mainFunction: (_info, chunk, out) => this.#run(chunk, out, test),
        }),
      )
    }
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

  #run(chunk: DuckDBDataChunk, out: DuckDBVector, test: RowTest): void {
    const ids = chunk.getColumnVector(0)
    const first = chunk.getColumnVector(1)
    const second = chunk.columnCount > 2 ? chunk.getColumnVector(2) : first
    // Each time it is asked of the chunk is a call into DuckDB.
    const { rowCount } = chunk
    let id: DuckDBValue = null
    let matcher: Matcher | undefined
    for (let row = 0; row < rowCount; row++) {
      const own = ids.getItem(row)
      if (own !== id) {
        id = own
        matcher = this.#live.get(own as number)
      }
      const a = first.getItem(row)
      const b = second.getItem(row)
      // A row whose statement is over belongs to an interrupted query; nobody reads its answer.
      out.setItem(row, matcher !== undefined && a !== null && b !== null && test(matcher, a, b))
    }
    out.flush()
  }
}
