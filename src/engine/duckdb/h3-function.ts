import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBScalarFunction,
  type DuckDBVector,
  INTEGER,
  UBIGINT,
} from '@duckdb/node-api'
import { H3Locator } from '../../geo/h3-locator.ts'
import { doublesOf, itemsOf } from './vector-items.ts'

/** Resolutions whose cells are remembered; a dashboard shows few at a time. */
const MOST_LOCATORS = 3

/**
 * Makes `h3_cell(resolution, lon, lat)` known to the database. The resolution is the same for all rows of a statement,
 * and rows without a place must be kept away by the SQL around it.
 */
export function registerH3(connection: DuckDBConnection): void {
  const locators = new Map<number, H3Locator>()
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: 'h3_cell',
      returnType: UBIGINT,
      parameterTypes: [INTEGER, DOUBLE, DOUBLE],
      mainFunction: (_info, chunk, out) => writeCells(locators, chunk, out),
    }),
  )
}

function writeCells(locators: Map<number, H3Locator>, chunk: DuckDBDataChunk, out: DuckDBVector): void {
  const locator = locatorOf(locators, Number(chunk.getColumnVector(0).getItem(0)))
  const lons = doublesOf(chunk.getColumnVector(1))
  const lats = doublesOf(chunk.getColumnVector(2))
  const cells = itemsOf(out, BigUint64Array)
  const { rowCount } = chunk
  for (let row = 0; row < rowCount; row++) {
    const lon = lons[row] ?? 0
    const lat = lats[row] ?? 0
    // A row without value has any bytes here.
    const isPlace = lon >= -180 && lon <= 180 && lat >= -90 && lat <= 90
    const cell = isPlace ? locator.locate(lon, lat) : 0n
    if (cells) cells[row] = cell
    else out.setItem(row, cell)
  }
  out.flush()
}

function locatorOf(locators: Map<number, H3Locator>, resolution: number): H3Locator {
  const locator = locators.get(resolution) ?? new H3Locator(resolution)
  locators.delete(resolution)
  locators.set(resolution, locator)
  const [oldest] = locators.keys()
  if (locators.size > MOST_LOCATORS && oldest !== undefined) locators.delete(oldest)
  return locator
}
