import type { FastifyInstance } from 'fastify'
import type { Limits } from '../../config/settings.ts'

/** Bounds bodies by what a route is for: a request to read is small, whatever may be written. */
export function limitBodies(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRoute', (route) => {
    route.config = { jsonNodes: limits.jsonNodes, ...route.config }
    if (route.config.readOnly === true) route.bodyLimit ??= Math.min(limits.exploreBytes, limits.bodyBytes)
  })
}
