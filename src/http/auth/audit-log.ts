import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nameOf } from '../../access/identity.ts'
import type { Settings } from '../../config/settings.ts'
import type { WriteResult } from '../../engine/engine.ts'
import { callerIdentity } from '../request/caller.ts'
import { finalStatus, onRequestEnd } from '../request/request-end.ts'
import { changesState } from '../route-config.ts'
import { routePrefixes } from '../route-prefixes.ts'
import { routePattern } from './auth-path.ts'
import { callerAddress } from './caller-limits.ts'

/** Result of a write, beyond its status. */
interface WriteNote {
  readonly indices: readonly string[]
  /** Number of documents by result. */
  readonly counts: Readonly<Record<string, number>>
}

const notes = new WeakMap<FastifyRequest, WriteNote>()

/** Adds the number of written documents and their indices to the audit log line. */
export function noteWrites(
  request: FastifyRequest,
  items: readonly { readonly index: string }[],
  results: readonly WriteResult[],
): void {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const outcome = result.ok ? result.result : 'failed'
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  notes.set(request, { indices: [...new Set(items.map((item) => item.index))], counts })
}

/** Adds the outcome of a load to the audit log line. */
export function noteLoad(request: FastifyRequest, index: string, counts: Readonly<Record<string, number>>): void {
  notes.set(request, { indices: [index], counts })
}

/**
 * Logs one line per request that changes something or tried to: caller, action, outcome. Written at every log level
 * except `silent`. Leaves out bodies, queries and headers, because they may contain filters and secrets.
 */
export function auditWrites(app: FastifyInstance, settings: Settings): void {
  const { server, log } = settings
  if (!log.audit) return
  const audit = app.log.child({ audit: true }, { level: log.level === 'silent' ? 'silent' : 'info' })
  const prefixes = routePrefixes(settings)
  onRequestEnd(app, (request, reply) => {
    const route = routePattern(request, prefixes)
    if (route === undefined || !changesState(request)) return
    const identity = callerIdentity(request)
    const status = finalStatus(request, reply)
    const key = identity?.key
    audit.info(
      {
        reqId: request.id,
        who: identity === undefined ? 'anonymous' : nameOf(identity),
        ...(key === undefined ? {} : { key }),
        address: callerAddress(request, server.trustedProxies),
        what: `${request.method} ${route}`,
        ...Object(request.params),
        outcome: status < 400 ? 'done' : 'refused',
        status,
        ...notes.get(request),
      },
      'write',
    )
  })
}
