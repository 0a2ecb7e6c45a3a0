import type { OpenCollection } from '../../collections/open-collection.ts'
import { problem } from '../../errors.ts'
import { MOST_PIXELS, Mosaic, type Pixels } from '../../formats/tile/mosaic.ts'
import type { TilePlace } from '../../formats/tile/tile-projection.ts'
import { tileBounds } from '../../geo/grid/tile.ts'
import type { RasterTileURL } from '../../model/collection.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { Search } from '../../model/search.ts'
import { readFirstAt, sourcePath } from '../../model/source-path.ts'
import { not, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import { findDocuments } from '../find-documents.ts'
import type { Operation } from '../operation.ts'
import { meets, placeField } from './tile-selection.ts'
import type { UpstreamImages } from './upstream-images.ts'

interface MosaicOptions {
  readonly tile: TilePlace
  readonly source: RasterTileURL
  readonly images: UpstreamImages
  /** Sampling distance in pixels, in both directions, to measure the coverage. */
  readonly sampling: number
  /** Sufficient coverage. Percent. */
  readonly coverage: number
}

/** Number of images prefetched before it is known whether they are needed. */
const AHEAD = 3

/**
 * Composes upstream images of the matching documents, the first on top (spec 6.1 of files); undefined without
 * candidates.
 */
export async function composeTile(
  request: Search,
  operation: Operation,
  options: MosaicOptions,
): Promise<Buffer | undefined> {
  const { collection } = operation
  const also = (): Predicate => candidatePredicate(collection, options)
  const { result } = await findDocuments(request, operation, { wantsTotal: false, also })
  if (result.hits.length === 0) return undefined
  const idPath = sourcePath(options.source.id_path ?? collection.reference.params.id_path)
  const addresses = result.hits.flatMap(({ source }) => addressOf(source, idPath, options) ?? [])
  const rest = new AbortController()
  const signal = AbortSignal.any([operation.signal, rest.signal])
  try {
    const mosaic = await compose(addresses, canvasSize(collection), signal, options)
    operation.signal.throwIfAborted()
    if (mosaic !== undefined) return await mosaic.toPng()
    const reason = `No image of this tile could be fetched; failed candidates: ${addresses.length}`
    throw problem('UPSTREAM_FAILED', { reason })
  } finally {
    rest.abort()
  }
}

async function compose(
  addresses: readonly string[],
  size: { readonly width: number; readonly height: number } | undefined,
  signal: AbortSignal,
  { images, sampling, coverage }: MosaicOptions,
): Promise<Mosaic | undefined> {
  // Skip candidates whose image cannot be fetched.
  const fetchOne = (address: string): Promise<Pixels | undefined> =>
    leavesItsPath(address) ? Promise.resolve(undefined) : images.fetch(address, signal).catch(() => undefined)
  const underway = addresses.slice(0, AHEAD).map(fetchOne)
  let mosaic: Mosaic | undefined
  for (let i = 0; i < addresses.length; i++) {
    const image = await underway[i]
    if (signal.aborted) return undefined
    if (image !== undefined) {
      mosaic ??= new Mosaic(size?.width ?? image.width, size?.height ?? image.height)
      mosaic.layUnder(image)
      if (mosaic.painted(sampling) >= coverage) return mosaic
    }
    const next = addresses[i + AHEAD]
    if (next !== undefined) underway.push(fetchOne(next))
  }
  return mosaic
}

/** True if an id of dots would name a parent directory; escaping cannot prevent that. */
const leavesItsPath = (address: string): boolean => /\/\.\.?(?:[/?#]|$)/.test(address)

function canvasSize({ reference }: OpenCollection): { width: number; height: number } | undefined {
  const { raster_tile_width: width = -1, raster_tile_height: height = -1 } = reference.params
  if (width <= 0 || height <= 0) return undefined
  if (width * height <= MOST_PIXELS) return { width, height }
  const reason = `times raster_tile_height must be at most ${MOST_PIXELS} pixels`
  throw problem('INVALID_PARAMETER', { parameter: 'raster_tile_width', value: `${width} x ${height}`, reason })
}

function candidatePredicate(collection: OpenCollection, { tile, source }: MosaicOptions): Predicate {
  const field = placeField(collection, collection.reference.params.geometry_path)
  const isChecked = source.check_geometry === true
  if (field === undefined) return isChecked ? nothing : { kind: 'everything' }
  const inTile = meets(field, [tileBounds(tile.z, tile.x, tile.y)])
  return isChecked ? inTile : or([inTile, not({ kind: 'exists', field })])
}

/** Returns the URL of the image of a document. The id is escaped as one path segment. */
function addressOf(
  source: JsonObject,
  idPath: ReturnType<typeof sourcePath>,
  { tile, source: { url } }: MosaicOptions,
): string | undefined {
  const id = readFirstAt(source, idPath, firstText)
  if (id === undefined) return undefined
  const parts = { id: encodeURIComponent(id.toWellFormed()), x: String(tile.x), y: String(tile.y), z: String(tile.z) }
  return url.replace(/\{(id|x|y|z)\}/g, (_, name: keyof typeof parts) => parts[name])
}

function firstText(value: Json): string | undefined {
  if (Array.isArray(value)) return value.map(firstText).find((text) => text !== undefined)
  return value === null || typeof value === 'object' ? undefined : String(value)
}
