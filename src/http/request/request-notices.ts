import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Notices } from '../../query/request/notices.ts'
import { readParameters } from './parameters.ts'

/** Response header that lists names of the request that do not exist. */
const NOTICE_HEADER = 'periplus-notice'

/** Lists the headers that pages of other origins may read. */
const EXPOSED = 'access-control-expose-headers'

const notices = new WeakMap<FastifyRequest, Notices>()

/** Returns the notices of an exploration request; undefined for others, which refuse unknown names. */
export function requestNotices(request: FastifyRequest): Notices | undefined {
  if (request.routeOptions.url?.includes('/explore/') !== true) return undefined
  const found = notices.get(request) ?? new Notices()
  notices.set(request, found)
  return found
}

/** Adds the notices to the answers of requests that have some. */
export function sendNotices(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const found = requestNotices(request)
    if (found === undefined) return
    noteParameters(request, found)
    const { texts } = found
    if (texts.length === 0) return
    const exposed = reply.getHeader(EXPOSED)
    if (typeof exposed === 'string') reply.header(EXPOSED, `${exposed}, ${NOTICE_HEADER}`)
    reply.header(NOTICE_HEADER, texts.map((text) => JSON.stringify(printable(text))).join(', '))
  })
}

/** Names are compared with the description of the route. */
function noteParameters(request: FastifyRequest, found: Notices): void {
  const described: { properties?: Readonly<Record<string, unknown>> } = Object(request.routeOptions.schema?.querystring)
  const known = Object.keys(described.properties ?? {})
  const lower = new Set(known.map((name) => name.toLowerCase()))
  for (const name of namesOf(request)) if (name !== '' && !lower.has(name)) found.unknownParameter(name, known)
}

function namesOf(request: FastifyRequest): readonly string[] {
  try {
    return readParameters(request).names()
  } catch {
    // not UTF-8: the answer is an error that says so
    return []
  }
}

/** Percent-encodes what a header cannot contain, and the percent sign. */
const printable = (text: string): string =>
  text.toWellFormed().replaceAll(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent)
