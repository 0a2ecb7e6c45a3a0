import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { Place } from './documents.ts'

/** Mapping of real documents: flights in the U.S. in the first half of 2001. */
export const flightMapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    seen: { type: 'date', format: 'epoch_millis' },
    delay: { type: 'integer' },
    distance: { type: 'integer' },
    origin: { type: 'keyword' },
    destination: { type: 'keyword' },
    location: { type: 'geo_point' },
  },
}

export const flightCollection = {
  index_name: 'flights',
  id_path: 'id',
  geometry_path: 'location',
  centroid_path: 'location',
  timestamp_path: 'seen',
}

export const FIRST_FLIGHT = Date.UTC(2001, 0, 1)
export const LAST_FLIGHT = Date.UTC(2001, 6, 1)

export interface FlightDocument {
  readonly id: string
  /** Departure. */
  readonly seen: number
  /** Minutes; negative if early. */
  readonly delay: number
  /** Miles. */
  readonly distance: number
  readonly origin: string
  readonly destination: string
  /** The airport of origin. */
  readonly location: Place
}

/**
 * From the U.S. Bureau of Transportation Statistics, in the npm package vega-datasets (BSD-3-Clause); sorted by
 * departure.
 */
const fileOf = (name: string): string =>
  path.join(path.dirname(fileURLToPath(import.meta.resolve('vega-datasets'))), '..', 'data', name)

/** Yields the first flights, at most as many as there are. */
export async function* flights(count: number): AsyncGenerator<FlightDocument> {
  const airports = await readAirports()
  for await (const { row, number } of readRows()) {
    if (number >= count) return
    const origin = String(row.origin)
    const location = airports.get(origin)
    if (location === undefined) throw new Error(`airport ${origin} has no place`)
    yield {
      id: `flight-${String(number).padStart(7, '0')}`,
      seen: row.date instanceof Date ? row.date.getTime() : Number(row.date),
      delay: Number(row.delay),
      distance: Number(row.distance),
      origin,
      destination: String(row.destination),
      location,
    }
  }
}

interface Flight {
  readonly row: Readonly<Record<string, unknown>>
  readonly number: number
}

/** One row group at a time is in memory. */
async function* readRows(): AsyncGenerator<Flight> {
  const file = await asyncBufferFromFile(fileOf('flights-3m.parquet'))
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const rows = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd })
    for (const [n, row] of rows.entries()) yield { row, number: rowStart + n }
    rowStart = rowEnd
  }
}

/** Places of the airports by code. Only names, which are not read, contain commas. */
async function readAirports(): Promise<ReadonlyMap<string, Place>> {
  const [, ...lines] = (await readFile(fileOf('airports.csv'), 'utf8')).trim().split(/\r?\n/)
  return new Map(
    lines.map((line) => {
      const cells = line.split(',')
      return [cells[0] ?? '', { lat: Number(cells.at(-2)), lon: Number(cells.at(-1)) }]
    }),
  )
}
