import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type OpenCollection, openCollection } from '../../collections/open-collection.ts'
import type { Settings } from '../../config/settings.ts'
import { callerAccess, callerStoredAccess, requestSignal } from '../request/caller.ts'
import { settleCoding } from '../request/content-coding.ts'
import { requestNotices } from '../request/request-notices.ts'
import { requestUrl } from '../request/request-url.ts'
import type { Services } from '../services.ts'
import { encodedTag, matchedTag, strongTag } from './entity-tag.ts'

/** An answer that a client had already when it asked again. Answers with notices are not kept. */
interface RecentAnswer {
  readonly tag: string
  readonly type: string
  readonly bytes: number
  /** Headers of a 304 that depend on the request. */
  readonly headers: Readonly<Record<string, string>>
}

const KEPT_HEADERS = ['cache-control', 'vary']

/** Number of answers whose tags are kept: those of some hundred dashboards. */
const MOST_ANSWERS = 10_000

const recent = new LRUCache<string, RecentAnswer>({ max: MOST_ANSWERS })
const questions = new WeakMap<FastifyRequest, string>()

/**
 * Answers 304 without work if the client has the answer, and the indices did not change since that was found. For
 * exploration routes of one collection. Only requests with If-None-Match are kept, so others cost nothing.
 */
export function answerUnchanged(app: FastifyInstance, services: Services): void {
  app.addHook('preHandler', async (request, reply) => {
    const header = request.headers['if-none-match']
    const { collection: name }: { collection?: string } = Object(request.params)
    if (header === undefined || name === undefined || !isExploring(request)) return
    const collection = await openCollection(services, name, callerAccess(request), requestSignal(request))
    const question = questionOf(request, collection, services.settings)
    if (question === undefined) return
    const known = recent.get(question)
    if (known !== undefined && matchedTag(header, known.tag) !== undefined) return send(request, reply, known, header)
    questions.set(request, question)
  })
}

const isExploring = ({ method, routeOptions }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && routeOptions.url?.includes('/explore/:collection/') === true

function send(request: FastifyRequest, reply: FastifyReply, known: RecentAnswer, header: string): FastifyReply {
  // The type decides on the encoding, and the encoding on the tag.
  reply.header('content-type', known.type)
  const tag = encodedTag(known.tag, settleCoding(request, reply, known.bytes))
  reply.header('etag', matchedTag(header, tag) ?? tag)
  return reply.headers(known.headers).code(304).removeHeader('content-type').send()
}

/** Keeps the tag of an answer that the client had. `bytes`: its size, not encoded. */
export function keepTag(request: FastifyRequest, reply: FastifyReply, tag: string, bytes: number): void {
  const question = questions.get(request)
  if (question === undefined || (requestNotices(request)?.texts.length ?? 0) > 0) return
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  const type = String(reply.getHeader('content-type') ?? '')
  recent.set(question, { tag, type, bytes, headers: Object.fromEntries(headers) })
}

/**
 * Everything an answer depends on; undefined if the engine has no versions, or if there may be a relative date or a
 * profile, which are not the same every time.
 */
function questionOf(
  request: FastifyRequest,
  { infos, reference }: OpenCollection,
  settings: Settings,
): string | undefined {
  const versions = infos.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]]))
  if (versions.length < infos.length) return undefined
  const { base, path, query } = requestUrl(request, settings)
  const { accept } = request.headers
  const text = JSON.stringify([base, path, query, accept, callerStoredAccess(request), reference, versions])
  return VARYING.test(text) || VARYING.test(decoded(query)) ? undefined : strongTag(text)
}

const VARYING = /now|profile/i

/** A query that is not UTF-8 is an error. */
function decoded(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return 'now'
  }
}
