import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeTiles } from '../../../explore/tile/tilejson.ts'
import { makeVectorTile } from '../../../explore/tile/vector-tile.ts'
import { strongTag } from '../../answer/entity-tag.ts'
import { sendJson, sendTagged } from '../../answer/send-json.ts'
import { preferredType } from '../../request/accept.ts'
import { requestUrl } from '../../request/request-url.ts'
import { varyByAccept } from '../../request/response-format.ts'
import type { Services } from '../../services.ts'
import { beginOperation } from '../begin-operation.ts'
import { type AnswerForm, readAnswerForm } from './explore-request.ts'
import { type NamedTile, readTile } from './tile-request.ts'
import { readVectorTile, vectorTileParameters } from './vector-tile-request.ts'
import * as schemas from './vector-tile-schemas.ts'

interface Named {
  Params: { readonly collection: string }
}

/** The registered media type, and the one requested by many clients. */
const TYPES = ['application/vnd.mapbox-vector-tile', 'application/x-protobuf'] as const

/** Vector tiles of the matching documents, and their TileJSON document. */
export function vectorTileRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services

  app.get<NamedTile>(
    '/explore/:collection/_mvt/:z/:x/:y.mvt',
    { schema: schemas.vectorTile, config: { produces: TYPES } },
    async (request, reply) => {
      const operation = await beginOperation(services, request, request.params.collection)
      const form = readAnswerForm(request)
      const tile = readTile(request.params)
      const { value, bounded } = readVectorTile(request, operation, settings)
      return sendTile(request, reply, await makeVectorTile(value, bounded, tile), form)
    },
  )

  app.get<Named>('/explore/:collection/_mvt', { schema: schemas.tileJson }, async (request, reply) => {
    const operation = await beginOperation(services, request, request.params.collection)
    const form = readAnswerForm(request)
    const { value, bounded } = readVectorTile(request, operation, settings)
    const { base, path, query } = requestUrl(request, settings)
    const template = `${plain(`${base}${path}`)}/{z}/{x}/{y}.mvt${keptQuery(query)}`
    return sendJson(request, reply, await describeTiles(value, bounded, template), form)
  })
}

/** Returns the tile parameters of a query, unparsed. */
function keptQuery(query: string): string {
  const kept = query.split('&').filter((part) => vectorTileParameters.has(nameOf(part)))
  return kept.length === 0 ? '' : `?${plain(kept.join('&'))}`
}

const nameOf = (part: string): string =>
  decodeURIComponent((part.split('=', 1)[0] ?? '').replaceAll('+', ' ')).toLowerCase()

/** Escapes braces, which would be read as placeholders of the URL template. */
const plain = (text: string): string => text.replaceAll('{', '%7B').replaceAll('}', '%7D')

/** Sends a tile, or an answer without body if it is empty; map clients understand both. */
function sendTile(
  request: FastifyRequest,
  reply: FastifyReply,
  tile: Buffer | undefined,
  { maxAge }: AnswerForm,
): FastifyReply {
  varyByAccept(reply)
  if (maxAge !== undefined) reply.header('cache-control', `no-transform, max-age=${maxAge}`)
  if (tile === undefined) return reply.code(204).send()
  const type = preferredType(request.headers.accept, TYPES) ?? TYPES[0]
  return sendTagged(request, reply.type(type), tile, () => strongTag(tile))
}
