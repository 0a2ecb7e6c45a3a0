import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../config/settings.ts'
import type { EngineRead } from '../../engine/read-explanation.ts'
import { withoutToken } from './auth-query-token.ts'
import { finalStatus, onRequestEnd } from './request-end.ts'
import { routeOf } from './request-log.ts'
import { readsOf } from './request-reads.ts'

/** Characters of a plan in the log. */
const MOST_PLAN = 2_000

/** Logs requests that took longer than `log.slowMs`, with the plans of their reads and how the engine answered. */
export function logSlowRequests(app: FastifyInstance, { log: { slowMs } }: Pick<Settings, 'log'>): void {
  if (slowMs === 0) return
  onRequestEnd(app, (request, reply) => {
    if (reply.elapsedTime >= slowMs) void logSlow(request, reply)
  })
}

async function logSlow(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const line = {
    slow: true,
    method: request.method,
    route: routeOf(request),
    url: withoutToken(request.raw.url ?? ''),
    status: finalStatus(request, reply),
    ms: Math.round(reply.elapsedTime),
  }
  const read = readsOf(request)
  const details = read && { collections: [...read.collections], reads: await describeReads(request) }
  request.log.warn({ ...line, ...details }, 'slow request')
}

async function describeReads(request: FastifyRequest): Promise<readonly object[]> {
  const reads = readsOf(request)?.reads
  if (reads === undefined) return []
  const plans = reads.plans.map(planText)
  try {
    return (await reads.profile()).map((read, i) => ({ ...read, plan: plans[i] }))
  } catch (error) {
    // An index may be gone by now. The line is logged without what the engine says.
    request.log.debug({ err: error }, 'the reads of a slow request could not be explained')
    return reads.plans.map(({ method }, i) => ({ read: method, plan: plans[i] }))
  }
}

/** Returns the beginning of a plan as JSON, with paths in place of fields. */
export function planText({ plan }: EngineRead): string {
  const text = JSON.stringify(plan, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value)
    return isField(value) ? value.path : value
  })
  return text.length <= MOST_PLAN ? text : `${text.slice(0, MOST_PLAN)}...`
}

const isField = (value: unknown): value is { readonly path: string } =>
  typeof value === 'object' && value !== null && 'path' in value && 'type' in value && typeof value.path === 'string'
