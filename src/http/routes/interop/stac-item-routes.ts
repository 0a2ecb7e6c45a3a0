import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../explore/operation.ts'
import { GEOJSON_MEDIA, JSON_MEDIA, linksJson, type WebLink, withParameters } from '../../../interop/link.ts'
import { stacCollectionUrl } from '../../../interop/stac/item.ts'
import { type ItemSearch, searched } from '../../../interop/stac/item-search.ts'
import { findStacItem, searchItems } from '../../../interop/stac/search-items.ts'
import { sendJson } from '../../answer/send-json.ts'
import { requestSignal } from '../../request/caller.ts'
import { requestUrl } from '../../request/request-url.ts'
import type { Services } from '../../services.ts'
import { beginInterop, checkKnownParameters, chooseInteropFormat } from './begin-interop.ts'
import { openCollections } from './open-collections.ts'
import { readSearchBody, readSearchParameters } from './stac-parameters.ts'
import { otherParameters } from './stac-routes.ts'
import * as schemas from './stac-schemas.ts'

interface Named {
  Params: { readonly collection: string }
}
interface NamedItem {
  Params: { readonly collection: string; readonly identifier: string }
}

const geojson = { name: 'json', type: GEOJSON_MEDIA }
const negotiated = { produces: [] }

/** Items of a collection, and search over collections (STAC API). */
export function stacItemRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services
  const { limits } = settings

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    search: ItemSearch,
    operations: readonly Operation[],
    more: readonly WebLink[],
  ): Promise<FastifyReply> {
    const { base, path, query } = requestUrl(request, settings)
    const { items, matched, next } = await searchItems(search, operations.map(searched), base, requestSignal(request))
    const url = `${base}${path}`
    const links: readonly WebLink[] = [
      { href: query === '' ? url : `${url}?${query}`, rel: 'self', type: GEOJSON_MEDIA },
      { href: `${base}/stac`, rel: 'root', type: JSON_MEDIA },
      ...more,
      ...(next === undefined ? [] : [nextLink(request, url, query, next)]),
    ]
    const body = {
      type: 'FeatureCollection',
      timeStamp: new Date(services.now()).toISOString(),
      numberMatched: matched,
      numberReturned: items.length,
      context: { returned: items.length, limit: search.limit, matched },
      links: linksJson(links),
      features: items,
    }
    return sendJson(request, reply, body, { type: GEOJSON_MEDIA })
  }

  app.get('/stac/search', { schema: schemas.search, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [geojson])
    const search = readSearchParameters(request, limits)
    return answer(request, reply, search, await openCollections(services, request, search.collections), [])
  })

  app.post(
    '/stac/search',
    { schema: schemas.searchPost, config: { produces: [], readOnly: true } },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [geojson])
      const search = readSearchBody(request, limits)
      return answer(request, reply, search, await openCollections(services, request, search.collections), [])
    },
  )

  app.get<Named>(
    '/stac/collections/:collection/items',
    { schema: schemas.itemList, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [geojson])
      const { collection } = request.params
      const operation = await beginInterop(services, request, collection)
      const search = readSearchParameters(request, limits, collection)
      const url = stacCollectionUrl(requestUrl(request, settings).base, collection)
      const links: readonly WebLink[] = [
        { href: url, rel: 'parent', type: JSON_MEDIA },
        { href: url, rel: 'collection', type: JSON_MEDIA },
      ]
      const operations = search.collections?.length === 0 ? [] : [operation]
      return answer(request, reply, search, operations, links)
    },
  )

  app.get<NamedItem>(
    '/stac/collections/:collection/items/:identifier',
    { schema: schemas.item, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [geojson])
      const operation = await beginInterop(services, request, request.params.collection)
      checkKnownParameters(request, [])
      const { base } = requestUrl(request, settings)
      const item = await findStacItem(request.params.identifier, searched(operation), base)
      return sendJson(request, reply, item, { type: GEOJSON_MEDIA })
    },
  )
}

/** A link to the next page. For a POST it has what to change in the body. */
function nextLink(request: FastifyRequest, url: string, query: string, token: string): WebLink {
  if (request.method === 'POST') {
    return { href: url, rel: 'next', type: GEOJSON_MEDIA, method: 'POST', body: { token }, merge: true }
  }
  const href = withParameters(url, [...otherParameters(query), ['token', token]])
  return { href, rel: 'next', type: GEOJSON_MEDIA, method: 'GET' }
}
