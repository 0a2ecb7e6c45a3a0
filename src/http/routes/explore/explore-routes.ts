import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countDocuments } from '../../../explore/count.ts'
import { describeCollection, listCollections } from '../../../explore/describe.ts'
import { readDocument } from '../../../explore/document.ts'
import { type ExportFormat, type ExportOptions, exportDocuments } from '../../../explore/export.ts'
import { printFoundFeatures, searchFeatures, type Tile } from '../../../explore/geosearch.ts'
import { getLinks, postLinks } from '../../../explore/links.ts'
import type { Operation } from '../../../explore/operation.ts'
import { type MakeLinks, printFoundHits, searchHits } from '../../../explore/search.ts'
import { exportShapefiles } from '../../../explore/shapefile.ts'
import { ATOM_TYPE, printFeed } from '../../../formats/xml/atom-feed.ts'
import type { FeatureCollection } from '../../../model/answer/responses.ts'
import type { PrintedJson } from '../../../model/json/printed-json.ts'
import type { Search } from '../../../model/search.ts'
import { answerUnchanged } from '../../answer/recent-tags.ts'
import { sendArchive } from '../../answer/send-archive.ts'
import { sendJson } from '../../answer/send-json.ts'
import { sendStream } from '../../answer/send-stream.ts'
import { sendXml } from '../../answer/send-xml.ts'
import { callerAccess, requestSignal } from '../../request/caller.ts'
import { liftTimeLimit } from '../../request/request-lifetime.ts'
import { requestUrl } from '../../request/request-url.ts'
import { attach, chooseFormat, type FormatName, formats } from '../../request/response-format.ts'
import type { Services } from '../../services.ts'
import { beginOperation } from '../begin-operation.ts'
import { type AnswerForm, readAnswerForm, readCount, readFlat, readSearch, readSpreadsheet } from './explore-request.ts'
import * as schemas from './explore-schemas.ts'
import { liveRoute } from './live-route.ts'
import { type NamedTile, readTile } from './tile-request.ts'

interface Named {
  Params: { readonly collection: string }
}
interface NamedDocument {
  Params: { readonly collection: string; readonly identifier: string }
}

/** The handler negotiates the media type. POST only carries the request in its body. */
const negotiated = { produces: [], readOnly: true }

const FILES = ['geojsonl', 'csv', 'geoparquet', 'flatgeobuf', 'shapefile'] as const satisfies readonly FileFormat[]
const FILE_FORMATS = ['json', ...FILES] as const

type FileFormat = ExportFormat | 'shapefile'

const isFile = (format: FormatName): format is FileFormat => FILES.some((name) => name === format)

/** The features of a page, printed if they are sent as they are stored. */
const foundFeatures = (
  search: Search,
  operation: Operation,
  { flat, form, tile }: { readonly flat: boolean; readonly form: AnswerForm; readonly tile?: Tile },
): Promise<FeatureCollection | PrintedJson> =>
  flat || form.pretty ? searchFeatures(search, operation, { flat, tile }) : printFoundFeatures(search, operation, tile)

