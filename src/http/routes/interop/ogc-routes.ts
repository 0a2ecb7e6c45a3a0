import type { FastifyInstance } from 'fastify'
import { HTML_MEDIA, JSON_MEDIA, OPENAPI_MEDIA, SCHEMA_MEDIA } from '../../../interop/link.ts'
import { collectionDocument, collectionUrl } from '../../../interop/ogc/collection-document.ts'
import { collectionExtent } from '../../../interop/ogc/collection-extent.ts'
import { ogcConformance } from '../../../interop/ogc/conformance.ts'
import { landingHtml, landingPage } from '../../../interop/ogc/landing.ts'
import { ogcApi } from '../../../interop/ogc/openapi.ts'
import { describeQueryables, describeSchema } from '../../../interop/ogc/queryables.ts'
import { sendJson } from '../../answer/send-json.ts'
import { requestUrl } from '../../request/request-url.ts'
import type { Services } from '../../services.ts'
import { beginInterop, checkKnownParameters, chooseInteropFormat } from './begin-interop.ts'
import * as schemas from './ogc-schemas.ts'
import { openCollections } from './open-collections.ts'

interface Named {
  Params: { readonly collection: string }
}

const json = { name: 'json', type: JSON_MEDIA }
const html = { name: 'html', type: HTML_MEDIA }
const schemaForm = { name: 'json', type: SCHEMA_MEDIA } as const
/** The handlers negotiate the media type. */
const negotiated = { produces: [] }

/** Landing page, conformance, collections and their schemas (OGC API Features). */
export function ogcRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services

  app.get('/ogc', { schema: schemas.landing, config: negotiated }, async (request, reply) => {
    const { name } = chooseInteropFormat(request, reply, [json, html])
    checkKnownParameters(request, [])
    const { base } = requestUrl(request, settings)
    if (name === 'html') return reply.type('text/html;charset=utf-8').send(landingHtml(base))
    return sendJson(request, reply, landingPage(base))
  })

  app.get('/ogc/conformance', { schema: schemas.conformance, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [json])
    checkKnownParameters(request, [])
    return sendJson(request, reply, { conformsTo: ogcConformance })
  })

  app.get('/ogc/api', { schema: schemas.api, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [{ name: 'json', type: 'application/vnd.oai.openapi+json' }])
    checkKnownParameters(request, [])
    const { base } = requestUrl(request, settings)
    return sendJson(request, reply, ogcApi(base, settings.limits, services.version), { type: OPENAPI_MEDIA })
  })

  app.get('/ogc/collections', { schema: schemas.collections, config: negotiated }, async (request, reply) => {
    chooseInteropFormat(request, reply, [json])
    checkKnownParameters(request, [])
    const { base } = requestUrl(request, settings)
    const operations = await openCollections(services, request)
    const collections = await Promise.all(
      operations.map(async (operation) =>
        collectionDocument(operation.collection, await collectionExtent(operation), base),
      ),
    )
    const links = [{ href: `${base}/ogc/collections`, rel: 'self', type: JSON_MEDIA, title: 'This document' }]
    return sendJson(request, reply, { links, collections })
  })

  app.get<Named>(
    '/ogc/collections/:collection',
    { schema: schemas.collection, config: negotiated },
    async (request, reply) => {
      chooseInteropFormat(request, reply, [json])
      const operation = await beginInterop(services, request, request.params.collection)
      checkKnownParameters(request, [])
      const { base } = requestUrl(request, settings)
      return sendJson(request, reply, collectionDocument(operation.collection, await collectionExtent(operation), base))
    },
  )

  for (const [path, schema, describe] of [
    ['queryables', schemas.queryables, describeQueryables],
    ['schema', schemas.schema, describeSchema],
  ] as const) {
    app.get<Named>(`/ogc/collections/:collection/${path}`, { schema, config: negotiated }, async (request, reply) => {
      chooseInteropFormat(request, reply, [schemaForm])
      const { collection } = await beginInterop(services, request, request.params.collection)
      checkKnownParameters(request, [])
      const { base } = requestUrl(request, settings)
      const url = `${collectionUrl(base, collection.reference.collection_name)}/${path}`
      return sendJson(request, reply, describe(collection, url), { type: SCHEMA_MEDIA })
    })
  }
}
