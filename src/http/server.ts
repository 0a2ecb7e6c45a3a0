import type { FastifyInstance } from 'fastify'
import { type AppOptions, buildApp } from './app.ts'
import { aggregationRoutes } from './routes/aggregation-routes.ts'
import { collectionRoutes } from './routes/collection-routes.ts'
import { deliveryRoutes } from './routes/delivery-routes.ts'
import { eventRoutes } from './routes/event-routes.ts'
import { exploreRoutes } from './routes/explore-routes.ts'
import { fileRoutes } from './routes/file-routes.ts'
import { indexRoutes } from './routes/index-routes.ts'
import { subscriptionRoutes } from './routes/subscription-routes.ts'
import { taggingRoutes } from './routes/tagging-routes.ts'
import { tileRoutes } from './routes/tile-routes.ts'
import { vectorTileRoutes } from './routes/vector-tile-routes.ts'
import type { Services } from './services.ts'

/** The whole server, ready to listen. Closing it leaves engine and store open; `stopServer` closes all. */
export function buildServer(services: Services, options: AppOptions = {}): Promise<FastifyInstance> {
  const { tagging, notifications, settings } = services
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
      root: [indexRoutes],
    },
    options,
  )
}
