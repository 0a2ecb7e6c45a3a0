import type { FastifyReply, FastifyRequest } from 'fastify'
import { PrintedJson } from '../../model/json/printed-json.ts'
import { settleCoding } from '../request/content-coding.ts'
import { readParameters } from '../request/parameters.ts'
import { encodedTag, matchedTag, strongTag, weakTag } from './entity-tag.ts'
import { printJson, printJsonInTurns } from './print-json.ts'
import { keepTag } from './recent-tags.ts'

export const JSON_CONTENT_TYPE = 'application/json;charset=utf-8'

interface JsonOptions {
  /** `form.pretty` of the body; the query parameter `pretty` has the same effect. */
  readonly pretty?: boolean | undefined
  /** Seconds of `max-age-cache`. Absent: no Cache-Control header. */
  readonly maxAge?: number | undefined
  /** Media type; absent: `application/json`. */
  readonly type?: string | undefined
  /** `none`: no ETag. By default, answers to GET and HEAD have one. */
  readonly tag?: 'strong' | 'none' | undefined
}

/**
 * Sends a JSON answer (spec 1.4, 1.6), compact or pretty. Answers to GET have an ETag; 304 if the client already has
 * the answer. Keeps a status set on the reply before.
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
  options: JsonOptions = {},
): Promise<FastifyReply> {
  const parameter = readParameters(request).boolean('pretty') ?? false
  const answer = await printAnswer(value, options.pretty === true || parameter)
  reply.header('content-type', options.type ?? JSON_CONTENT_TYPE)
  if (options.maxAge !== undefined) reply.header('cache-control', `no-transform, max-age=${options.maxAge}`)
  return sendTagged(request, reply, answer.bytes, options.tag === 'none' ? undefined : answer.tag)
}

/**
 * Sends a payload with its ETag, or 304 if the client already has it. Only GET and HEAD get an ETag. `tag` is the ETag
 * of the uncompressed payload.
 */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
  tag: (() => string) | undefined,
): FastifyReply {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (tag === undefined || !reads || reply.statusCode !== 200) return reply.send(payload)
  const value = encodedTag(tag(), settleCoding(request, reply, Buffer.byteLength(payload)))
  const known = matchedTag(request.headers['if-none-match'], value)
  if (known !== undefined) keepTag(request, reply, tag(), Buffer.byteLength(payload))
  reply.header('etag', known ?? value)
  if (known === undefined) return reply.send(payload)
  return reply.code(304).removeHeader('content-type').send()
}

interface PrintedAnswer {
  readonly bytes: Buffer
  readonly tag: () => string
}

/**
 * Answers that contain their own duration or time never have the same bytes twice, so they get a weak ETag over the remaining
 * members (spec 1.6.2). Those members are printed once, and the timing members are put in front.
 */
async function printAnswer(value: unknown, pretty: boolean): Promise<PrintedAnswer> {
  if (value instanceof PrintedJson) return joinPrinted(value)
  if (!isTimed(value)) {
    const bytes = Buffer.from(await printJsonInTurns(value, pretty))
    return { bytes, tag: () => strongTag(bytes) }
  }
  const { query_time, total_time, timeStamp, ...rest } = value
  const content = await printJsonInTurns(rest, pretty)
  const times = printJson({ query_time, total_time, timeStamp }, pretty)
  const head = times.slice(0, pretty ? -2 : -1)
  const text = content === '{}' ? times : times === '{}' ? content : `${head},${content.slice(1)}`
  const bytes = Buffer.from(text)
  // The last bytes, encoded already, are those of the content without its first character.
  return { bytes, tag: () => weakTag(bytes.subarray(bytes.length - Buffer.byteLength(content) + 1)) }
}

function joinPrinted({ members, times }: PrintedJson): PrintedAnswer {
  const head = times === undefined ? '{' : `${JSON.stringify(times).slice(0, -1)},`
  const bytes = Buffer.from(`${head}${members}}`)
  return { bytes, tag: () => (times === undefined ? strongTag(bytes) : weakTag(bytes.subarray(head.length))) }
}

function isTimed(value: unknown): value is { query_time?: unknown; total_time?: unknown; timeStamp?: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    ('query_time' in value || 'total_time' in value || 'timeStamp' in value)
  )
}
