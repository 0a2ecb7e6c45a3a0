import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Notices } from '../../query/request/notices.ts'
import { rawQuery, readParameters } from './parameters.ts'

/** Response header that lists names of the request that do not exist. */
const NOTICE_HEADER = 'periplus-notice'

/** Lists the headers that pages of other origins may read. */
const EXPOSED = 'access-control-expose-headers'

const notices = new WeakMap<FastifyRequest, Notices>()

/** Returns the notices of an exploration request; undefined for others, which refuse unknown names. */
export function requestNotices(request: FastifyRequest): Notices | undefined {
  if (!isExploration(request)) return undefined
  const found = notices.get(request) ?? new Notices()
  notices.set(request, found)
  return found
}

const isExploration = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.includes('/explore/') === true

/** Adds the notices to the answers of requests that have some. */
export function sendNotices(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isExploration(request)) sendNotice(request, reply)
    done(null, payload)
  })
}

function sendNotice(request: FastifyRequest, reply: FastifyReply): void {
  noteParameters(request)
  const texts = notices.get(request)?.texts ?? []
  if (texts.length === 0) return
  const exposed = reply.getHeader(EXPOSED)
  if (typeof exposed === 'string') reply.header(EXPOSED, `${exposed}, ${NOTICE_HEADER}`)
  reply.header(NOTICE_HEADER, texts.map((text) => JSON.stringify(printable(text))).join(', '))
}

function noteParameters(request: FastifyRequest): void {
  if (rawQuery(request.raw.url ?? '') === '') return
  const { known, lower } = knownNames(request)
  for (const name of namesOf(request)) {
    if (name !== '' && !lower.has(name)) requestNotices(request)?.unknownParameter(name, known)
  }
}

interface KnownNames {
  readonly known: readonly string[]
  /** In lower case. */
  readonly lower: ReadonlySet<string>
}

const namesByRoute = new WeakMap<object, KnownNames>()

/** The parameters of the route, as it is described. */
function knownNames({ routeOptions: { schema = {} } }: FastifyRequest): KnownNames {
  let names = namesByRoute.get(schema)
  if (names === undefined) {
    const described: { properties?: Readonly<Record<string, unknown>> } = Object(schema.querystring)
    const known = Object.keys(described.properties ?? {})
    names = { known, lower: new Set(known.map((name) => name.toLowerCase())) }
    namesByRoute.set(schema, names)
  }
  return names
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
