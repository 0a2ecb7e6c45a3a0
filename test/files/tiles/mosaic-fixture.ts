import { startTunedServer, type TunedServer } from '../../http/tuned-server.ts'
import { type Answer, call } from '../../support/http-client.ts'
import { createIndex, putCollection } from '../../support/index-loading.ts'
import { startUpstream, type Upstream } from '../upstream-server.ts'
import { type Picture, readPicture } from './picture.ts'

const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    image: { type: 'keyword' },
    rank: { type: 'integer' },
    at: { type: 'date' },
    where: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
  },
}

/** A shape that covers the tile of the tests. */
const OVER_TILE = {
  type: 'Polygon',
  coordinates: [
    [
      [-10, -10],
      [10, -10],
      [10, 10],
      [-10, 10],
      [-10, -10],
    ],
  ],
}

/** A tile that contains the documents. */
export const TILE = '10/512/511'

interface CollectionOptions {
  /** Options of `raster_tile_url`. */
  readonly source?: Readonly<Record<string, unknown>>
  readonly params?: Readonly<Record<string, unknown>>
}

/** An image as a document: the name of its upstream handler, or the whole document. */
type Candidate = string | Readonly<Record<string, unknown>>

export interface MosaicFixture {
  readonly server: TunedServer
  readonly upstream: Upstream
  /** Creates a collection with one document per image, ordered by `rank` and by id. Returns its name. */
  readonly collectionOf: (candidates: readonly Candidate[], options?: CollectionOptions) => Promise<string>
  readonly tile: (collection: string, query?: string, place?: string) => Promise<TileAnswer>
  readonly stop: () => Promise<void>
}

interface TileAnswer {
  readonly status: number
  readonly picture: () => Promise<Picture>
  readonly error: () => unknown
  readonly ms: number
}

export async function startMosaics(settings: Readonly<Record<string, string>> = {}): Promise<MosaicFixture> {
  const upstream = await startUpstream()
  const server = await startTunedServer({ 'tiles.upstreamHosts': upstream.host, ...settings })
  let made = 0
  return {
    server,
    upstream,
    collectionOf: async (candidates, { source = {}, params = {} } = {}) => {
      const name = `mosaic-${made++}`
      const lines = candidates.map((candidate, rank) => {
        const given = typeof candidate === 'string' ? { image: candidate } : candidate
        const document = { id: `c${String(rank).padStart(3, '0')}`, rank, at: rank, shape: OVER_TILE, ...given }
        return `{"index":{}}\n${JSON.stringify(document)}\n`
      })
      await createIndex(server.base, name, mapping, lines.join(''))
      await putCollection(server.base, name, {
        index_name: name,
        id_path: 'id',
        geometry_path: 'shape',
        centroid_path: 'where',
        timestamp_path: 'at',
        raster_tile_url: { url: `http://${upstream.host}/{id}/{z}/{x}/{y}.png`, id_path: 'image', ...source },
        ...params,
      })
      return name
    },
    tile: async (collection, query = '', place = TILE) => {
      const started = performance.now()
      const response = await fetch(`${server.base}/explore/${collection}/_tile/${place}.png?${query}`)
      const bytes = Buffer.from(await response.arrayBuffer())
      return {
        status: response.status,
        picture: () => readPicture(bytes),
        error: () => JSON.parse(bytes.toString('utf8')),
        ms: performance.now() - started,
      }
    },
    stop: async () => {
      await server.stop()
      await upstream.stop()
    },
  }
}

/** Returns the status of a path of the server. */
export const statusOf = (base: string, path: string): Promise<number> =>
  call(base, { path }).then(({ status }: Answer) => status)
