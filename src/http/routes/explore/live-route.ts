import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseEventId } from '../../../explore/live/live-feed.ts'
import type { LiveFeeds } from '../../../explore/live/live-feeds.ts'
import type { Operation } from '../../../explore/operation.ts'
import { sendStream } from '../../answer/send-stream.ts'
import { readCount } from './explore-request.ts'
import * as schemas from './explore-schemas.ts'

const TYPE = 'text/event-stream'

interface Named {
  Params: { readonly collection: string }
}

/** The route of live streams. They end when the server stops. */
export function liveRoute(
  app: FastifyInstance,
  live: LiveFeeds,
  begin: (request: FastifyRequest<Named>) => Promise<Operation>,
): void {
  app.addHook('preClose', async () => live.close())
  app.get<Named>(
    '/explore/:collection/_live',
    { schema: schemas.live, config: { produces: [TYPE] } },
    async (request, reply) => {
      const seen = parseEventId([request.headers['last-event-id'] ?? ''].flat().join())
      const operation = await begin(request)
      const events = await live.follow(readCount(request).value, operation, seen)
      // proxies that collect responses are told not to
      reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      return sendStream(request, reply.type(TYPE), events)
    },
  )
}
