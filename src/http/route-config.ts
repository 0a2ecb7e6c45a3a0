import type { FastifyRequest } from 'fastify'

/**
 * Options of a route in `config`, in addition to its schema:
 *
 *     app.patch('/collections/:collection/display_names/collection', { config: { accepts: ['text/plain'] } }, ...)
 *
 * Bodies arrive as a Buffer in `request.body` whatever their media type; `readJsonBody`, `readTextBody` and
 * `readFormField` read them. The size of a body is the route option `bodyLimit` (default limits.bodyBytes).
 */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepted media types of the body besides application/json and none; others get a 415. See ANY_FILE. */
    readonly accepts?: readonly string[]
    /** Media types of the answer; an Accept header that excludes all of them gets a 406. */
    readonly produces?: readonly string[]
    /** Maximum number of values and keys in a JSON body (limits.jsonNodes). */
    readonly jsonNodes?: number
    /**
     * true: the route only reads, whatever its method. Otherwise every method that is not a reading one counts as a
     * change: refused for pages of foreign origins, and recorded in the audit log.
     */
    readonly readOnly?: boolean
    /** false: the route may run longer than limits.timeMs (loading, refreshing). */
    readonly timeLimit?: boolean
    /** The rights the route needs, instead of that of its own path: those of the operations it consists of. */
    readonly rights?: (request: FastifyRequest) => readonly Right[]
  }
}

/** An operation a caller may be allowed to do. */
export interface Right {
  readonly method: string
  /** As rules have it: `index/trips/_bulk`. */
  readonly path: string
}

export const JSON_TYPE = 'application/json'
/** Stands for every media type except forms. */
export const ANY_FILE = '*/*'

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** True if a request may change something: every method except the reading ones, unless the route is `readOnly`. */
export function changesState(request: FastifyRequest): boolean {
  return !READING_METHODS.has(request.method) && request.routeOptions.config.readOnly !== true
}
