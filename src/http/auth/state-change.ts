import type { FastifyRequest } from 'fastify'

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** True if a request may change something: every method except the reading ones, unless the route is `readOnly`. */
export function changesState(request: FastifyRequest): boolean {
  return !READING_METHODS.has(request.method) && request.routeOptions.config.readOnly !== true
}
