import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ExportFormat, exportDocuments } from '../../../explore/export.ts'
import type { Operation } from '../../../explore/operation.ts'
import { GEOJSON_MEDIA, HTML_MEDIA, JSON_MEDIA, type WebLink, withParameters } from '../../../interop/link.ts'
import { collectionUrl } from '../../../interop/ogc/collection-document.ts'
import type { Crs } from '../../../interop/ogc/crs.ts'
import { findItem, findItems } from '../../../interop/ogc/find-items.ts'
import { FORMATS } from '../../../interop/ogc/item-formats.ts'
import { sendJson } from '../../answer/send-json.ts'
import { sendStream } from '../../answer/send-stream.ts'
import { requestUrl } from '../../request/request-url.ts'
import { attach } from '../../request/response-format.ts'
import type { Services } from '../../services.ts'
import { beginInterop, chooseInteropFormat } from './begin-interop.ts'
import { type ItemsParameters, readItemParameters, readItemsParameters } from './ogc-parameters.ts'
import * as schemas from './ogc-schemas.ts'

interface Named {
  Params: { readonly collection: string }
}
interface NamedItem {
  Params: { readonly collection: string; readonly identifier: string }
}

const [geojson] = FORMATS
const negotiated = { produces: [] }

/** Features of a collection (OGC API Features), also as files. */
export function ogcItemRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services
  const { limits } = settings

  app.get<Named>(
    '/ogc/collections/:collection/items',
    { schema: schemas.items, config: negotiated },
    async (request, reply) => {
      const format = chooseInteropFormat(request, reply, FORMATS)
      const operation = await beginInterop(services, request, request.params.collection)
      const parameters = readItemsParameters(request, operation.collection, limits)
      if (format.file !== undefined) {
        attach(reply, request.params.collection, format.extension)
        return sendStream(request, reply.type(format.type), fileOf(parameters, format.file, operation))
      }
      const page = await findItems(parameters, operation)
      const { base, path, query } = requestUrl(request, settings)
      const other = (token: string): string =>
        withParameters(`${base}${path}`, [
          ...[...new URLSearchParams(`&${query}`)].filter(([name]) => name.toLowerCase() !== 'token'),
          ['token', token],
        ])
      const links: readonly WebLink[] = [
        { href: `${base}${path}${query === '' ? '' : `?${query}`}`, rel: 'self', type: GEOJSON_MEDIA },
        ...(page.next === undefined ? [] : [{ href: other(page.next), rel: 'next', type: GEOJSON_MEDIA }]),
        ...(page.prev === undefined ? [] : [{ href: other(page.prev), rel: 'prev', type: GEOJSON_MEDIA }]),
        { href: collectionUrl(base, request.params.collection), rel: 'collection', type: JSON_MEDIA },
      ]
      const body = {
        type: 'FeatureCollection',
        numberMatched: page.matched,
        numberReturned: page.features.length,
        timeStamp: new Date(operation.now).toISOString(),
        links,
        features: page.features,
      }
      return sendJson(request, withCrs(reply, parameters.form.crs), body, { type: GEOJSON_MEDIA })
    },
  )

  app.get<NamedItem>(
    '/ogc/collections/:collection/items/:identifier',
    { schema: schemas.item, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [geojson])
      const { collection, identifier } = request.params
      const operation = await beginInterop(services, request, collection)
      const form = readItemParameters(request, operation.collection)
      const feature = await findItem(identifier, operation, form)
      const { base, path } = requestUrl(request, settings)
      const links: readonly WebLink[] = [
        { href: `${base}${path}`, rel: 'self', type: GEOJSON_MEDIA },
        { href: collectionUrl(base, collection), rel: 'collection', type: JSON_MEDIA },
        { href: `${base}/?collection=${encodeURIComponent(collection)}`, rel: 'alternate', type: HTML_MEDIA },
      ]
      return sendJson(request, withCrs(reply, form.crs), { ...feature, links }, { type: GEOJSON_MEDIA })
    },
  )
}

/** A file of exploration with the filters of this request. Without `limit` it contains all matching documents. */
function fileOf(
  { filter, form, limit, isLimited, sort }: ItemsParameters,
  format: ExportFormat,
  operation: Operation,
): AsyncIterable<string | Uint8Array> {
  const page = { ...(isLimited ? { size: limit } : {}), ...(sort === undefined ? {} : { sort }) }
  const includes = form.properties?.map(({ path }) => path).join(',')
  const search = {
    ...(filter === undefined ? {} : { filter: { cql2: filter } }),
    page,
    ...(includes === undefined ? {} : { projection: { includes } }),
  }
  const bounded = { ...operation, limits: { ...operation.limits, size: Math.max(limit, operation.limits.size) } }
  return exportDocuments(search, bounded, { format, flat: false, placedOnly: false, spreadsheet: false })
}

const withCrs = (reply: FastifyReply, { uri }: Crs): FastifyReply => reply.header('content-crs', `<${uri}>`)
