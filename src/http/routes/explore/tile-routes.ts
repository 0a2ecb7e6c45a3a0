import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../explore/operation.ts'
import { composeTile } from '../../../explore/tile/mosaic-tile.ts'
import { drawTile } from '../../../explore/tile/tile.ts'
import { UpstreamImages } from '../../../explore/tile/upstream-images.ts'
import type { RasterTileURL } from '../../../model/collection.ts'
import { strongTag } from '../../answer/entity-tag.ts'
import { sendTagged } from '../../answer/send-json.ts'
import { readParameters } from '../../request/parameters.ts'
import type { Services } from '../../services.ts'
import { beginOperation } from '../begin-operation.ts'
import { type AnswerForm, readAnswerForm } from './explore-request.ts'
import * as schemas from './file-schemas.ts'
import { type NamedTile, pageWithin, readTile, readZoom } from './tile-request.ts'

const PNG = 'image/png'
const DEFAULT_MAX_ZOOM = 18
const DEFAULT_CANDIDATES = 10
const DEFAULT_SAMPLING = 10
const DEFAULT_COVERAGE = 70

/** Image tiles: a mosaic of upstream images, or drawn from the documents (spec 6 of files). */
export function tileRoutes(app: FastifyInstance, services: Services): void {
  const { tiles } = services.settings
  const images = new UpstreamImages({
    hosts: tiles.upstreamHosts,
    timeoutMs: tiles.upstreamTimeoutMs,
    maxBytes: tiles.upstreamMaxBytes,
    cacheBytes: tiles.upstreamCacheBytes,
  })

  app.get<NamedTile>(
    '/explore/:collection/_tile/:z/:x/:y.png',
    { schema: schemas.tile, config: { produces: [PNG] } },
    async (request, reply) => {
      const operation = await beginOperation(services, request, request.params.collection)
      const { raster_tile_url: source } = operation.collection.reference.params
      const form = readAnswerForm(request)
      const picture =
        source === undefined || source.url === ''
          ? await draw(request, operation)
          : await compose(request, operation, source)
      return sendPicture(request, reply, picture, form)
    },
  )

  function draw(request: FastifyRequest<NamedTile>, operation: Operation): Promise<Buffer | undefined> {
    const tile = readTile(request.params)
    readMosaicForm(request)
    const limit = { max: tiles.maxElements, setting: 'tiles.maxElements' }
    const { search, bounded } = pageWithin(request, operation, limit, tiles.maxElements)
    return drawTile(search, bounded, { tile, color: tiles.color })
  }

  async function compose(
    request: FastifyRequest<NamedTile>,
    operation: Operation,
    source: RasterTileURL,
  ): Promise<Buffer | undefined> {
    const z = readZoom(request.params)
    const form = readMosaicForm(request)
    const limit = { max: tiles.maxCandidates, setting: 'tiles.maxCandidates' }
    const { search, bounded } = pageWithin(request, operation, limit, DEFAULT_CANDIDATES)
    if (z < (source.min_z ?? 0) || z > (source.max_z ?? DEFAULT_MAX_ZOOM)) return undefined
    return composeTile(search, bounded, { tile: readTile(request.params), source, images, ...form })
  }
}

function readMosaicForm(request: FastifyRequest): { readonly sampling: number; readonly coverage: number } {
  const parameters = readParameters(request)
  return {
    sampling: parameters.integer('sampling', { min: 1 }) ?? DEFAULT_SAMPLING,
    coverage: parameters.integer('coverage', { min: 1, max: 100 }) ?? DEFAULT_COVERAGE,
  }
}

/** Sends an image, or an answer without body if the tile is empty. */
function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  picture: Buffer | undefined,
  { maxAge }: AnswerForm,
): FastifyReply {
  if (maxAge !== undefined) reply.header('cache-control', `no-transform, max-age=${maxAge}`)
  if (picture === undefined) return reply.code(204).send()
  return sendTagged(request, reply.type(PNG), picture, () => strongTag(picture))
}
