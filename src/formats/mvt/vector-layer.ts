import { PbfWriter } from 'pbf'
import { geometryCommands } from './geometry-commands.ts'
import { EXTENT, type TileGeometry } from './tile-geometry.ts'

export type TileValue = string | number | boolean

interface EncodedFeature {
  readonly type: number
  readonly tags: number[]
  readonly geometry: number[]
}

/** Field numbers and constants of Mapbox Vector Tile 2.1. */
const geometryTypes: Readonly<Record<TileGeometry['kind'], number>> = { points: 1, lines: 2, polygons: 3 }
const VERSION = 2
const tags = {
  tile: { layers: 3 },
  layer: { name: 1, features: 2, keys: 3, values: 4, extent: 5, version: 15 },
  feature: { tags: 2, type: 3, geometry: 4 },
  value: { string: 1, double: 3, uint: 5, sint: 6, bool: 7 },
} as const

/** A layer of a vector tile; repeated keys and values are stored once. */
export class VectorLayer {
  readonly name: string
  readonly #keys = new Map<string, number>()
  readonly #values = new Map<TileValue, number>()
  readonly #features: EncodedFeature[] = []

  constructor(name: string) {
    this.name = name
  }

  get size(): number {
    return this.#features.length
  }

  add(geometry: TileGeometry, properties: Readonly<Record<string, TileValue>>): void {
    const pairs = Object.entries(properties).flatMap(([key, value]) => [
      placeIn(this.#keys, key),
      placeIn(this.#values, value),
    ])
    this.#features.push({ type: geometryTypes[geometry.kind], tags: pairs, geometry: geometryCommands(geometry) })
  }

  write(writer: PbfWriter): void {
    writer.writeVarintField(tags.layer.version, VERSION)
    writer.writeStringField(tags.layer.name, this.name)
    writer.writeVarintField(tags.layer.extent, EXTENT)
    for (const feature of this.#features) writer.writeMessage(tags.layer.features, writeFeature, feature)
    for (const key of this.#keys.keys()) writer.writeStringField(tags.layer.keys, key)
    for (const value of this.#values.keys()) writer.writeMessage(tags.layer.values, writeValue, value)
  }
}

/** Encodes the layers that have features as a tile; undefined if all are empty. */
export function encodeTile(layers: readonly VectorLayer[]): Buffer | undefined {
  const filled = layers.filter((layer) => layer.size > 0)
  if (filled.length === 0) return undefined
  const writer = new PbfWriter()
  for (const layer of filled) writer.writeMessage(tags.tile.layers, (each, to) => each.write(to), layer)
  return Buffer.from(writer.finish())
}

function placeIn<T>(places: Map<T, number>, item: T): number {
  let place = places.get(item)
  if (place === undefined) {
    place = places.size
    places.set(item, place)
  }
  return place
}

function writeFeature({ type, tags: pairs, geometry }: EncodedFeature, writer: PbfWriter): void {
  writer.writePackedVarint(tags.feature.tags, pairs)
  writer.writeVarintField(tags.feature.type, type)
  writer.writePackedVarint(tags.feature.geometry, geometry)
}

/** Writes integers as varints, which are shorter than a double. */
function writeValue(value: TileValue, writer: PbfWriter): void {
  if (typeof value === 'string') writer.writeStringField(tags.value.string, value)
  else if (typeof value === 'boolean') writer.writeBooleanField(tags.value.bool, value)
  else if (!Number.isSafeInteger(value)) writer.writeDoubleField(tags.value.double, value)
  else if (value < 0) writer.writeSVarintField(tags.value.sint, value)
  else writer.writeVarintField(tags.value.uint, value)
}
