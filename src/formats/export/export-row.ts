import { readGeometry } from '../../geo/shape/document-geometry.ts'
import { printWkt } from '../../geo/wkt.ts'
import type { Geometry } from '../../model/geometry.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { isGeo } from '../../query/schema/field.ts'
import { rawAt, valuesAt } from '../../query/value/stored-value.ts'
import type { ExportColumn } from './export-column.ts'

/** One row of a table: the geometry, and the values of the document for each column. */
export interface ExportRow {
  readonly geometry?: Geometry
  readonly cells: readonly (readonly Json[])[]
}

/** Returns a reader from a projected document to its cells; geo values become WKT. */
export function cellReader(columns: readonly ExportColumn[]): (source: JsonObject) => ExportRow['cells'] {
  return (source) =>
    columns.map(({ field: { path, type } }) =>
      isGeo(type) ? printPlaces(rawAt(source, path) ?? null) : valuesAt(source, path),
    )
}

function printPlaces(value: Json): readonly string[] {
  const geometry = readGeometry(value)
  if (geometry !== undefined) return [printWkt(geometry)]
  return isArray(value) ? value.flatMap(printPlaces) : []
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

/** Several values become a JSON array. */
export function cellText(values: readonly Json[]): string {
  const [first] = values
  if (first === undefined) return ''
  if (values.length > 1) return JSON.stringify(values)
  return typeof first === 'object' ? JSON.stringify(first) : String(first)
}
