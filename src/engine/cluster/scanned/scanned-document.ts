import type { Box } from '../../../geo/area.ts'
import { pointValues, shapeValues } from '../../../geo/shape/document-geometry.ts'
import { planarCentroid } from '../../../geo/shape/planar-centroid.ts'
import { normaliseShape, type Shape, shapeBounds, shapeOfAll } from '../../../geo/shape/shape.ts'
import type { Position } from '../../../model/geometry.ts'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import { withExactIntegers } from '../../../model/json/exact-json.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { type Field, isGeo } from '../../../query/schema/field.ts'
import { rawAt, readStoredValues } from '../../../query/value/stored-value.ts'
import type { Turn } from '../../../turn.ts'
import type { StoredDocument } from '../../engine.ts'
import type { FieldSource } from '../catalog/field-sources.ts'

/** Parts of the documents that are needed. */
export interface NeededFields {
  readonly fields: readonly Field[]
  /** Paths of the GEO_SHAPE fields that need whole shapes, not only centroids and envelopes. */
  readonly shapes: ReadonlySet<string>
  /** True if the names of the documents are needed too. */
  readonly names: boolean
}

export interface DocumentName {
  readonly index: string
  readonly id: string
}

/** The value of a GEO_POINT or GEO_SHAPE. */
interface ScannedGeometry {
  /** The points, or the planar centroid of the shape. */
  readonly places: readonly Position[]
  readonly bounds: Box
  readonly shape?: Shape
}

const NONE: readonly never[] = []

/** The needed values of documents, by field. A document is identified by its row number, in the order of reading. */
export class ScannedDocuments {
  readonly #needed: NeededFields
  readonly #sources: ReadonlyMap<string, FieldSource> | undefined
  readonly #scalars = new Map<string, (readonly Scalar[])[]>()
  readonly #geometries = new Map<string, (ScannedGeometry | undefined)[]>()
  readonly #names: DocumentName[] = []
  #count = 0

  constructor(needed: NeededFields, sources?: ReadonlyMap<string, FieldSource>) {
    this.#needed = needed
    this.#sources = sources
    for (const { path, type } of needed.fields) {
      if (isGeo(type)) this.#geometries.set(path, [])
      else this.#scalars.set(path, [])
    }
  }

  get count(): number {
    return this.#count
  }

  add(document: StoredDocument): void {
    const { index, id, text } = document
    // Integers beyond 2^53 are exact only in the text.
    const source = text === undefined ? document.source : withExactIntegers(text)
    for (const field of this.#needed.fields) {
      const { paths = [field.path], indices } = this.#sources?.get(field.path) ?? {}
      const counts = indices === undefined || indices.has(index)
      const raw = counts ? firstValue(source, paths) : undefined
      this.#scalars.get(field.path)?.push(raw === undefined ? NONE : readStoredValues(field, raw))
      this.#geometries.get(field.path)?.push(raw === undefined ? undefined : this.#readGeometry(field, raw))
    }
    if (this.#needed.names) this.#names.push({ index, id })
    this.#count++
  }

  /** Returns the values of all documents for a non-geographic field. */
  scalars({ path }: Field): readonly (readonly Scalar[])[] {
    return this.#scalars.get(path) ?? NONE
  }

  geometries({ path }: Field): readonly (ScannedGeometry | undefined)[] {
    return this.#geometries.get(path) ?? NONE
  }

  name(document: number): DocumentName {
    const name = this.#names[document]
    if (name === undefined) throw new Error(`document ${document} was not registered`)
    return name
  }

  #readGeometry({ type, path }: Field, raw: Json): ScannedGeometry | undefined {
    if (type === 'GEO_POINT') {
      const places = pointValues(raw)
      return places.length === 0
        ? undefined
        : { places, bounds: shapeBounds({ polygons: [], lines: [], points: places }) }
    }
    const shapes = shapeValues(raw).flatMap((geometry) => normaliseShape(geometry) ?? [])
    if (shapes.length === 0) return undefined
    const shape = shapeOfAll(shapes)
    const figures = { places: [planarCentroid(shape)], bounds: shapeBounds(shape) }
    return this.#needed.shapes.has(path) ? { ...figures, shape } : figures
  }
}

function firstValue(source: JsonObject, paths: readonly string[]): Json | undefined {
  for (const path of paths) {
    const raw = rawAt(source, path)
    if (raw !== undefined) return raw
  }
  return undefined
}

/** Batches of documents, and the location of their values if it is not the path of the field in every document. */
export interface ScannedBatches {
  readonly batches: AsyncIterable<readonly StoredDocument[]>
  readonly sources?: ReadonlyMap<string, FieldSource>
}

export async function readScanned(
  needed: NeededFields,
  { batches, sources }: ScannedBatches,
  turn: Turn,
): Promise<ScannedDocuments> {
  const documents = new ScannedDocuments(needed, sources)
  for await (const batch of batches) {
    for (const document of batch) {
      if (turn.isOver) await turn.next()
      documents.add(document)
    }
  }
  return documents
}
