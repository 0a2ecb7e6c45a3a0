/**
 * What a route may say about itself in `config` beside its schema:
 *
 *     app.patch('/collections/:collection/display_names/collection', { config: { accepts: ['text/plain'] } }, ...)
 *
 * Bodies arrive as a Buffer in `request.body` whatever their media type; `readJsonBody`, `readTextBody` and
 * `readFormField` read them. The size of a body is the route option `bodyLimit` (default limits.bodyBytes).
 */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types a body may have beside application/json and none at all; others answer 415. */
    readonly accepts?: readonly string[]
    /** Media types the route can answer with; an Accept header that excludes all of them answers 406. */
    readonly produces?: readonly string[]
    /** Values and keys a JSON body may have; limits.jsonNodes. */
    readonly jsonNodes?: number
    /**
     * true: the route only reads, whatever its method. Other routes count as changing something when their method is
     * not one that reads: pages of foreign origins may not use them, and the audit log has a line for each request.
     */
    readonly readOnly?: boolean
    /** false: the route may run longer than limits.timeMs (loading, refreshing). */
    readonly timeLimit?: boolean
  }
}

export const JSON_TYPE = 'application/json'
