import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../../config/settings.ts'
import { problem } from '../../../errors.ts'
import { hasLongNumber, parseRewritable } from '../../../model/json/exact-json.ts'
import { rawBody, readJsonBody, readTextBody } from '../../request/body/json-body.ts'
import { type Parameters, readParameters } from '../../request/parameters.ts'
import { type RequestUrl, requestUrl } from '../../request/request-url.ts'
import { routePrefixes } from '../../route-prefixes.ts'

/** Maximum body size of a subscription. Bytes. */
const SUBSCRIPTION_BODY_BYTES = 1 << 20
const MOST_PER_PAGE = 1_000
const DEFAULT_PER_PAGE = 10
/** Maximum depth of paging into a list. */
const FARTHEST = 1_000_000

/** Parses the JSON of a subscription with exact integers. The size check (413) precedes all others. */
export function readSubscriptionJson(request: FastifyRequest): unknown {
  if (rawBody(request).length > SUBSCRIPTION_BODY_BYTES) {
    throw problem('BODY_TOO_LARGE', {
      reason: `of a subscription must not be larger than ${SUBSCRIPTION_BODY_BYTES} bytes`,
    })
  }
  checkPretty(request)
  const value = readJsonBody(request)
  const text = readTextBody(request)
  return hasLongNumber(text) ? parseRewritable(text) : value
}

/** Validates `pretty` before anything is looked up or stored: a failed request must not change anything. */
export function checkPretty(request: FastifyRequest): void {
  readParameters(request).boolean('pretty')
}

/** Parses a 64-bit integer of the query. */
export function readLong(parameters: Parameters, name: string): number | undefined {
  const text = parameters.text(name)
  if (text === undefined) return undefined
  const isInteger = /^[+-]?[0-9]+$/.test(text)
  if (isInteger && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return Number(text)
  throw problem('INVALID_PARAMETER', { parameter: name, reason: 'must be a 64-bit integer', value: text })
}

interface PageOfList {
  /** Counts from 1. */
  readonly page: number
  readonly size: number
}

/** Reads `page` and `size` of a list of subscriptions or deliveries (spec 2.6). */
export function readListPage(parameters: Parameters): PageOfList {
  const size = within(parameters, 'size', MOST_PER_PAGE) ?? DEFAULT_PER_PAGE
  const page = within(parameters, 'page') ?? 1
  if (page * size <= FARTHEST) return { page, size }
  throw problem('INVALID_PARAMETER', {
    parameter: 'page',
    reason: `times size must be at most ${FARTHEST}; size is ${size}`,
    value: page,
  })
}

function within(parameters: Parameters, name: string, most?: number): number | undefined {
  const value = readLong(parameters, name)
  if (value === undefined || (value >= 1 && value <= (most ?? value))) return value
  const range = most === undefined ? 'of at least 1' : `from 1 to ${most}`
  throw problem('INVALID_PARAMETER', { parameter: name, reason: `must be an integer ${range}`, value })
}

/** Returns the URL of the subscription routes as seen by the client, to build links from. */
export function subscriptionAddress(request: FastifyRequest, settings: Settings): RequestUrl {
  const aliases = [...routePrefixes(settings)]
  return requestUrl(request, { ...settings, server: { ...settings.server, aliases } })
}
