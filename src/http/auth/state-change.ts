import type { FastifyRequest } from 'fastify'

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Whether a request may change something: any method but those that read, unless its route says `readOnly`. */
export function changesState(request: FastifyRequest): boolean {
  return !READING_METHODS.has(request.method) && request.routeOptions.config.readOnly !== true
}
