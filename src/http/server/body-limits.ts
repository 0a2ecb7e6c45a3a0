import type { FastifyInstance } from 'fastify'
import type { Limits } from '../../config/settings.ts'

/** Limits body sizes by kind of route: requests that only read have a smaller limit than writes. */
export function limitBodies(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRoute', (route) => {
    route.config = { jsonNodes: limits.jsonNodes, ...route.config }
    if (route.config.readOnly === true) route.bodyLimit ??= Math.min(limits.exploreBytes, limits.bodyBytes)
  })
}
