import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isNarrowed, seesWhole } from '../../access/narrowing.ts'
import type { OpenCollection } from '../../collections/open-collection.ts'
import type { Engine, ReadEngine } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import { profiledEngine, ReadProfile } from '../../explore/profiled-engine.ts'
import type { Access } from '../../query/access/access.ts'
import { readParameters } from './parameters.ts'

/** Response header with the profile of a request, as JSON. */
const PROFILE_HEADER = 'periplus-profile'

/** Lists the headers that pages of other origins may read. */
const EXPOSED = 'access-control-expose-headers'

/** Reads listed in a profile: answers have few, but a mosaic of tiles may have more. */
const MOST_READS = 20

const profiles = new WeakMap<FastifyRequest, ReadProfile>()

/**
 * Returns an engine that records the reads of a request with `profile=true`. Times and row numbers tell of documents
 * beyond the view of a caller, so a caller with a narrowed view is refused.
 */
export function requestEngine(
  request: FastifyRequest,
  engine: Engine,
  { reference }: OpenCollection,
  access: Access,
): ReadEngine {
  if (readParameters(request).boolean('profile') !== true) return engine
  if (isNarrowed(access) || !seesWhole(access, reference)) {
    throw problem('FORBIDDEN', { reason: 'profile is not allowed, because the view of the caller is narrowed' })
  }
  const profile = profiles.get(request) ?? new ReadProfile(engine)
  profiles.set(request, profile)
  return profiledEngine(engine, profile)
}

/** Adds the profile to the answers of the requests that asked for one. */
export function sendProfiles(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const profile = profiles.get(request)
    if (profile !== undefined) sendProfile(profile, reply)
    done(null, payload)
  })
}

function sendProfile({ engine, reads }: ReadProfile, reply: FastifyReply): void {
  const total = Math.round(reply.elapsedTime * 1000) / 1000
  const exposed = reply.getHeader(EXPOSED)
  if (typeof exposed === 'string') reply.header(EXPOSED, `${exposed}, ${PROFILE_HEADER}`)
  reply.header(PROFILE_HEADER, JSON.stringify({ engine, total_ms: total, reads: reads.slice(0, MOST_READS) }))
}
