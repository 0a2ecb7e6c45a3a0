import type { JsonObject } from '../../model/json/document.ts'
import type { CoordinateSystem } from '../crs/coordinate-system.ts'
import { isOutOfRange, reprojectValue } from '../crs/reproject.ts'
import { withCentroid } from '../read/shared/feature-document.ts'
import { addPair, type CoordinatePair } from './coordinate-pair.ts'
import { addCentroid, type Coordinates } from './coordinates.ts'

/** Where the place of a document comes from, besides a field with a point. */
export type PlaceSource =
  | ({ readonly kind: 'columns' } & Coordinates)
  | ({ readonly kind: 'pair' } & CoordinatePair)
  | { readonly kind: 'geometry'; readonly field: string }

/** What is done to every row of a file before it is written. */
export interface DocumentShape {
  readonly place?: PlaceSource
  /** Fields with geometries, which are converted to degrees. */
  readonly geometries: readonly string[]
  /** Fields whose numbers are written as text, because a date format reads them: years. */
  readonly texts: readonly string[]
  /** Field that receives the number of the row. */
  readonly rowField?: string
  /** Field that receives the moment of loading. */
  readonly loaded?: { readonly field: string; readonly at: string }
}

export const emptyShape: DocumentShape = { geometries: [], texts: [] }

/** Returns the document to write; the reason as text if its coordinates are invalid. */
export function shapeDocument(
  source: JsonObject,
  row: number,
  shape: DocumentShape,
  crs?: CoordinateSystem,
): JsonObject | string {
  let document = source
  if (crs?.toDegrees !== undefined) {
    for (const field of shape.geometries) {
      const value = document[field]
      if (value !== undefined) document = { ...document, [field]: reprojectValue(value, crs) }
    }
  }
  for (const field of shape.texts) {
    const value = document[field]
    if (typeof value === 'number') document = { ...document, [field]: String(value) }
  }
  if (shape.rowField !== undefined) document = { [shape.rowField]: row, ...document }
  if (shape.loaded !== undefined) document = { ...document, [shape.loaded.field]: shape.loaded.at }
  return withPlace(document, shape.place, crs)
}

function withPlace(document: JsonObject, place: PlaceSource | undefined, crs?: CoordinateSystem): JsonObject | string {
  switch (place?.kind) {
    case undefined:
      return document
    case 'columns':
      return addCentroid(document, place, crs)
    case 'pair':
      return addPair(document, place)
    case 'geometry':
      return withCentroid(document, place.field)
  }
}

/** True if the document has a geometry whose coordinates are out of range, and therefore no place. */
export function isMisplaced(document: JsonObject, { geometries }: DocumentShape): boolean {
  return geometries.some((field) => {
    const value = document[field]
    return value !== undefined && isOutOfRange(value)
  })
}
