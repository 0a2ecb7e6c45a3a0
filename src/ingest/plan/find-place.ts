import { rankGeometry } from '../../mapping/field-names.ts'
import { inferMapping } from '../../mapping/infer-mapping.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import { InputFault } from '../source/input-fault.ts'
import { findPair } from './coordinate-pair.ts'
import { findCoordinates, findProjected } from './coordinates.ts'
import type { DocumentShape, PlaceSource } from './document-shape.ts'
import { emptyShape } from './document-shape.ts'
import type { Sample } from './file-set.ts'
import { type CollectionPaths, guessPaths } from './guess-paths.ts'
import type { PlanOptions } from './load-plan.ts'

interface FoundPlace {
  readonly shape: DocumentShape
  readonly notes: readonly string[]
}

/** Finds where the place of a document is: a geometry, two columns, or one with both coordinates. */
export function findPlace(options: PlanOptions, sample: Sample, known: Mapping | undefined): FoundPlace {
  const documents = sample.documents.map(({ document }) => document)
  const inferred = inferMapping(documents)
  const geometries = geometryFields(inferred)
  const shape: DocumentShape = { ...emptyShape, geometries }
  const placed = (place: PlaceSource | undefined, notes: readonly string[] = []): FoundPlace => ({
    shape: place === undefined ? shape : { ...shape, place },
    notes,
  })
  const { lon, lat } = options
  if (lon !== undefined || lat !== undefined) {
    if (lon === undefined || lat === undefined) throw new InputFault('Specify both --lon and --lat.')
    return placed({ kind: 'columns', lon, lat })
  }
  // an index without a field for it cannot receive a centroid
  if (known !== undefined && known.properties.centroid?.type !== 'geo_point') return placed(undefined)
  const shapes = geometries.filter((name) => inferred.properties[name]?.type === 'geo_shape')
  const field = options.geometryPath ?? shapes.find((name) => Number.isFinite(rankGeometry(name))) ?? shapes[0]
  if (geometries.length > 0) {
    const isShape = field !== undefined && shapes.includes(field)
    return placed(isShape ? { kind: 'geometry', field } : undefined)
  }
  const isProjected = sample.documents.some(({ crs }) => crs?.toDegrees !== undefined)
  const columns = isProjected ? findProjected(inferred, documents) : findCoordinates(inferred, documents)
  if (columns !== undefined) return placed({ kind: 'columns', ...columns })
  const pair = findPair(documents)
  if (pair !== undefined) return placed({ kind: 'pair', ...pair })
  const projected = findProjected(inferred, documents)
  if (projected !== undefined) {
    throw new InputFault(
      `The columns ${projected.lon} and ${projected.lat} have coordinates that are no degrees: state their coordinate system with --crs, for example --crs EPSG:27700.`,
    )
  }
  return placed(undefined)
}

/** Fields with geometries or points, in order of the mapping. */
export function geometryFields({ properties }: Mapping): readonly string[] {
  return Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'geo_shape' || type === 'geo_point' ? [name] : [],
  )
}

/** Throws InputFault if a collection of the documents would have no place, or one of several. */
export function checkPlaced(
  mapping: Mapping,
  shaped: readonly JsonObject[],
  { geometryPath, centroidPath }: PlanOptions,
  stored: CollectionPaths = {},
): void {
  const guessed = guessPaths(mapping, shaped)
  const geometry = geometryPath ?? stored.geometry ?? guessed.geometry
  const centroid = centroidPath ?? stored.centroid ?? guessed.centroid
  if (geometry !== undefined && centroid !== undefined) return
  const names = new Set(shaped.flatMap((document) => Object.keys(document)))
  const points = geometryFields(mapping)
  throw new InputFault(
    points.length > 1
      ? `Several fields have a place: state one with --geometry-path and --centroid-path (${points.join(', ')}).`
      : `No field has a place: state two columns with --lon and --lat, a field with --geometry-path, or load without a collection (--no-collection). The documents have ${[...names].slice(0, 50).join(', ')}.`,
  )
}
