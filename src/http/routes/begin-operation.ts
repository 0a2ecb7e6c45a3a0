import type { FastifyRequest } from 'fastify'
import { openCollection } from '../../collections/open-collection.ts'
import type { Operation } from '../../explore/operation.ts'
import { callerAccess, requestSignal } from '../request/caller.ts'
import { requestNotices } from '../request/request-notices.ts'
import { noteProfile } from '../request/request-profile.ts'
import { recordingEngine } from '../request/request-reads.ts'
import type { Services } from '../services.ts'

/** Opens the collection of a request. An unknown one is a 404, whatever else was sent (spec 1.5). */
export async function beginOperation(services: Services, request: FastifyRequest, name: string): Promise<Operation> {
  const access = callerAccess(request)
  const signal = requestSignal(request)
  const collection = await openCollection(services, name, access, signal)
  const origin = request.method === 'POST' ? 'body' : 'query'
  const { limits } = services.settings
  noteProfile(request, collection, access)
  const engine = recordingEngine(request, services.engine, name)
  const notices = requestNotices(request)
  const told = notices === undefined ? {} : { notices }
  return { engine, collection, access, limits, now: services.now(), origin, ...told, signal }
}
