import type { FastifyInstance } from 'fastify'
import {
  HTML_MEDIA,
  JSON_MEDIA,
  linksJson,
  OPENAPI_MEDIA,
  SCHEMA_MEDIA,
  type WebLink,
  withParameters,
} from '../../../interop/link.ts'
import { collectionExtent } from '../../../interop/ogc/collection-extent.ts'
import { extentTest } from '../../../interop/stac/collection-search.ts'
import { collectionSummaries } from '../../../interop/stac/collection-summaries.ts'
import { stacConformance } from '../../../interop/stac/conformance.ts'
import { stacCollectionUrl } from '../../../interop/stac/item.ts'
import { stacLanding, stacLandingHtml } from '../../../interop/stac/landing.ts'
import { stacApi } from '../../../interop/stac/openapi.ts'
import { stacCollection } from '../../../interop/stac/stac-collection.ts'
import { collectionQueryables, commonQueryables } from '../../../interop/stac/stac-queryables.ts'
import { sendJson } from '../../answer/send-json.ts'
import { readParameters } from '../../request/parameters.ts'
import { requestUrl } from '../../request/request-url.ts'
import type { Services } from '../../services.ts'
import { beginInterop, checkKnownParameters, chooseInteropFormat } from './begin-interop.ts'
import { openCollections } from './open-collections.ts'
import * as schemas from './stac-schemas.ts'

interface Named {
  Params: { readonly collection: string }
}

const json = { name: 'json', type: JSON_MEDIA }
const html = { name: 'html', type: HTML_MEDIA }
const schemaForm = { name: 'json', type: SCHEMA_MEDIA } as const
/** The handlers negotiate the media type. */
const negotiated = { produces: [] }

/** Landing page, conformance, collections and queryables (STAC API). */
export function stacRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services
  const { limits } = settings

  app.get('/stac', { schema: schemas.landing, config: negotiated }, async (request, reply) => {
    const { name } = chooseInteropFormat(request, reply, [json, html])
    checkKnownParameters(request, [])
    const { base } = requestUrl(request, settings)
    const operations = await openCollections(services, request)
    const references = operations.map(({ collection }) => collection.reference)
    if (name === 'html') return reply.type('text/html;charset=utf-8').send(stacLandingHtml(base, references))
    return sendJson(request, reply, stacLanding(base, references))
  })

  app.get('/stac/conformance', { schema: schemas.conformance, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [json])
    checkKnownParameters(request, [])
    return sendJson(request, reply, { conformsTo: stacConformance })
  })

  app.get('/stac/api', { schema: schemas.api, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [{ name: 'json', type: 'application/vnd.oai.openapi+json' }])
    checkKnownParameters(request, [])
    const { base } = requestUrl(request, settings)
    return sendJson(request, reply, stacApi(base, limits, services.version), { type: OPENAPI_MEDIA })
  })

  app.get('/stac/queryables', { schema: schemas.commonQueryables, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [schemaForm])
    checkKnownParameters(request, [])
    const { base } = requestUrl(request, settings)
    const operations = await openCollections(services, request)
    const collections = operations.map(({ collection }) => collection)
    return sendJson(request, reply, commonQueryables(collections, `${base}/stac/queryables`), { type: SCHEMA_MEDIA })
  })

  app.get('/stac/collections', { schema: schemas.collectionList, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [json])
    checkKnownParameters(request, ['bbox', 'datetime', 'limit', 'token'])
    const parameters = readParameters(request)
    const [bbox, datetime, token] = [parameters.text('bbox'), parameters.text('datetime'), parameters.text('token')]
    const limit = parameters.integer('limit', { min: 1 })
    const isMeant = extentTest({ bbox, datetime })
    const { base, path, query } = requestUrl(request, settings)
    const described = (await openCollections(services, request)).map(async (operation) => ({
      operation,
      name: operation.collection.reference.collection_name,
      extent: await collectionExtent(operation),
    }))
    const found = (await Promise.all(described)).filter(({ extent }) => isMeant(extent))
    const rest = token === undefined ? found : found.filter(({ name }) => name > token)
    const sorted = rest.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const page = limit === undefined ? sorted : sorted.slice(0, limit)
    const collections = await Promise.all(
      page.map(async ({ operation, extent }) =>
        stacCollection(operation.collection, extent, await collectionSummaries(operation), base),
      ),
    )
    const url = `${base}${path}`
    const last = page.at(-1)
    const next: readonly WebLink[] =
      last === undefined || page.length === sorted.length
        ? []
        : [
            {
              href: withParameters(url, [...otherParameters(query), ['token', last.name]]),
              rel: 'next',
              type: JSON_MEDIA,
            },
          ]
    const links = linksJson([
      { href: query === '' ? url : `${url}?${query}`, rel: 'self', type: JSON_MEDIA, title: 'This document' },
      { href: `${base}/stac`, rel: 'root', type: JSON_MEDIA },
      { href: `${base}/stac`, rel: 'parent', type: JSON_MEDIA },
      ...next,
    ])
    const counts = { numberMatched: found.length, numberReturned: page.length }
    return sendJson(request, reply, { collections, links, ...counts })
  })

  app.get<Named>(
    '/stac/collections/:collection',
    { schema: schemas.collection, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [json])
      const operation = await beginInterop(services, request, request.params.collection)
      checkKnownParameters(request, [])
      const { base } = requestUrl(request, settings)
      const [extent, summaries] = await Promise.all([collectionExtent(operation), collectionSummaries(operation)])
      return sendJson(request, reply, stacCollection(operation.collection, extent, summaries, base))
    },
  )

  app.get<Named>(
    '/stac/collections/:collection/queryables',
    { schema: schemas.queryables, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [schemaForm])
      const { collection } = await beginInterop(services, request, request.params.collection)
      checkKnownParameters(request, [])
      const { base } = requestUrl(request, settings)
      const url = `${stacCollectionUrl(base, collection.reference.collection_name)}/queryables`
      return sendJson(request, reply, collectionQueryables(collection, url), { type: SCHEMA_MEDIA })
    },
  )
}

/** The parameters of a request besides `token`. */
export const otherParameters = (query: string): readonly (readonly [string, string])[] =>
  [...new URLSearchParams(`&${query}`)].filter(([name]) => name.toLowerCase() !== 'token')
