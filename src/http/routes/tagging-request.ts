import type { FastifyRequest } from 'fastify'
import { Problem, problem } from '../../errors.ts'
import { parseWithBigints } from '../../model/json/exact-json.ts'
import { isBlank, parseJson, rawBody } from '../request/body/json-body.ts'
import { findJsonFault, type JsonPlace, placeAt } from '../request/body/json-fault.ts'
import { readParameters } from '../request/parameters.ts'

/** Maximum body size of a tag request. Bytes. */
const TAG_BODY_BYTES = 1 << 20

const MOST_LISTED = 10_000

const lenient = new TextDecoder('utf-8')

/** Ignores the body of a replay without reading it, since a replay has no body parameters. */
export async function ignoreBody({ raw }: FastifyRequest): Promise<void> {
  for (const name of ['content-type', 'content-length', 'content-encoding', 'transfer-encoding']) {
    delete raw.headers[name]
  }
}

/** Ignores the Content-Type of a request without body. */
export async function ignoreTypeOfNothing({ raw }: FastifyRequest): Promise<void> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
  if (length === '0' && encoding === undefined) delete raw.headers['content-type']
}

export function checkBodySize(request: FastifyRequest): void {
  if (rawBody(request).length <= TAG_BODY_BYTES) return
  throw problem('BODY_TOO_LARGE', { reason: `of a tag request must not be larger than ${TAG_BODY_BYTES} bytes` })
}

/**
 * Parses the JSON of a tag request; an absent body is `{}` (spec tagging 1.2). Errors contain line and column. A tag
 * value that a number cannot hold exactly becomes a bigint, so that the error quotes the original digits.
 */
export function readTagJson(request: FastifyRequest): unknown {
  const bytes = rawBody(request)
  if (isBlank(bytes)) return {}
  try {
    const body = parseJson(bytes, 'body', request.routeOptions.config.jsonNodes)
    const value = tagValueOf(body)
    if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return body
    return withValue(body, tagValueOf(parseWithBigints(lenient.decode(bytes))))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'MALFORMED_JSON') throw error
    const { line, column } = faultOf(bytes)
    const { reason = 'must be JSON' } = error.details
    throw problem('MALFORMED_JSON', {
      ...error.details,
      reason: `${reason}; syntax error at line ${line}, column ${column}`,
    })
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const tagOf = (body: unknown): unknown => (isObject(body) && 'tag' in body ? body.tag : undefined)

function tagValueOf(body: unknown): unknown {
  const tag = tagOf(body)
  return isObject(tag) && 'value' in tag ? tag.value : undefined
}

const withValue = (body: unknown, value: unknown): object => ({
  ...Object(body),
  tag: { ...Object(tagOf(body)), value },
})

function faultOf(bytes: Uint8Array): JsonPlace {
  const text = lenient.decode(bytes)
  const written = Buffer.from(text)
  // The sent bytes are not UTF-8 where they differ from the re-encoded text.
  const start = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const broken = bytes.subarray(start).findIndex((byte, i) => byte !== written[i])
  if (broken < 0) return findJsonFault(text)
  const sound = lenient.decode(written.subarray(0, broken))
  return placeAt(sound, sound.length)
}

/** Reads `offset` of a replay: required, 0 to 2^53-1. */
export function readOffset(request: FastifyRequest): number {
  const offset = readPlace(request, 'offset')
  if (offset === undefined) throw problem('INVALID_PARAMETER', { parameter: 'offset', reason: 'is required' })
  return offset
}

/** Reads `from` and `size` of a list. */
export function readListing(request: FastifyRequest): { readonly from?: number; readonly size?: number } {
  const from = readPlace(request, 'from')
  const size = readParameters(request).integer('size', { min: 1, max: MOST_LISTED })
  return { ...(from === undefined ? {} : { from }), ...(size === undefined ? {} : { size }) }
}

/** Parses a position in the log, which may exceed the int32 range of other integer parameters. */
function readPlace(request: FastifyRequest, name: string): number | undefined {
  const text = readParameters(request).text(name)
  if (text === undefined) return undefined
  const value = /^(?:\+?[0-9]+|-0+)$/.test(text) ? Math.abs(Number(text)) : Number.NaN
  if (Number.isSafeInteger(value)) return value
  const reason = `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}`
  throw problem('INVALID_PARAMETER', { parameter: name, value: text, reason })
}
