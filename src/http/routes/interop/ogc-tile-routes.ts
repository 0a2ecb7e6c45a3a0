import type { FastifyInstance } from 'fastify'
import { problem } from '../../../errors.ts'
import { drawTile } from '../../../explore/tile/tile.ts'
import { makeVectorTile } from '../../../explore/tile/vector-tile.ts'
import { JSON_MEDIA, MVT_MEDIA, PNG_MEDIA } from '../../../interop/link.ts'
import { DEEPEST_MATRIX, tileMatrixSets, tileSet, tileSets, webMercatorQuad } from '../../../interop/ogc/tile-sets.ts'
import type { Search } from '../../../model/search.ts'
import { strongTag } from '../../answer/entity-tag.ts'
import { sendJson, sendTagged } from '../../answer/send-json.ts'
import { requestUrl } from '../../request/request-url.ts'
import type { Services } from '../../services.ts'
import { beginInterop, checkKnownParameters, chooseInteropFormat } from './begin-interop.ts'
import { readTileParameters } from './ogc-parameters.ts'
import * as schemas from './ogc-schemas.ts'

interface Named {
  Params: { readonly collection: string }
}
interface NamedTile {
  Params: {
    readonly collection: string
    readonly tileMatrix: string
    readonly tileRow: string
    readonly tileCol: string
  }
}

const json = { name: 'json', type: JSON_MEDIA } as const
const mvt = { name: 'mvt', type: MVT_MEDIA }
const png = { name: 'png', type: PNG_MEDIA }
const negotiated = { produces: [] }

/** Tiles of collections (OGC API Tiles). */
export function ogcTileRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services
  const { tiles, limits } = settings

  app.get('/ogc/tileMatrixSets', { schema: schemas.tileMatrixSets, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [json])
    checkKnownParameters(request, [])
    return sendJson(request, reply, tileMatrixSets(requestUrl(request, settings).base))
  })

  app.get(
    '/ogc/tileMatrixSets/WebMercatorQuad',
    { schema: schemas.tileMatrixSet, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [json])
      checkKnownParameters(request, [])
      return sendJson(request, reply, webMercatorQuad)
    },
  )

  for (const [path, schema, describe] of [
    ['tiles', schemas.tileSets, tileSets],
    ['tiles/WebMercatorQuad', schemas.tileSet, tileSet],
  ] as const) {
    app.get<Named>(`/ogc/collections/:collection/${path}`, { schema, config: negotiated }, async (request, reply) => {
      chooseInteropFormat(request, reply, [json])
      const { collection } = await beginInterop(services, request, request.params.collection)
      checkKnownParameters(request, [])
      return sendJson(request, reply, describe(collection, requestUrl(request, settings).base))
    })
  }

  app.get<NamedTile>(
    '/ogc/collections/:collection/tiles/WebMercatorQuad/:tileMatrix/:tileRow/:tileCol',
    { schema: schemas.tile, config: negotiated },
    async (request, reply) => {
      const { name, type } = chooseInteropFormat(request, reply, [mvt, png])
      const operation = await beginInterop(services, request, request.params.collection)
      const { filter, properties } = readTileParameters(request, operation.collection, limits)
      const tile = readMatrixTile(request.params)
      const search: Search = {
        ...(filter === undefined ? {} : { filter: { cql2: filter } }),
        page: { size: tiles.maxElements },
        ...(properties.length === 0 ? {} : { projection: { includes: properties.join(',') } }),
      }
      const bounded = { ...operation, limits: { ...limits, size: Math.max(limits.size, tiles.maxElements) } }
      const bytes =
        name === 'png'
          ? await drawTile(search, bounded, { tile, color: tiles.color })
          : await makeVectorTile({ search, layers: ['hits'], cells: { interval: 0, form: 'polygons' } }, bounded, tile)
      if (bytes === undefined) return reply.code(204).send()
      return sendTagged(request, reply.type(type), bytes, () => strongTag(bytes))
    },
  )
}

/** Row before column. A place outside of the matrix does not exist. */
function readMatrixTile({ tileMatrix, tileRow, tileCol }: NamedTile['Params']) {
  const [z, y, x] = [tileMatrix, tileRow, tileCol].map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN))
  const isInside = (place: number | undefined): place is number => place !== undefined && place < 2 ** (z ?? 0)
  if (z !== undefined && z <= DEEPEST_MATRIX && isInside(x) && isInside(y)) return { z, x, y }
  throw problem('ROUTE_NOT_FOUND', { name: `${tileMatrix}/${tileRow}/${tileCol}` })
}
