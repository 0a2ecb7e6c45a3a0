import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isNarrowed, seesWhole } from '../../access/narrowing.ts'
import type { OpenCollection } from '../../collections/open-collection.ts'
import type { Engine } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'
import { readParameters } from './parameters.ts'
import { readsOf } from './request-reads.ts'

/** Response header with the profile of a request, as JSON. */
const PROFILE_HEADER = 'periplus-profile'

/** Lists the headers that pages of other origins may read. */
const EXPOSED = 'access-control-expose-headers'

const profiled = new WeakSet<FastifyRequest>()

/**
 * Remembers requests with `profile=true`. Times and row numbers tell of documents beyond the view of a caller, so a
 * caller with a narrowed view is refused.
 */
export function noteProfile(request: FastifyRequest, { reference }: OpenCollection, access: Access): void {
  if (readParameters(request).boolean('profile') !== true) return
  if (isNarrowed(access) || !seesWhole(access, reference)) {
    throw problem('FORBIDDEN', { reason: 'profile is not allowed, because the view of the caller is narrowed' })
  }
  profiled.add(request)
}

/** Adds the profile to the answers of the requests that asked for one. */
export function sendProfiles(app: FastifyInstance, { name }: Pick<Engine, 'name'>): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!profiled.has(request)) done(null, payload)
    else sendProfile(name, request, reply).then(() => done(null, payload), done)
  })
}

async function sendProfile(engine: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const total = Math.round(reply.elapsedTime * 1000) / 1000
  const reads = (await readsOf(request)?.reads.profile()) ?? []
  const exposed = reply.getHeader(EXPOSED)
  if (typeof exposed === 'string') reply.header(EXPOSED, `${exposed}, ${PROFILE_HEADER}`)
  reply.header(PROFILE_HEADER, JSON.stringify({ engine, total_ms: total, reads }))
}