/** Routes that list, describe, search, count and read documents (spec 5). GET and POST share their handlers. */
export function exploreRoutes(app: FastifyInstance, services: Services): void {
  const { limits } = services.settings
  answerUnchanged(app, services)
  const begin = (request: FastifyRequest<Named>): Promise<Operation> =>
    beginOperation(services, request, request.params.collection)

  app.get('/explore/_list', { schema: schemas.list }, async (request, reply) => {
    const form = readAnswerForm(request)
    const descriptions = await listCollections(services, callerAccess(request), requestSignal(request))
    return sendJson(request, reply, descriptions, form)
  })

  app.get<Named>('/explore/:collection/_describe', { schema: schemas.describe }, async (request, reply) => {
    const { collection } = await begin(request)
    return sendJson(request, reply, describeCollection(collection), readAnswerForm(request))
  })

  app.get<Named>('/explore/:collection/_search', { schema: schemas.search, config: negotiated }, search)
  app.post<Named>('/explore/:collection/_search', { schema: schemas.searchPost, config: negotiated }, search)

  async function search(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const format = chooseFormat(request, reply, request.method === 'POST' ? FILE_FORMATS : ['json', 'atom', ...FILES])
    const operation = await begin(request)
    const { value, flat, form } = readSearch(request, limits)
    if (isFile(format)) {
      return sendExport(request, reply, operation, { search: value, format, flat, placedOnly: false, form })
    }
    const address = requestUrl(request, services.settings)
    const links: MakeLinks = (place, cursors) =>
      operation.origin === 'body' ? postLinks(address, value, place, cursors) : getLinks(address, cursors)
    if (format === 'json' && !flat && !form.pretty) {
      return sendJson(request, reply, await printFoundHits(value, operation, links), form)
    }
    const { hits, page } = await searchHits(value, operation, { flat: flat && format === 'json', links })
    if (format === 'json') return sendJson(request, reply, hits, form)
    const { size, from } = page
    const { reference } = operation.collection
    const { base } = address
    const feed = printFeed(hits, { reference, base, size, from, flat, pretty: form.pretty, now: operation.now })
    return sendXml(request, reply, feed, ATOM_TYPE, form)
  }

  app.get<Named>('/explore/:collection/_geosearch', { schema: schemas.geosearch, config: negotiated }, geosearch)
  app.post<Named>('/explore/:collection/_geosearch', { schema: schemas.geosearchPost, config: negotiated }, geosearch)

  async function geosearch(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const format = chooseFormat(request, reply, FILE_FORMATS)
    const operation = await begin(request)
    const { value, flat, form } = readSearch(request, limits)
    if (format !== 'json') {
      return sendExport(request, reply, operation, { search: value, format, flat, placedOnly: true, form })
    }
    return sendJson(request, reply, await foundFeatures(value, operation, { flat, form }), form)
  }

  app.get<NamedTile>(
    '/explore/:collection/_geosearch/:z/:x/:y',
    { schema: schemas.geosearchTile },
    async (request, reply) => {
      const operation = await begin(request)
      const tile = readTile(request.params)
      const { value, flat, form } = readSearch(request, limits)
      return sendJson(request, reply, await foundFeatures(value, operation, { flat, form, tile }), form)
    },
  )

  app.get<Named>('/explore/:collection/_count', { schema: schemas.count }, count)
  app.post<Named>('/explore/:collection/_count', { schema: schemas.countPost, config: { readOnly: true } }, count)

  async function count(request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> {
    const operation = await begin(request)
    const { value, form } = readCount(request)
    return sendJson(request, reply, await countDocuments(value, operation), form)
  }

  if (services.live !== undefined) liveRoute(app, services.live, begin)

  app.get<NamedDocument>('/explore/:collection/:identifier', { schema: schemas.document }, async (request, reply) => {
    const operation = await begin(request)
    const form = readAnswerForm(request)
    const hit = await readDocument(request.params.identifier, operation, readFlat(request))
    return sendJson(request, reply, hit, form)
  })
}

interface Export extends Omit<ExportOptions, 'format' | 'spreadsheet'> {
  readonly search: Search
  readonly format: FileFormat
  readonly form: AnswerForm
}

/** Sends documents as a file. Streamed while it is generated, except a zip, which is completed first. */
async function sendExport(
  request: FastifyRequest<Named>,
  reply: FastifyReply,
  operation: Operation,
  { search, format, form: { maxAge }, ...options }: Export,
): Promise<FastifyReply> {
  const name = request.params.collection
  const spreadsheet = readSpreadsheet(request)
  if (format === 'shapefile') {
    liftTimeLimit(request)
    return sendArchive(request, reply, await exportShapefiles(search, operation), { name, maxAge })
  }
  const { type, extension } = formats[format]
  const pieces = exportDocuments(search, operation, { format, spreadsheet, ...options })
  if (maxAge !== undefined) reply.header('cache-control', `no-transform, max-age=${maxAge}`)
  attach(reply, name, extension)
  return sendStream(request, reply.type(type), pieces)
}
