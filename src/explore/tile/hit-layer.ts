import { documentReaderOf, type OpenCollection } from '../../collections/open-collection.ts'
import type { FoundDocument } from '../../engine/engine.ts'
import { tileGeometries } from '../../formats/mvt/tile-geometry.ts'
import { type TileValue, VectorLayer } from '../../formats/mvt/vector-layer.ts'
import type { TilePlace } from '../../formats/tile/tile-projection.ts'
import { normaliseShape } from '../../geo/shape/shape.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { removeAt, sourcePath } from '../../model/source-path.ts'
import { type ProjectionPlan, projectDocument } from '../../query/page/projection.ts'
import { compilePatterns } from '../../query/schema/field-pattern.ts'
import { flatten } from '../../query/value/flatten.ts'

interface HitLayerOptions {
  readonly tile: TilePlace
  readonly projection: ProjectionPlan
  /** `include` of the request; absent: no document fields. */
  readonly include: string | undefined
}

/** Property names of the id and the timestamp, independent of the field names. */
export const HIT_NAMES = { id: 'id', timestamp: 'timestamp' } as const

/** Returns the layer of documents. Each added document becomes one feature per kind of geometry. */
export function hitLayer(
  collection: OpenCollection,
  { tile, projection, include }: HitLayerOptions,
): { readonly layer: VectorLayer; readonly add: (document: FoundDocument) => void } {
  const layer = new VectorLayer('hits')
  const reader = documentReaderOf(collection)
  const geometriesOf = tileGeometries(tile)
  const fieldsOf = include === undefined ? () => ({}) : fieldReader(collection, projection, include)
  const add = (document: FoundDocument): void => {
    const { source } = document
    const geometry = reader.geometry(source) ?? reader.centroid(source)
    const shape = geometry === undefined ? undefined : normaliseShape(geometry)
    if (shape === undefined) return
    const geometries = geometriesOf(shape)
    if (geometries.length === 0) return
    const id = reader.id(document)
    const timestamp = reader.timestamp(source)
    const properties = {
      ...fieldsOf(source),
      ...(id === undefined ? {} : { [HIT_NAMES.id]: id }),
      ...(timestamp === undefined ? {} : { [HIT_NAMES.timestamp]: timestamp }),
    }
    for (const each of geometries) layer.add(each, properties)
  }
  return { layer, add }
}

/** Returns only the fields of `include`, flat: neither shapes nor other paths of the collection. */
function fieldReader(
  collection: OpenCollection,
  projection: ProjectionPlan,
  include: string,
): (source: JsonObject) => Readonly<Record<string, TileValue>> {
  const left = unshownPaths(collection, include).map(sourcePath)
  return (source) => {
    const shown = left.reduce(removeAt, projectDocument(source, projection))
    return Object.fromEntries(Object.entries(flatten(shown)).filter(isValue))
  }
}

function unshownPaths({ schema, reference }: OpenCollection, include: string): readonly string[] {
  const asked = compilePatterns(include)
  const { id_path, geometry_path, centroid_path, timestamp_path } = reference.params
  const paths = [id_path, geometry_path, centroid_path, timestamp_path].filter((path) => !asked.selects(path))
  const shapes = schema.fields.filter(({ type }) => type === 'GEO_SHAPE').map(({ path }) => path)
  return [...new Set([...paths, ...shapes])]
}

const isValue = (entry: [string, Json]): entry is [string, TileValue] =>
  typeof entry[1] === 'string' || typeof entry[1] === 'number' || typeof entry[1] === 'boolean'
