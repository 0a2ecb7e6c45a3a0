import type { FastifyInstance } from 'fastify'
import { collectionRoutes } from '../routes/collection-routes.ts'
import { aggregationRoutes } from '../routes/explore/aggregation-routes.ts'
import { exploreRoutes } from '../routes/explore/explore-routes.ts'
import { fileRoutes } from '../routes/explore/file-routes.ts'
import { tileRoutes } from '../routes/explore/tile-routes.ts'
import { vectorTileRoutes } from '../routes/explore/vector-tile-routes.ts'
import { indexRoutes } from '../routes/indices/index-routes.ts'
import { ogcItemRoutes } from '../routes/interop/ogc-item-routes.ts'
import { ogcRoutes } from '../routes/interop/ogc-routes.ts'
import { ogcTileRoutes } from '../routes/interop/ogc-tile-routes.ts'
import { stacAggregateRoutes } from '../routes/interop/stac-aggregate-routes.ts'
import { stacItemRoutes } from '../routes/interop/stac-item-routes.ts'
import { stacRoutes } from '../routes/interop/stac-routes.ts'
import { loadRoutes } from '../routes/load-routes.ts'
import { deliveryRoutes } from '../routes/subscriptions/delivery-routes.ts'
import { eventRoutes } from '../routes/subscriptions/event-routes.ts'
import { subscriptionRoutes } from '../routes/subscriptions/subscription-routes.ts'
import { taggingRoutes } from '../routes/tagging-routes.ts'
import type { Services } from '../services.ts'
import { type AppOptions, buildApp } from './app.ts'

/** Builds the whole server, ready to listen. Closing it leaves engine and store open; `stopServer` closes all. */
export function buildServer(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const { loads, tagging, notifications, settings } = services
  const { server } = settings
  return buildApp(
    services,
    {
      aliased: [
        {
          prefixes: server.aliases,
          routes: [collectionRoutes, exploreRoutes, aggregationRoutes, fileRoutes, tileRoutes, vectorTileRoutes],
        },
        ...(tagging === undefined ? [] : [{ prefixes: settings.tagging.aliases, routes: [taggingRoutes(tagging)] }]),
        ...(notifications === undefined
          ? []
          : [
              {
                prefixes: settings.subscriptions.aliases,
                routes: [
                  subscriptionRoutes(services, notifications),
                  deliveryRoutes(services, notifications),
                  eventRoutes(notifications),
                ],
              },
            ]),
      ],
      root: [
        indexRoutes,
        ...(loads === undefined ? [] : [loadRoutes(loads)]),
        ...[ogcRoutes, ogcItemRoutes, ogcTileRoutes],
        ...[stacRoutes, stacItemRoutes, stacAggregateRoutes],
      ],
    },
    options,
  )
}
